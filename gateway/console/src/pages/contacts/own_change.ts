import {ApiProblem} from '../../api/problem.ts';
import type {Scope} from '../../api/scope.tsx';
import {Listeners} from '../../listeners.ts';
import type {Session} from '../../session/session.ts';
import type {components} from '#schema';
import {changeMembers, changeOne} from './change_some.ts';

export type BulkAction = components['schemas']['BulkAction'];

/** How far a change of many contacts is: of the service, by a filter, or of this tab, one contact after the other. */
export interface BulkState {
  readonly isDeletion: boolean;
  readonly status: 'queued' | 'running' | 'finished' | 'failed' | 'cancelled';
  readonly expected: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Why it ended early, or what was wrong with the first that failed. */
  readonly failure: unknown;
  /** It goes on without this tab. */
  readonly isOfService: boolean;
}

const kAtOnce = 4;

/** A change that this tab makes, contact after contact. It goes on while one is on other pages. */
export class OwnChange {
  state: BulkState | null = null;
  private stopping = new AbortController();
  private readonly listeners = new Listeners();

  readonly subscribe = this.listeners.subscribe;
  readonly snapshot = () => this.state;

  /** It ends with the session of who began it: afterwards each call would be made by the cookie of somebody else, or of nobody. */
  async run(session: Pick<Session, 'state' | 'subscribe'>, scope: Scope, ids: readonly string[], action: BulkAction): Promise<void> {
    const {signal} = this.stopping = new AbortController();
    this.put({
      isDeletion: action.type === 'deleteContacts', status: 'running', expected: ids.length, changed: 0, unchanged: 0, failed: 0, failure: null, isOfService: false,
    });
    const unsubscribe = session.subscribe(() => {
      const now = session.state();
      if (now.kind !== 'signed in' || now.user.uniqueId !== scope.userId) this.cancel();
    });
    try {
      if (action.type === 'addToLists' || action.type === 'removeFromLists') this.put({...await changeMembers(scope, ids, action, signal)});
      else await this.changeEach(scope, [...ids], action, signal);
      this.put({status: signal.aborted ? 'cancelled' : 'finished'});
    } catch (error) {
      this.put(signal.aborted ? {status: 'cancelled'} : {status: 'failed', failure: error});
    } finally {
      unsubscribe();
    }
  }

  private async changeEach(scope: Scope, left: string[], action: BulkAction, signal: AbortSignal): Promise<void> {
    const work = async () => {
      for (let id = left.shift(); id !== undefined && !signal.aborted; id = left.shift()) {
        const [became, failure] = await changeOne(scope, id, action, signal).then((done) => [done, null] as const, (error: unknown) => ['failed', error] as const);
        if (failure !== null && signal.aborted) return;
        this.put({[became]: this.state![became] + 1, failure: this.state!.failure ?? failure});
        if (failure instanceof ApiProblem && failure.status === 401) this.cancel();
      }
    };
    await Promise.all(Array.from({length: kAtOnce}, work));
  }

  cancel(): void {
    this.stopping.abort();
  }
  close(): void {
    this.state = null;
    this.tell();
  }

  private put(part: Partial<BulkState>): void {
    this.state = {...this.state!, ...part};
    this.tell();
  }
  private tell(): void {
    this.listeners.tell();
  }
}

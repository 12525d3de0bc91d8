import {useState, useSyncExternalStore} from 'react';
import {useBulkChange, useCancelBulkChange, useStartBulkChange} from '../../api/bulk_changes.ts';
import type {BulkChange} from '../../api/entities.ts';
import {ApiProblem} from '../../api/problem.ts';
import {useScope, type Scope} from '../../api/scope.tsx';
import type {Store} from '../../api/store.ts';
import {tabStorage} from '../../live/storage.ts';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {holdUnsaved} from '../../shell/unsaved.ts';
import {useTexts} from '../../texts/index.tsx';
import type {components} from '#schema';
import {changeMembers, changeOne} from './change_some.ts';

type Schemas = components['schemas'];
export type BulkAction = Schemas['BulkAction'];

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

export interface Bulk {
  readonly current: BulkState | null;
  startAll(contacts: Schemas['BulkContactsBody'], expected: number, action: BulkAction): Promise<void>;
  startSome(ids: readonly string[], action: BulkAction): void;
  cancel(): void;
  close(): void;
}

const kAtOnce = 4;

/** A change that this tab makes, contact after contact. It goes on while one is on other pages. */
class OwnChange {
  state: BulkState | null = null;
  private isCancelled = false;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly snapshot = () => this.state;

  async run(scope: Scope, ids: readonly string[], action: BulkAction): Promise<void> {
    this.isCancelled = false;
    this.put({
      isDeletion: action.type === 'deleteContacts', status: 'running', expected: ids.length, changed: 0, unchanged: 0, failed: 0, failure: null, isOfService: false,
    });
    const release = holdUnsaved();
    try {
      if (action.type === 'addToLists' || action.type === 'removeFromLists') this.put({...await changeMembers(scope, ids, action)});
      else await this.changeEach(scope, [...ids], action);
      this.put({status: this.isCancelled ? 'cancelled' : 'finished'});
    } catch (error) {
      this.put({status: 'failed', failure: error});
    } finally {
      release();
    }
  }

  private async changeEach(scope: Scope, left: string[], action: BulkAction): Promise<void> {
    const work = async () => {
      for (let id = left.shift(); id !== undefined && !this.isCancelled; id = left.shift()) {
        const [became, failure] = await changeOne(scope, id, action).then((done) => [done, null] as const, (error: unknown) => ['failed', error] as const);
        this.put({[became]: this.state![became] + 1, failure: this.state!.failure ?? failure});
      }
    };
    await Promise.all(Array.from({length: kAtOnce}, work));
  }

  cancel(): void {
    this.isCancelled = true;
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
    for (const listener of this.listeners) listener();
  }
}

const owns = new WeakMap<Store, OwnChange>();

function ownOf(store: Store): OwnChange {
  const known = owns.get(store) ?? new OwnChange();
  owns.set(store, known);
  return known;
}

/** The change of the service that this tab began last, until it is closed: it is found again after the page was left, or loaded anew. */
function useBegun() {
  const {organization} = useScope();
  const name = 'parley.bulk.' + organization;
  const [id, setId] = useState(() => tabStorage.getItem(name));
  const begin = (next: string | null) => {
    if (next) tabStorage.setItem(name, next);
    else tabStorage.removeItem(name);
    setId(next);
  };
  return [id, begin] as const;
}

export function useBulk(): Bulk {
  const {shell} = useTexts();
  const scope = useScope();
  const start = useStartBulkChange();
  const stop = useCancelBulkChange();
  const [id, begin] = useBegun();
  const own = ownOf(scope.store);
  const ownState = useSyncExternalStore(own.subscribe, own.snapshot);
  const {value} = useBulkChange(id);
  return {
    current: ownState ?? (value ? stateOf(value) : null),
    startAll: async (contacts, expected, action) => {
      const made = await start.change({contacts, expected, action});
      own.close();
      begin(made.uniqueId);
    },
    startSome: (ids, action) => {
      begin(null);
      void own.run(scope, ids, action);
    },
    cancel: () => {
      if (ownState) return own.cancel();
      if (id) stop.change(id).catch((error: unknown) => {
        if (error instanceof ApiProblem) toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)});
      });
    },
    close: () => {
      own.close();
      begin(null);
    },
  };
}

const stateOf = ({action, status, expected, changed, unchanged, failed, failure}: BulkChange): BulkState => ({
  isDeletion: action.type === 'deleteContacts', status: status.toLowerCase() as BulkState['status'],
  expected, changed, unchanged, failed, failure: failure || null, isOfService: true,
});

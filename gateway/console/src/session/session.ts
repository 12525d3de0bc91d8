import type {components} from '#schema';
import {connect, take, type Api, type Wire} from '../api/client.ts';
import {ApiProblem} from '../api/problem.ts';
import type {Channel} from './channel.ts';

type Schemas = components['schemas'];
export type User = Schemas['User'];
export type Membership = Schemas['Membership'];

export type SessionState =
  | {readonly kind: 'asking'}
  | {readonly kind: 'unreachable'; readonly problem: ApiProblem}
  | {readonly kind: 'signed out'; readonly isExpired: boolean}
  | {readonly kind: 'signed in'; readonly user: User; readonly organizations: readonly Membership[]};

export interface SessionParts {
  readonly wire: Omit<Wire, 'onExpired'>;
  readonly channel: Channel;
  /** Whose data this browser holds; localStorage. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Removes what this browser keeps of a person: drafts, sends, positions; the cache of this tab. */
  readonly forget: () => Promise<void>;
}

const kPerson = 'parley.person';

/** Who is signed in, in all tabs alike. The cookie is the session: no script has its token. */
export class Session {
  readonly wire: Wire;
  readonly api: Api;
  private current: SessionState = {kind: 'asking'};
  private asking: Promise<void> | null = null;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly parts: SessionParts) {
    this.wire = {...parts.wire, onExpired: () => void this.ask()};
    this.api = connect(this.wire, null);
    parts.channel.addEventListener('message', ({data}) => void this.hear(data));
  }

  readonly state = (): SessionState => this.current;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Asks who is signed in. A 401 anywhere leads here, too: another tab may have signed in meanwhile. */
  ask(): Promise<void> {
    this.asking ??= this.askOnce().finally(() => (this.asking = null));
    return this.asking;
  }

  async signIn(body: Schemas['LoginBody']): Promise<void> {
    const {data} = await take(this.wire, this.api.POST('/api/auth/login', {body}));
    await this.enter(data.user, data.organizations);
  }

  async register(body: Schemas['RegisterBody']): Promise<void> {
    const {data} = await take(this.wire, this.api.POST('/api/auth/register', {body}));
    await this.enter(data.user, data.organizations);
  }

  /** Accepts an invitation, as who is signed in or with a new account; gives back the organization. */
  async join(body: Schemas['JoinOrganizationBody']): Promise<string> {
    const {data} = await take(this.wire, this.api.POST('/api/auth/join-organization', {body}));
    await this.ask();
    this.parts.channel.postMessage({kind: 'signed in'});
    return data.organization.uniqueId;
  }

  /** What the browser keeps goes first: it must not stay because the network is away. */
  async signOut(): Promise<void> {
    this.become({kind: 'asking'});
    await this.leave();
    try {
      await take(this.wire, this.api.POST('/api/auth/logout'));
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status !== 401) this.become({kind: 'unreachable', problem: error});  // the cookie is still there
      if (error.status !== 401) throw error;
    }
    this.parts.channel.postMessage({kind: 'signed out'});
    this.become({kind: 'signed out', isExpired: false});
  }

  private async askOnce(): Promise<void> {
    try {
      const {data} = await take(this.wire, this.api.GET('/api/user'));
      await this.enter(data.user, data.organizations, false);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status === 401) this.become({kind: 'signed out', isExpired: this.isExpired()});
      else if (this.current.kind === 'asking' || this.current.kind === 'unreachable')
        this.become({kind: 'unreachable', problem: error});
    }
  }

  /** What one person left here, the next one must not see, nor send. */
  private async enter(user: User, organizations: readonly Membership[], tells = true): Promise<void> {
    const known = this.parts.storage.getItem(kPerson);
    if (known !== null && known !== user.uniqueId) await this.parts.forget();
    this.parts.storage.setItem(kPerson, user.uniqueId);
    if (tells) this.parts.channel.postMessage({kind: 'signed in'});
    this.become({kind: 'signed in', user, organizations});
  }

  private async hear(told: unknown): Promise<void> {
    const {kind} = told as {kind?: string};
    if (kind === 'signed in') await this.ask();
    if (kind !== 'signed out') return;
    this.become({kind: 'signed out', isExpired: false});
    await this.leave();
  }

  private async leave(): Promise<void> {
    this.parts.storage.removeItem(kPerson);
    await this.parts.forget();
  }

  private isExpired(): boolean {
    return this.current.kind === 'signed in' || (this.current.kind === 'signed out' && this.current.isExpired);
  }

  private become(state: SessionState): void {
    this.current = state;
    for (const listener of this.listeners) listener();
  }
}

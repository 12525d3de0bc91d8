import type {components} from '#schema';
import {connect, take, type Api, type Wire} from '../api/client.ts';
import {ApiProblem} from '../api/problem.ts';
import {Listeners} from '../listeners.ts';
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
  readonly wire: Omit<Wire, 'onExpired' | 'onRefused' | 'isOver'>;
  readonly channel: Channel;
  /** localStorage. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Removes what this browser keeps of a person: drafts, sends, positions; the cache of this tab. */
  readonly forget: () => Promise<void>;
  /** The cache of this tab alone. */
  readonly forgetHere: () => void;
}

/** Where it is kept whose data this browser holds. */
export const kPerson = 'parley.person';

/** Who is signed in, in all tabs alike. The cookie is the session: no script has its token. */
export class Session {
  readonly wire: Wire;
  readonly api: Api;
  private current: SessionState = {kind: 'asking'};
  private asking: {readonly turn: number; readonly done: Promise<void>} | null = null;
  /** Grows when somebody signs in or out: what was asked for before does not hold any more. */
  private turn = 0;
  /** Whose data this tab has in its cache. */
  private here: string | null = null;
  private readonly listeners = new Listeners();

  constructor(private readonly parts: SessionParts) {
    this.wire = {...parts.wire, onExpired: () => void this.ask(), onRefused: () => {}, isOver: () => false};
    this.api = connect(this.wire, null);
    parts.channel.addEventListener('message', ({data}) => void this.hear(data));
  }

  readonly state = (): SessionState => this.current;
  readonly subscribe = this.listeners.subscribe;

  /** For calls of this person alone. What this browser holds says who is signed in also where another tab knows it first. */
  wireOf(userId: string): Wire {
    const isOver = () => this.current.kind === 'signed out' || ![null, userId].includes(this.parts.storage.getItem(kPerson));
    return {...this.wire, isOver};
  }

  /** Asks who is signed in. A 401 anywhere leads here, too: another tab may have signed in meanwhile. */
  ask(): Promise<void> {
    if (this.asking?.turn === this.turn) return this.asking.done;
    const own = {turn: this.turn, done: this.askOnce(this.turn).finally(() => {
      if (this.asking === own) this.asking = null;
    })};
    this.asking = own;
    return own.done;
  }

  async signIn(body: Schemas['LoginBody']): Promise<void> {
    const {data} = await take(this.wire, this.api.POST('/api/auth/login', {body}));
    await this.signedIn(data.user, data.organizations);
  }

  async register(body: Schemas['RegisterBody']): Promise<void> {
    const {data} = await take(this.wire, this.api.POST('/api/auth/register', {body}));
    await this.signedIn(data.user, data.organizations);
  }

  /** Accepts an invitation, as who is signed in or with a new account; gives back the organization. */
  async join(body: Schemas['JoinOrganizationBody']): Promise<string> {
    const {data} = await take(this.wire, this.api.POST('/api/auth/join-organization', {body}));
    ++this.turn;
    await this.ask();
    this.parts.channel.postMessage({kind: 'signed in'});
    return data.organization.uniqueId;
  }

  /** What the browser keeps goes first: it must not stay because the network is away. */
  async signOut(): Promise<void> {
    ++this.turn;
    const person = this.parts.storage.getItem(kPerson);
    this.become({kind: 'asking'});
    await this.leave();
    try {
      await take(this.wire, this.api.POST('/api/auth/logout'));
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (error.status !== 401) {  // the cookie is still there, and other tabs go on by it
        if (person !== null) this.parts.storage.setItem(kPerson, person);
        this.become({kind: 'unreachable', problem: error});
        throw error;
      }
    }
    this.parts.channel.postMessage({kind: 'signed out'});
    this.become({kind: 'signed out', isExpired: false});
  }

  private async askOnce(turn: number): Promise<void> {
    try {
      const {data} = await take(this.wire, this.api.GET('/api/user'));
      if (turn === this.turn) await this.enter(data.user, data.organizations);
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      if (turn !== this.turn) return;
      if (error.status === 401) this.become({kind: 'signed out', isExpired: this.isExpired()});
      else if (this.current.kind === 'asking' || this.current.kind === 'unreachable')
        this.become({kind: 'unreachable', problem: error});
    }
  }

  private async signedIn(user: User, organizations: readonly Membership[]): Promise<void> {
    ++this.turn;
    await this.enter(user, organizations);
    this.parts.channel.postMessage({kind: 'signed in'});
  }

  /** What one person left here, the next one must not see, nor send. */
  private async enter(user: User, organizations: readonly Membership[]): Promise<void> {
    const known = this.parts.storage.getItem(kPerson);
    if (known !== null && known !== user.uniqueId) await this.forget();
    if (this.here !== null && this.here !== user.uniqueId) this.parts.forgetHere();
    this.here = user.uniqueId;
    this.parts.storage.setItem(kPerson, user.uniqueId);
    this.become({kind: 'signed in', user, organizations});
  }

  private async hear(told: unknown): Promise<void> {
    const {kind} = (told ?? {}) as {kind?: unknown};
    if (kind !== 'signed in' && kind !== 'signed out') return;
    ++this.turn;
    if (kind === 'signed in') return this.ask();
    // A tab that was frozen hears it late: somebody has perhaps signed in since, and what is kept is theirs.
    const isOver = this.parts.storage.getItem(kPerson) === null;
    this.become(isOver ? {kind: 'signed out', isExpired: false} : {kind: 'asking'});
    if (!isOver) await this.ask();
    if (this.current.kind === 'signed out') await this.leave();
  }

  private async leave(): Promise<void> {
    this.parts.storage.removeItem(kPerson);
    await this.forget();
  }

  /** Nobody is kept from signing in or out by a database that fails. Of what stays there each has their own. */
  private async forget(): Promise<void> {
    await this.parts.forget().catch(() => undefined);
  }

  private isExpired(): boolean {
    return this.current.kind === 'signed in' || (this.current.kind === 'signed out' && this.current.isExpired);
  }

  private become(state: SessionState): void {
    this.current = state;
    this.listeners.tell();
  }
}

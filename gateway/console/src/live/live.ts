import {Listeners} from '../listeners.ts';
import type {Channel} from '../session/channel.ts';
import {lead, type Locks, type Visibility} from './leader.ts';
import {isTold, Place, type LiveEvent, type Told} from './relay.ts';
import type {Pump} from './pump.ts';
import type {Block} from './sse.ts';
import {follow, type StreamState, type World} from './stream.ts';

type Message = {kind: 'told'; told: Told[]} | {kind: 'state'; state: StreamState} | {kind: 'hello'};

export interface LiveParts {
  /** Of the person and the organization: `parley.place.USER.ORGANIZATION`. */
  readonly name: string;
  readonly locks: Locks;
  readonly tab: Visibility;
  readonly world: World;
  readonly channel: Channel;
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
  readonly pump: Pick<Pump, 'add' | 'reload'>;
  readonly open: (last: string | null, signal: AbortSignal) => Promise<Response>;
  readonly onExpired: () => void;
  readonly onEndedEarly: () => void;
}

export const kPlacePrefix = 'parley.place.';

/** The events of an organization in this tab, whichever tab reads them. */
export class Live {
  private readonly place = new Place(null);
  private order = 0;
  private current: StreamState = {kind: 'connecting'};
  private isLeader = false;
  private readonly listeners = new Listeners();

  constructor(private readonly parts: LiveParts) {}

  readonly state = (): StreamState => this.current;
  readonly subscribe = this.listeners.subscribe;

  async run(signal: AbortSignal): Promise<void> {
    const {channel, locks, tab, name} = this.parts;
    channel.addEventListener('message', ({data}) => signal.aborted || this.receive(data));
    this.tell({kind: 'hello'});
    await lead(locks, tab, name, signal, (own) => this.read(own));
  }

  /** Goes on from this tab's own place: what others heard since comes once more, and what a frozen tab missed does, too. */
  private async read(signal: AbortSignal): Promise<void> {
    this.isLeader = true;
    const stored = this.stored();
    this.order = Math.max(this.order, stored?.order ?? 0);
    let last = this.place.id ?? stored?.id ?? null;
    try {
      await follow(this.parts.world, {
        open: this.parts.open,
        state: (state) => signal.aborted || this.become(state, true),
        endedEarly: this.parts.onEndedEarly,
        expired: this.parts.onExpired,
        told: (blocks) => {
          const told = blocks.map((block) => {
            const next = this.number(block, last);
            last = next.id ?? last;
            return next;
          });
          this.pass(told, last);
        },
      }, last, signal);
    } finally {
      this.isLeader = false;
    }
  }

  private number(block: Block, after: string | null): Told {
    this.order = Math.max(this.order + 1, this.parts.world.now());
    return {id: block.id, after, order: this.order, event: parsed(block.data)};
  }

  /** First to the others, then the place is kept: a crash between the two repeats, and misses nothing. */
  private pass(told: Told[], last: string | null): void {
    this.tell({kind: 'told', told});
    if (last !== null && (this.stored()?.order ?? 0) <= this.order)
      this.parts.storage.setItem(this.parts.name, JSON.stringify({id: last, order: this.order}));
    this.hear(told);
  }

  private hear(told: readonly Told[]): void {
    for (const each of told) {
      this.order = Math.max(this.order, each.order);
      const heard = this.place.hear(each);
      if (heard === 'gap') this.parts.pump.reload();
      if (heard !== 'skip' && each.event) this.parts.pump.add(each.event, each.order);
    }
  }

  private receive(data: unknown): void {
    const message = (data ?? {}) as Partial<{kind: unknown; told: unknown; state: StreamState}>;
    if (message.kind === 'told' && Array.isArray(message.told) && message.told.every(isTold)) this.hear(message.told);
    else if (message.kind === 'told') this.parts.pump.reload();  // a tab of another build says more than is understood here
    // What one says whose lock was just taken is over.
    if (message.kind === 'state' && message.state && !this.isLeader) this.become(message.state, false);
    if (message.kind === 'hello' && this.isLeader) this.tell({kind: 'state', state: this.current});
  }

  private become(state: StreamState, isMine: boolean): void {
    this.current = state;
    if (isMine) this.tell({kind: 'state', state});
    this.listeners.tell();
  }

  private tell(message: Message): void {
    this.parts.channel.postMessage(message);
  }

  private stored(): {id: string; order: number} | null {
    const stored = parsed<{id: string; order: number}>(this.parts.storage.getItem(this.parts.name) ?? '');
    return typeof stored?.id === 'string' && Number.isFinite(stored.order) ? stored : null;
  }
}

function parsed<T extends LiveEvent | {id: string; order: number}>(text: string): T | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

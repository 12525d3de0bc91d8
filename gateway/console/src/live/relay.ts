import type {components} from '#schema';

export type LiveEvent = components['schemas']['EventPayload'];

/** An event as tabs pass it on. */
export interface Told {
  /** Its place in the stream; null for what has none, such as presence. */
  readonly id: string | null;
  /** The place before it: who was not there misses something. Null where a stream begins without a place. */
  readonly after: string | null;
  /** Grows with each event, in whichever tab it is read. */
  readonly order: number;
  /** null: the stream has only come further. */
  readonly event: LiveEvent | null;
}

/** Whether it is what tabs of this build pass on: one of another build may be open, too. */
export function isTold(data: unknown): data is Told {
  const {id, after, order, event} = (data ?? {}) as Partial<Told>;
  const isPlace = (place: unknown) => place === null || typeof place === 'string';
  return isPlace(id) && isPlace(after) && Number.isFinite(order) && (event === null || typeof event?.type === 'string');
}

const kRemembered = 5000;

/**
 * Where a tab is in the stream. It may be told by one tab and then by another one, which begins a little before: each
 * event is taken once, and it shows when one was missed.
 */
export class Place {
  private seen = new Set<string>();
  private before = new Set<string>();

  constructor(private last: string | null) {}

  get id(): string | null {
    return this.last;
  }

  hear(told: Told): 'take' | 'skip' | 'gap' {
    if (told.id === null) return 'take';
    const isNext = told.after !== null && (this.last === null || told.after === this.last);
    if (!isNext && (this.seen.has(told.id) || this.before.has(told.id))) return 'skip';
    this.last = told.id;
    if (this.seen.size >= kRemembered) [this.before, this.seen] = [this.seen, new Set()];
    this.seen.add(told.id);
    return isNext ? 'take' : 'gap';
  }
}

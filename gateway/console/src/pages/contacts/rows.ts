import {Listeners} from '../../listeners.ts';

/**
 * The rows of a list of which only those in view are loaded. The API skips up to 10,000 records at once, from the beginning,
 * from the end in the other order, or from a cursor: so to a distant place, by steps, from the nearest one that is known.
 */

export interface LoadedPage {
  readonly ids: readonly string[];
  readonly next: string | null;
  readonly total: number | null;
}

/** Which page is asked for: behind so many records, of those behind a cursor, in the list's order or the reverse of it. */
export interface Ask {
  readonly isReversed: boolean;
  readonly skip: number;
  readonly cursor?: string;
  /** Only the cursor behind the next record is wanted. */
  readonly isOnTheWay?: boolean;
}

export type LoadPage = (ask: Ask, signal: AbortSignal) => Promise<LoadedPage>;

export interface Step {
  readonly ask: Ask;
  /** The place of the page's first record in the order that it is asked for in. */
  readonly at: number;
  /** How many records are before what is wanted, by this way. */
  readonly skipped: number;
}

export const kRowsPerPage = 100;
const kMostSkipped = 10_000;
/** Rows beyond those in view that are loaded, too: more where the scroll goes to. */
const kAhead = {onward: 100, behind: 40};
const kPatience = 1000;  // milliseconds

export class Rows {
  total = 0;
  isBegun = false;
  /** There are fewer rows than there were when it began: it must begin anew. */
  isShorter = false;
  problem: unknown = null;
  /** The total that it began with, and the last one that was too large: where that is told again, there are as many as are found. */
  private told = 0;
  private refuted: number | null = null;
  private readonly ids = new Map<number, string>();
  /** Rows that are shown as they were until they have been asked for again. */
  private stale = new Set<number>();
  private readonly cursors = {ahead: new Map<number, string>(), back: new Map<number, string>()};
  private wanted: readonly [number, number] = [0, 0];
  /** Of the last scroll: towards the end, towards the beginning, or neither. */
  private direction = 0;
  private running: {step: Step; abort: AbortController; isLeft: boolean} | null = null;
  private isHeld = true;
  private readonly listeners = new Listeners();
  private version = 0;

  constructor(
    private readonly load: LoadPage,
    /** Whether what belongs to an id is still there: it may have been forgotten. */
    private readonly isKnown: (id: string) => boolean = () => true,
  ) {}

  readonly subscribe = this.listeners.subscribe;
  readonly snapshot = (): number => this.version;

  /** Begins anew from a first page that is there already. Rows stay until others come in their place. */
  begin(first: LoadedPage): void {
    this.stop();
    this.problem = null;
    this.isShorter = false;
    this.isBegun = true;
    this.told = first.total ?? first.ids.length;
    this.become(this.told);
    this.cursors.ahead.clear();
    this.cursors.back.clear();
    this.place({ask: {isReversed: false, skip: 0}, at: 0, skipped: 0}, first);
    this.changed();
    this.pump();
  }

  id(row: number): string | undefined {
    return this.ids.get(row);
  }

  /** The ids that are known from one row to another, both included. */
  between(a: number, b: number): string[] {
    const found: string[] = [];
    for (let row = Math.min(a, b); row <= Math.max(a, b); ++row) {
      const id = this.ids.get(row);
      if (id !== undefined) found.push(id);
    }
    return found;
  }

  /** A row is asked for again: something about it is another than it was. */
  outdate(id: string): void {
    const [from, to] = this.near();
    for (let row = from; row < to; ++row) if (this.ids.get(row) === id) this.stale.add(row);
    this.pump();
  }

  /**
   * Says which rows are in view. One page at a time is asked for, and what is on its way for others is let come: the service
   * answers even who has gone, and a quick scroll would ask for more than it has room for. It is given up where it takes long.
   */
  want(from: number, to: number): void {
    if (from === this.wanted[0] && to === this.wanted[1]) return;
    this.direction = this.wanted[1] === 0 ? 0 : Math.sign(from - this.wanted[0]);
    this.wanted = [from, to];
    this.problem = null;
    const {running} = this;
    if (running && !running.isLeft && !this.leadsOn(running.step)) {
      running.isLeft = true;
      setTimeout(() => {
        if (this.running !== running || this.leadsOn(running.step)) return;
        this.stop();
        this.pump();
      }, kPatience);
    }
    this.pump();
  }

  hold(): void {
    this.isHeld = true;
    this.stop();
  }
  release(): void {
    this.isHeld = false;
    this.pump();
  }
  retry(): void {
    this.problem = null;
    this.changed();
    this.pump();
  }

  private stop(): void {
    this.running?.abort.abort();
    this.running = null;
  }

  private isLacking(row: number): boolean {
    const id = this.ids.get(row);
    return id === undefined || this.stale.has(row) || !this.isKnown(id);
  }

  /** The list may have become shorter than what is in view. */
  private inView(): [from: number, to: number] {
    const [from, to] = this.wanted;
    return [Math.min(from, this.total), Math.min(to, this.total)];
  }

  /** From which row to which one rows are loaded: those in view, and those that come into view next. */
  private near(): [from: number, to: number] {
    const [from, to] = this.inView();
    const beyond = (direction: number) => (this.direction === direction ? kAhead.onward : kAhead.behind);
    return [Math.max(0, from - beyond(-1)), Math.min(this.total, to + beyond(1))];
  }

  /** The next page to ask for, null if all that is wanted is there. */
  next(): Step | null {
    const [from, to] = this.inView();
    const [first, end] = this.near();
    const [onward, before] = [[to, end], [first, from]] as const;
    for (const [a, b] of [[from, to], ...(this.direction < 0 ? [before, onward] : [onward, before])] as const)
      for (let row = a; row < b; ++row) if (this.isLacking(row)) return this.stepTo(row);
    return null;
  }

  private leadsOn({at, ask: {isReversed}}: Step): boolean {
    const next = this.next();
    return next?.at === at && next.ask.isReversed === isReversed;
  }

  private stepTo(row: number): Step {
    const ahead = this.towards(row, false);
    if (!ahead.ask.isOnTheWay) return ahead;
    const back = this.towards(this.total - 1 - row, true);
    return back.skipped < ahead.skipped ? back : ahead;
  }

  /** The first step to a record in one of both orders, from the nearest cursor before it. */
  private towards(place: number, isReversed: boolean): Step {
    let begin = 0;
    let cursor: string | undefined;
    for (const [behind, known] of isReversed ? this.cursors.back : this.cursors.ahead)
      if (behind <= place && behind > begin) [begin, cursor] = [behind, known];
    const skipped = Math.floor((place - begin) / kRowsPerPage) * kRowsPerPage;
    const isFar = skipped > kMostSkipped;
    const skip = isFar ? kMostSkipped - 1 : skipped;  // the cursor is behind the one record that is asked for
    return {at: begin + skip, skipped, ask: {isReversed, skip, ...(cursor !== undefined && {cursor}), ...(isFar && {isOnTheWay: true})}};
  }

  private pump(): void {
    if (this.running || this.isHeld || this.isShorter || this.problem) return;
    const step = this.next();
    if (!step) return;
    const running = {step, abort: new AbortController(), isLeft: false};
    this.running = running;
    this.load(step.ask, running.abort.signal).then(
      (page) => {
        if (this.running !== running) return;
        this.running = null;
        // Some were deleted meanwhile, or the total is wrong. Asking for those that are not there would never end, nor would
        // beginning anew with the same total.
        const end = step.at + page.ids.length;
        const isPast = page.next === null && end < this.total;
        this.isShorter = isPast && this.told !== this.refuted;
        if (isPast && !this.isShorter) this.become(end);
        if (isPast) this.refuted = this.told;
        this.place(step, page);
        if (!step.ask.isOnTheWay || isPast) this.changed();
        this.pump();
      },
      (error: unknown) => {
        if (this.running !== running) return;
        this.running = null;
        if (!this.leadsOn(step)) return this.pump(); // nobody looks there any more
        this.problem = error;
        this.changed();
      },
    );
  }

  /** With another total each row may be another, too. */
  private become(total: number): void {
    this.total = total;
    for (const row of this.ids.keys()) if (row >= total) this.ids.delete(row);
    this.stale = new Set(this.ids.keys());
  }

  private place({ask, at}: Step, page: LoadedPage): void {
    page.ids.forEach((id, index) => {
      const row = ask.isReversed ? this.total - 1 - at - index : at + index;
      if (row < 0) return;
      this.ids.set(row, id);
      this.stale.delete(row);
    });
    if (page.next) this.cursors[ask.isReversed ? 'back' : 'ahead'].set(at + page.ids.length, page.next);
  }

  private changed(): void {
    ++this.version;
    this.listeners.tell();
  }
}

import {notifyManager} from '@tanstack/react-query';
import type {Kind, Message} from '../api/entities.ts';
import type {Store} from '../api/store.ts';
import {apply, type Target} from './apply.ts';
import type {LiveEvent} from './relay.ts';

const kStalePause = 1000;
const kMostWaiting = 10_000;  // a tab that is put to sleep hears, and shows nothing
const kLongestFlush = 8;
const kSweepsAfter = 500;
/** What costs more, or is told a moment later, is asked for less often. */
const kPauses: Readonly<Record<string, number>> = {awaiting: 3000, figures: 10_000};

export interface PumpParts {
  readonly store: Store;
  readonly now: () => number;
  /** Calls back before the next frame; in a hidden tab, which has none, soon. */
  readonly frame: (callback: () => void) => void;
  readonly later: (callback: () => void, milliseconds: number) => void;
  readonly heard: (message: Message) => void;
}

/** Applies events to the cache, all that came together once a frame: what shows them renders once. */
export class Pump {
  private waiting: {event: LiveEvent; order: number}[] = [];
  private isDue = false;
  private applied = 0;
  /** What is to be asked for again, by how long it waits for more of the same. */
  private readonly stale = new Map<number, Map<string, () => void>>();

  private readonly target: Target;

  constructor(private readonly parts: PumpParts) {
    const {store, heard} = parts;
    this.target = {
      store,
      heard,
      stale: (kind: Kind, id: string) => {
        if (store.isAsked(kind, id)) this.refreshLater(kind + '/' + id, () => store.stale(kind, id));
      },
      stalePart: (...name) => this.refreshLater(name.join('/'), () => store.stalePart(...name), kPauses[String(name[0])]),
      reset: () => this.reload(),
    };
  }

  add(event: LiveEvent, order: number): void {
    if (this.waiting.length === kMostWaiting) {
      this.waiting = [];
      this.reload();
    }
    this.waiting.push({event, order});
    this.flushSoon();
  }

  /** Something was missed: all that is shown is loaded anew. */
  reload(): void {
    this.refreshLater('all', () => void this.parts.store.reload());
  }

  private flushSoon(): void {
    if (this.isDue) return;
    this.isDue = true;
    this.parts.frame(() => this.flush());
  }

  /** As much as a frame has time for: after an hour away there may be thousands. */
  private flush(): void {
    this.isDue = false;
    const {now, store} = this.parts;
    const until = now() + kLongestFlush;
    let done = 0;
    notifyManager.batch(() => {
      while (done < this.waiting.length && (done === 0 || now() < until)) this.apply(this.waiting[done++]!);
    });
    this.waiting = this.waiting.slice(done);
    if (this.waiting.length > 0) this.flushSoon();
    this.applied += done;
    if (this.applied < kSweepsAfter) return;
    this.applied = 0;
    store.sweep();
  }

  private apply({event, order}: {event: LiveEvent; order: number}): void {
    try {
      apply(this.target, event, order, this.parts.now());
    } catch {
      this.reload();  // an event of a newer gateway, which is not understood: the others hold all the same
    }
  }

  /** What many events touch is asked for once, a moment later. */
  private refreshLater(name: string, refresh: () => void, pause = kStalePause): void {
    const waiting = this.stale.get(pause);
    if (waiting) return void waiting.set(name, refresh);
    this.stale.set(pause, new Map([[name, refresh]]));
    this.parts.later(() => this.refresh(pause), pause);
  }

  private refresh(pause: number): void {
    const all = this.stale.get(pause) ?? new Map<string, () => void>();
    this.stale.delete(pause);
    if (all.has('all')) all.get('all')?.();  // the rest is in it
    else for (const refresh of all.values()) refresh();
  }
}

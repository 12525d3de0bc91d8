import {retryAtOf} from '../api/problem.ts';
import {SseParser, type Block} from './sse.ts';

export type StreamState =
  | {readonly kind: 'connecting'}
  | {readonly kind: 'open'}
  | {readonly kind: 'offline'}
  | {readonly kind: 'waiting'; readonly until: number}
  /** Nobody is signed in, none of its permissions is held, or the organization requires a second factor. */
  | {readonly kind: 'refused'; readonly until: number};

/** What a stream needs of the world; tests have their own. */
export interface World {
  now(): number;
  /** Ends early, without an error, when `signal` aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  random(): number;
  isOnline(): boolean;
  /** Resolves when the network is back, or `signal` aborts. */
  online(signal: AbortSignal): Promise<void>;
}

export interface Ears {
  open(last: string | null, signal: AbortSignal): Promise<Response>;
  told(blocks: Block[]): void;
  state(state: StreamState): void;
  /** The server ended it before its time: it was restarted, or permissions are other ones. */
  endedEarly(): void;
  /** The session is over. */
  expired(): void;
}

export const kQuiet = 35_000;  // two comments of the server that did not come: it is gone, or this computer slept
export const kWhole = 900_000;  // after which a stream ends by itself
const kSettled = 5_000;
const kLongestPause = 30_000;
const kRefused = 30_000;
const kLongestAsked = 300_000;  // whatever a proxy says

type End = 'whole' | 'early' | 'broken' | 'quiet';

/** Follows the stream of events from `last` on until `signal` aborts. */
export async function follow(world: World, ears: Ears, last: string | null, signal: AbortSignal): Promise<void> {
  let failures = 0;
  let refusals = 0;
  let pause = 2000;
  while (!signal.aborted) {
    if (!world.isOnline()) {
      ears.state({kind: 'offline'});
      await world.online(signal);
      continue;
    }
    ears.state({kind: 'connecting'});
    const answer = await open(world, ears, last, signal);
    if (signal.aborted) break;
    if (answer?.status === 401 || answer?.status === 403) {
      if (answer.status === 401) ears.expired();
      else ears.endedEarly();
      const refused = Math.min(kLongestAsked, kRefused * 2 ** refusals++);
      ears.state({kind: 'refused', until: world.now() + refused});
      await world.sleep(refused, signal);
      continue;
    }
    // A network that wants to be signed in to answers, too.
    if (!answer?.ok || !answer.body || !answer.headers.get('Content-Type')?.startsWith('text/event-stream')) {
      const asked = answer ? (retryAtOf(answer.headers, world.now()) ?? 0) - world.now() : 0;
      const backoff = world.random() * Math.min(kLongestPause, pause * 2 ** failures++);
      await wait(Math.min(kLongestAsked, Math.max(0, asked)) + backoff);
      continue;
    }
    refusals = 0;
    const opened = world.now();
    ears.state({kind: 'open'});
    const parser = new SseParser();
    const end = await read(world, answer.body, signal, opened, (text) => {
      const blocks = parser.feed(text);
      last = blocks.findLast((block) => block.id !== null)?.id ?? last;
      pause = parser.retry ?? pause;
      if (blocks.length > 0) ears.told(blocks);
    });
    if (signal.aborted) break;
    if (end === 'early') ears.endedEarly();
    failures = world.now() - opened < kSettled ? failures + 1 : 0;
    // Who slept goes on at once; whom a restart sent away all at once come back one after the other.
    if (end !== 'quiet' || failures > 0) await wait(world.random() * Math.min(kLongestPause, 1000 * 2 ** failures));
  }

  async function wait(milliseconds: number): Promise<void> {
    ears.state({kind: 'waiting', until: world.now() + milliseconds});
    await world.sleep(milliseconds, signal);
  }
}

/** Null if no answer came, or not in time. The time is not for the body. */
async function open(world: World, ears: Ears, last: string | null, signal: AbortSignal): Promise<Response | null> {
  const late = new AbortController();
  const came = new AbortController();
  void world.sleep(kQuiet, came.signal).then(() => came.signal.aborted || late.abort());
  try {
    return await ears.open(last, AbortSignal.any([signal, late.signal]));
  } catch {
    return null;
  } finally {
    came.abort();
  }
}

/** Reads until the stream ends, or is quiet for too long. */
async function read(world: World, body: ReadableStream<Uint8Array>, signal: AbortSignal, opened: number,
                    take: (text: string) => void): Promise<End> {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let heard = opened;
  const watch = (async () => {
    while (!until.aborted && world.now() - heard < kQuiet) await world.sleep(kQuiet - (world.now() - heard), until);
    await reader.cancel().catch(() => undefined);  // closes the connection
  })();
  try {
    for (;;) {
      const piece = await reader.read();
      if (world.now() - heard >= kQuiet) return 'quiet';
      if (piece.done) return world.now() - opened < kWhole - 1000 ? 'early' : 'whole';
      heard = world.now();
      take(decoder.decode(piece.value, {stream: true}));
    }
  } catch {
    return 'broken';
  } finally {
    over.abort();
    await watch;
  }
}

// What is tried again, when, and until when.
import type { ProblemError } from "./problem.js";

const firstPauseMs = 250;
const longestPauseMs = 8_000;

/** A moment after which a call gives up, and the caller's own signal. Call `end` when it is over. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #at: number;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.#caller?.reason);
  #isHandedOver = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#at = performance.now() + timeoutMs;
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError"));
    }, timeoutMs);
    if (caller?.aborted) this.#onAbort();
    caller?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get leftMs(): number {
    return this.#at - performance.now();
  }

  /** What is still to be read is the caller's: no time limit from here on, but the caller's signal counts, after `end` too. */
  handOver(): void {
    clearTimeout(this.#timer);
    this.#isHandedOver = true;
  }

  end(): void {
    clearTimeout(this.#timer);
    if (!this.#isHandedOver) this.#caller?.removeEventListener("abort", this.#onAbort);
  }
}

/** Whether an answer invites to send the same again. `isSafe`: done twice it takes effect once. */
export function isTemporary(problem: ProblemError, isSafe: boolean): boolean {
  switch (problem.status) {
    case 429:
    case 503:
      return true;
    case 502:
    case 504:
      return isSafe;
    case 409: // an earlier attempt with the same key is in progress
      return isSafe && problem.retryAfter !== undefined;
    default:
      return false;
  }
}

/** Milliseconds before attempt number `attempt` (from 1) is followed by the next. */
export function pauseMs(attempt: number, retryAfter: number | undefined): number {
  const most = Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1));
  const random = Math.random() * most;
  return retryAfter === undefined ? random : retryAfter * 1000 + Math.min(random, 250);
}

/** Waits; ends at once, by throwing the signal's reason, when that is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

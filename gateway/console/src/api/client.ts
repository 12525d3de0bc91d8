import createClient, {type Client} from 'openapi-fetch';
import type {paths} from '#schema';
import {ApiProblem, problemOf, type Versioned} from './problem.ts';

export type Context = 'contacts' | 'conversations' | 'organizations' | 'analytics' | 'channel';

/** What came, what of it is unknown because a context could not be reached, and the version for `If-Match`. */
export interface Answer<T> {
  readonly data: T;
  readonly degraded: readonly Context[];
  readonly version: string | null;
}

/** What the client needs of the world. */
export interface Wire {
  readonly base: string;  // '' in a page
  readonly fetch: (request: Request, init?: RequestInit) => Promise<Response>;
  readonly now: () => number;
  readonly newKey: () => string;
  /** The session is over: a 401 came. */
  readonly onExpired: () => void;
  /** Something is not permitted: a 403 came. */
  readonly onRefused: (problem: ApiProblem) => void;
  /** Somebody else has signed in since: nothing goes out by their cookie, and what comes is not for them. */
  readonly isOver: () => boolean;
}

export type Api = Client<paths>;

const kTimeout = 30_000;
const kFailedPause = 30_000;

/** The API as seen from an organization; `null` for what belongs to the person. */
export function connect(wire: Wire, organization: string | null): Api {
  return createClient<paths>({
    baseUrl: wire.base,
    credentials: 'same-origin',
    fetch: (request) => send(wire, organization, request),
  });
}

/** Makes the request complete. Each thing done has its key, so that what repeats it may not do it twice. */
export async function send(wire: Wire, organization: string | null, request: Request): Promise<Response> {
  if (organization) request.headers.set('X-Organization-Id', organization);
  const changes = request.method === 'POST' || request.method === 'DELETE';
  if (changes && !request.headers.has('Idempotency-Key')) request.headers.set('Idempotency-Key', wire.newKey());
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(kTimeout)]);
  if (wire.isOver()) throw signedOut();
  try {
    return await wire.fetch(request, {signal});
  } catch (error) {
    throw lost(error, request.signal);
  }
}

/** As an abort: who has gone does not want to hear of it. */
export const signedOut = () => new DOMException('signed out', 'AbortError');

/** What became of a call without an answer. Who left does not want to hear of it: the abort passes as it is. */
export function lost(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted || error instanceof ApiProblem) return error;
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError') return error;
  return ApiProblem.noAnswer(name === 'TimeoutError' ? 'timeout' : 'offline');
}

export function degradedOf(headers: Headers): Context[] {
  const names = headers.get('Parley-Degraded')?.split(',') ?? [];
  return names.map((name) => name.trim()).filter(Boolean) as Context[];
}

/** A call of openapi-fetch. */
export type Called<T> = Promise<{data?: T; error?: unknown; response: Response}>;

/** The answer of a call, or its problem thrown. */
export async function take<T>(wire: Wire, call: Called<T>): Promise<Answer<T>> {
  let came: Awaited<Called<T>>;
  try {
    came = await call;
  } catch (error) {
    throw lost(error);  // the body may break off, too
  }
  if (wire.isOver()) throw signedOut();
  const {response} = came;
  if (!response.ok) {
    const problem = problemOf(response, came.error, wire.now());
    if (problem.status === 401 && !response.url.endsWith('/api/auth/login')) wire.onExpired();
    if (problem.status === 403) wire.onRefused(problem);
    throw problem;
  }
  return {data: came.data as T, degraded: degradedOf(response.headers), version: response.headers.get('ETag')};
}

/** A change that names what it changes. After a 412 the problem has what is there now, for a choice between both. */
export async function takeChange<T, R>(change: Promise<T>, read: () => Promise<Versioned<R>>): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 412) error.current = await read().catch(() => null);
    throw error;
  }
}

/** For Query: reads are repeated, and changes too, as they carry a key. A rate is waited for if it is not long. */
export function mayRepeat(count: number, error: unknown, now: number): boolean {
  if (!(error instanceof ApiProblem) || !error.isPassing || error.status === 500) return false;
  return count < 3 && (error.retryAt ?? now) - now <= 60_000;
}

export function pauseBefore(count: number, error: unknown, now: number, random: () => number): number {
  const backoff = random() * Math.min(8000, 500 * 2 ** count);
  const wanted = error instanceof ApiProblem && error.retryAt !== null ? error.retryAt - now : 0;
  return Math.max(0, wanted) + backoff;  // spread, so that not all come back in the same moment
}

/** When what failed, or came in part, is asked for again, so that it becomes whole by itself; false: that would not help. */
export function pauseAfter(error: unknown, degraded: readonly Context[], now: number): number | false {
  if (error instanceof ApiProblem && error.isPassing) return Math.max(kFailedPause, (error.retryAt ?? now) - now);
  return !error && degraded.length > 0 && kFailedPause;
}

import {after} from 'node:test';
import type {components} from '#schema';
import {QueryClient} from '@tanstack/react-query';
import {connect, type Wire} from '../../../gateway/console/src/api/client.ts';
import type {Scope} from '../../../gateway/console/src/api/scope.tsx';
import {Store} from '../../../gateway/console/src/api/store.ts';

type Schemas = components['schemas'];

/** Random numbers that are the same each time (mulberry32). */
export function seeded(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const under = (random: () => number, most: number) => Math.floor(random() * most);

export function shuffled<T>(all: readonly T[], random: () => number): T[] {
  const out = [...all];
  for (let i = out.length - 1; i > 0; --i) {
    const j = under(random, i + 1);
    [out[i], out[j]] = [out[j]!, out[i]!];
  }
  return out;
}

/** Time that passes only when a test says so. */
export class Clock {
  private sleepers = new Set<{until: number; wake: () => void}>();
  constructor(private time = 1_000_000) {}

  readonly now = () => this.time;
  readonly sleep = (milliseconds: number, signal: AbortSignal) => new Promise<void>((resolve) => {
    if (signal.aborted) return resolve();
    const sleeper = {until: this.time + Math.max(0, milliseconds), wake: () => {
      this.sleepers.delete(sleeper);
      signal.removeEventListener('abort', sleeper.wake);
      resolve();
    }};
    this.sleepers.add(sleeper);
    signal.addEventListener('abort', sleeper.wake);
  });

  /** Lets time pass, with everybody woken at their moment. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    for (;;) {
      await settled();
      const due = [...this.sleepers].filter((each) => each.until <= end).sort((a, b) => a.until - b.until)[0];
      if (!due) break;
      this.time = Math.max(this.time, due.until);
      due.wake();
    }
    this.time = end;
    await settled();
  }

  /** The computer sleeps: time passes, and nobody is woken until its end. */
  async freeze(milliseconds: number): Promise<void> {
    this.time += milliseconds;
    await this.pass(0);
  }
}

/** All that can go on without time passing has gone on. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; ++i) await new Promise((resolve) => setImmediate(resolve));
}

/** Channels of one browser: each speaks to all others of its name, a moment later and in order. */
export class Channels {
  private all: {name: string; listeners: ((event: {data: unknown}) => void)[]}[] = [];
  open(name: string) {
    const own = {name, listeners: [] as ((event: {data: unknown}) => void)[]};
    this.all.push(own);
    return {
      postMessage: (message: unknown) => {
        const data = structuredClone(message);
        for (const other of this.all)
          if (other !== own && other.name === name) queueMicrotask(() => other.listeners.forEach((each) => each({data})));
      },
      addEventListener: (_type: 'message', listener: (event: {data: unknown}) => void) => void own.listeners.push(listener),
      close: () => void (this.all = this.all.filter((each) => each !== own)),
    };
  }
}

/** Web Locks of one browser. */
export class FakeLocks {
  private held = new Map<string, {lose: () => void}>();
  private queue: {name: string; grant: () => void}[] = [];

  request = (name: string, options: {steal?: boolean; signal?: AbortSignal}, work: () => Promise<void>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const refuse = () => reject(new DOMException('', 'AbortError'));
      const grant = () => {
        const own = {lose: refuse};
        this.held.set(name, own);
        const release = () => {
          if (this.held.get(name) !== own) return;
          this.held.delete(name);
          const at = this.queue.findIndex((each) => each.name === name);
          if (at >= 0) this.queue.splice(at, 1)[0]!.grant();
        };
        work().then((value) => {
          release();
          resolve(value);
        }, (error: unknown) => {
          release();
          reject(error);
        });
      };
      if (options.steal) {
        this.held.get(name)?.lose();
        return grant();
      }
      if (!this.held.has(name)) return grant();
      const waiting = {name, grant};
      this.queue.push(waiting);
      options.signal?.addEventListener('abort', () => {
        const at = this.queue.indexOf(waiting);
        if (at >= 0) this.queue.splice(at, 1);
        if (at >= 0) refuse();
      });
    });

  /** The tab that holds it crashes: its work is as if it never came back. */
  crash(name: string): void {
    this.held.delete(name);
    const at = this.queue.findIndex((each) => each.name === name);
    if (at >= 0) this.queue.splice(at, 1)[0]!.grant();
  }
}

export class FakeStorage {
  private readonly all = new Map<string, string>();
  getItem = (name: string) => this.all.get(name) ?? null;
  setItem = (name: string, value: string) => void this.all.set(name, value);
  removeItem = (name: string) => void this.all.delete(name);
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  return new Response(status === 204 ? null : JSON.stringify(body), {status, headers: {'Content-Type': type, ...headers}});
}

export function problem(status: number, rest: Partial<Schemas['Problem']> = {}, headers: Record<string, string> = {}): Response {
  return json({type: 'about:blank', title: 'Title', status, detail: 'Detail', instance: '/', requestId: 'r-1', errors: [], ...rest},
    status, headers);
}

export const kOrganization = '01949c30-1111-7222-8333-c1f59cd3847c';

// What is cached has timers, which the process would wait for.
const caches: QueryClient[] = [];
after(() => caches.forEach((each) => each.clear()));

/** A wire whose requests are kept, and answered by `answer`. */
export function wired(answer: (request: Request) => Response | Promise<Response>) {
  const requests: Request[] = [];
  let keys = 0;
  const wire: Wire & {expired: number; refused: number; over: boolean} = {
    base: 'http://console.test',
    expired: 0,
    refused: 0,
    over: false,
    fetch: async (request, init) => {
      requests.push(request.clone());
      const signal = init?.signal;
      return Promise.race([
        Promise.resolve().then(() => answer(request)),
        new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      ]);
    },
    now: () => 1_000_000,
    newKey: () => `key-${++keys}`,
    onExpired: () => ++wire.expired,
    onRefused: () => ++wire.refused,
    isOver: () => wire.over,
  };
  const queries = new QueryClient({defaultOptions: {queries: {retry: false, staleTime: Infinity, gcTime: Infinity}}});
  caches.push(queries);
  const scope: Scope = {
    organization: kOrganization, userId: 'u', memberId: 'm', wire,
    api: connect(wire, kOrganization), store: new Store(queries, kOrganization),
  };
  return {wire, requests, queries, scope};
}

const time = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();

export function message(n: number, more: Partial<Schemas['TextMessage']> = {}): Schemas['Message'] {
  return {
    uniqueId: `m-${String(n).padStart(4, '0')}`, conversationId: 'c-1', direction: 'InBound', status: 'Unread', messageType: 'Text',
    createdAt: time(n), replyToMessageId: null, messagingMessageId: null, messageData: {text: `text ${n}`}, errorCode: null,
    errorText: null, sentBy: {type: 'Contact', uniqueId: null, memberId: null}, campaignId: null, ...more,
  };
}

export function conversation(id: string, more: Partial<Schemas['EventConversation']> = {}): Schemas['EventConversation'] {
  return {
    uniqueId: id, contactId: 'p-1', campaignId: null, organizationId: kOrganization, initiatedBy: 'Contact', createdAt: time(0),
    status: 'Active', numberOfUnreadMessages: 1, totalMessages: 1, assignedMemberId: null, tagIds: [], serviceWindowEndsAt: null, ...more,
  };
}

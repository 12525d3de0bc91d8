import assert from 'node:assert/strict';
import {test} from 'node:test';
import {lead} from '../../../gateway/console/src/live/leader.ts';
import {Live} from '../../../gateway/console/src/live/live.ts';
import type {LiveEvent} from '../../../gateway/console/src/live/relay.ts';
import {follow, kQuiet, type StreamState, type World} from '../../../gateway/console/src/live/stream.ts';
import {Channels, Clock, FakeLocks, FakeStorage, problem, seeded, settled, under} from './support.ts';

/** The service: events by their places, and streams that a test cuts. */
class Server {
  readonly events: string[] = [];
  readonly asked: (string | null)[] = [];
  readonly refusals: Response[] = [];
  kept = 0;  // what came before is gone
  private streams: {next: number; controller: ReadableStreamDefaultController<Uint8Array>}[] = [];

  open = async (last: string | null, signal: AbortSignal): Promise<Response> => {
    this.asked.push(last);
    const refusal = this.refusals.shift();
    if (refusal) return refusal;
    const own = {next: last === null ? this.events.length : Number(last.slice(1)), controller: null as never};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void Object.assign(own, {controller}),
      cancel: () => this.forget(own),
    });
    signal.addEventListener('abort', () => this.cut(own, new DOMException('', 'AbortError')));
    this.streams.push(own);
    this.write(own, last === null ? `retry: 2000\nid: e${own.next}\n\n` : 'retry: 2000\n\n');
    if (own.next < this.kept) {
      own.next = this.events.length;
      this.write(own, `id: e${own.next}\nevent: reset\ndata: {"type":"reset"}\n\n`);
    }
    this.flush();
    return new Response(body, {headers: {'Content-Type': 'text/event-stream'}});
  };

  happen(name: string): void {
    this.events.push(name);
    this.flush();
  }

  beat(): void {
    for (const stream of this.streams) this.write(stream, `:\nid: e${stream.next}\n\n`);
  }

  end(): void {
    for (const stream of [...this.streams]) {
      this.forget(stream);
      stream.controller.close();
    }
  }

  break(): void {
    for (const stream of [...this.streams]) this.cut(stream, new TypeError('network'));
  }

  get listeners(): number {
    return this.streams.length;
  }

  private flush(): void {
    for (const stream of this.streams)
      while (stream.next < this.events.length) {
        const type = this.events[stream.next++]!;
        this.write(stream, `id: e${stream.next}\nevent: ${type}\ndata: {"type":"${type}"}\n\n`);
      }
  }

  private write(stream: {controller: ReadableStreamDefaultController<Uint8Array>}, text: string): void {
    const octets = new TextEncoder().encode(text);
    const half = octets.length >> 1;
    stream.controller.enqueue(octets.subarray(0, half));
    stream.controller.enqueue(octets.subarray(half));
  }

  private cut(stream: (typeof this.streams)[number], error: Error): void {
    if (!this.streams.includes(stream)) return;
    this.forget(stream);
    stream.controller.error(error);
  }

  private forget(stream: (typeof this.streams)[number]): void {
    this.streams = this.streams.filter((each) => each !== stream);
  }
}

function browser(clock: Clock, random: () => number = () => 0) {
  let isOnline = true;
  const waiting: (() => void)[] = [];
  const world: World = {
    now: clock.now, sleep: clock.sleep, random,
    isOnline: () => isOnline,
    online: () => new Promise((resolve) => waiting.push(resolve)),
  };
  const setOnline = (is: boolean) => {
    isOnline = is;
    if (is) waiting.splice(0).forEach((each) => each());
  };
  return {world, setOnline};
}

function following(random?: () => number, refusals: Response[] = []) {
  const [clock, server, stop] = [new Clock(), new Server(), new AbortController()];
  server.refusals.push(...refusals);
  const {world, setOnline} = browser(clock, random);
  const seen = {told: [] as string[], states: [] as StreamState[], early: 0, expired: 0};
  const done = follow(world, {
    open: server.open,
    told: (blocks) => void seen.told.push(...blocks.filter((each) => each.data).map((each) => each.type)),
    state: (state) => void seen.states.push(state),
    endedEarly: () => void ++seen.early,
    expired: () => void ++seen.expired,
  }, null, stop.signal);
  return {clock, server, seen, setOnline, stop: async () => {
    stop.abort();
    await clock.pass(0);
    await done;
  }};
}

test('a stream goes on where it was, whatever ends it', async () => {
  const random = seeded(3);
  const {clock, server, seen, setOnline, stop} = following(random);
  await clock.pass(0);
  for (let n = 0; n < 60; ++n) {
    server.happen(`t${n}`);
    const what = under(random, 6);
    if (what === 0) server.break();
    if (what === 1) server.end();
    if (what === 2) server.refusals.push(problem(503, {}, {'Retry-After': '3'}), problem(429, {}, {'Retry-After': '1'}), problem(502));
    if (what === 3) setOnline(false);
    server.happen(`u${n}`);
    await clock.pass(random() * 5000);
    setOnline(true);
  }
  await clock.pass(3600_000);
  assert.deepEqual(seen.told, server.events);
  await stop();
  assert.equal(server.listeners, 0);
});

test('an early end rereads permissions, a whole one and a broken one do not', async () => {
  const {clock, server, seen, stop} = following();
  await clock.pass(0);
  server.end();
  await clock.pass(3000);
  assert.equal(seen.early, 1);
  server.break();
  await clock.pass(3000);
  for (let n = 0; n < 60; ++n) {
    await clock.pass(15_000);
    server.beat();
  }
  server.end();
  await clock.pass(3000);
  assert.equal(seen.early, 1);
  assert.equal(server.listeners, 1);
  await stop();
});

test('a stream without octets is left: the server is gone, or the computer slept', async () => {
  const {clock, server, seen, stop} = following();
  await clock.pass(20_000);
  server.beat();
  await clock.pass(20_000);
  assert.equal(server.asked.length, 1);
  server.happen('before');
  await clock.pass(0);
  await clock.freeze(3600_000);
  await clock.pass(2000);
  assert.deepEqual(server.asked, [null, 'e1']);
  assert.equal(server.listeners, 1);
  server.happen('after');
  await clock.pass(0);
  assert.deepEqual(seen.told, ['before', 'after']);
  await clock.pass(kQuiet + 2000);
  assert.deepEqual(server.asked, [null, 'e1', 'e2']);
  await stop();
});

test('who may not listen is told so, and asks again later and later', async () => {
  const {clock, server, seen, stop} = following(undefined, [problem(401), ...Array.from({length: 7}, () => problem(403))]);
  await clock.pass(0);
  assert.deepEqual([seen.expired, seen.early, seen.states.at(-1)?.kind], [1, 0, 'refused']);
  await clock.pass(30_000);
  assert.deepEqual([seen.expired, seen.early], [1, 1]);
  await clock.pass(1_620_000);
  assert.deepEqual([seen.expired, seen.early, server.asked.length], [1, 7, 9]);
  const pauses = seen.states.flatMap((each, n) => each.kind === 'refused' && seen.states[n - 1]?.kind === 'connecting' ? [each.until] : [])
    .map((until, n, all) => n === 0 ? 30_000 : until - all[n - 1]!);
  assert.deepEqual(pauses, [30, 60, 120, 240, 300, 300, 300, 300].map((seconds) => seconds * 1000));
  await stop();
});

test('what is no stream is none, and nobody is told to wait for days', async () => {
  const portal = new Response('<h1>Sign in to the network</h1>', {headers: {'Content-Type': 'text/html'}});
  const {clock, seen, stop} = following(undefined, [portal, problem(503, {}, {'Retry-After': '99999999'})]);
  await clock.pass(0);
  assert.ok(!seen.states.some((each) => each.kind === 'open'));
  await clock.pass(300_000);
  assert.equal(seen.states.at(-1)?.kind, 'open');
  assert.deepEqual(seen.early, 0);
  await stop();
});

test('the waiting time that the server asks for is kept', async () => {
  const {clock, seen, stop} = following(undefined, [problem(503, {}, {'Retry-After': '7'})]);
  await clock.pass(6999);
  assert.deepEqual(seen.states.at(-1), {kind: 'waiting', until: clock.now() + 1});
  await clock.pass(1);
  assert.equal(seen.states.at(-1)?.kind, 'open');
  await stop();
});

// ---- tabs -----------------------------------------------------------------------------------------------------------

interface Tab {
  live: Live;
  show(): void;
  hide(): void;
  heard: string[];
  reloads: number;
  /** It runs no more, as if it had crashed. */
  crash(): void;
  freeze(is: boolean): void;
  stop: AbortController;
}

function tabs(storage: Pick<Storage, 'getItem' | 'setItem'> = new FakeStorage()) {
  const [clock, server, locks, channels] = [new Clock(), new Server(), new FakeLocks(), new Channels()];
  const {world} = browser(clock);
  const name = 'parley.place.u.o';
  const open = (isVisible: boolean): Tab => {
    const stop = new AbortController();
    const callbacks = new Set<() => void>();
    const channel = channels.open(name);
    let isFrozen = false;
    const tab: Omit<Tab, 'live'> = {
      heard: [], reloads: 0, stop,
      show: () => {
        isVisible = true;
        callbacks.forEach((each) => each());
      },
      hide: () => void (isVisible = false),
      crash: () => {
        isFrozen = true;
        stop.abort();
      },
      freeze: (is) => void (isFrozen = is),
    };
    const live = new Live({
      name, locks, world, storage, open: server.open,
      channel: {
        postMessage: (message) => isFrozen || channel.postMessage(message),
        addEventListener: (type, listener) => channel.addEventListener(type, (event) => isFrozen || listener(event)),
      },
      tab: {isVisible: () => isVisible, onVisible: (callback) => {
        callbacks.add(callback);
        return () => callbacks.delete(callback);
      }},
      pump: {add: (event: LiveEvent) => isFrozen || tab.heard.push(event.type), reload: () => void ++tab.reloads},
      onExpired: () => {}, onEndedEarly: () => {},
    });
    void live.run(stop.signal);
    return Object.assign(tab, {live});
  };
  return {clock, server, open, speak: (message: unknown) => channels.open(name).postMessage(message)};
}

test('one tab listens for all, and each hears everything once, whoever listens', async () => {
  const {clock, server, open} = tabs();
  const all = [open(true)];
  await clock.pass(0);
  all.push(open(false));
  all.push(open(false));
  await clock.pass(0);
  const before = all.map((tab) => tab.reloads);
  const random = seeded(4);
  for (let n = 0; n < 80; ++n) {
    server.happen(`t${n}`);
    if (random() < 0.3) await clock.pass(under(random, 2000));
    const tab = all[under(random, 3)]!;
    if (random() < 0.5) tab.show();
    else tab.hide();
    if (random() < 0.2) server.break();
    if (random() < 0.7) await clock.pass(under(random, 3000));
    assert.ok(server.listeners <= 1, 'one stream a browser');
  }
  await clock.pass(60_000);
  for (const tab of all) assert.deepEqual(tab.heard, server.events);
  assert.deepEqual(all.map((tab) => tab.reloads), before, 'nothing was missed');
  all.forEach((tab) => tab.stop.abort());
});

test('when the tab that listens is closed, another one goes on', async () => {
  const {clock, server, open} = tabs();
  const first = open(true);
  await clock.pass(0);
  const second = open(false);
  server.happen('a');
  await clock.pass(0);
  first.crash();
  server.happen('b');
  await clock.pass(5000);
  server.happen('c');
  await clock.pass(0);
  assert.deepEqual(second.heard, ['a', 'b', 'c']);
  second.stop.abort();
});

test('a tab that was frozen goes on from its own place; one that cannot loads anew', async () => {
  const {clock, server, open} = tabs();
  const [first, second] = [open(true), open(false)];
  await clock.pass(0);
  server.happen('a');
  await clock.pass(0);
  second.freeze(true);
  server.happen('b');
  server.happen('c');
  await clock.pass(0);
  second.freeze(false);
  const before = second.reloads;
  second.show();
  await clock.pass(5000);
  assert.deepEqual(second.heard, ['a', 'b', 'c']);
  assert.equal(second.reloads, before);
  assert.deepEqual(first.heard, ['a', 'b', 'c'], 'it hears nothing twice');
  first.freeze(true);
  server.happen('d');
  await clock.pass(0);
  first.freeze(false);
  server.happen('e');
  await clock.pass(0);
  assert.deepEqual([first.heard, first.reloads], [['a', 'b', 'c', 'e'], 2], 'first the begin, then what it missed');
  [first, second].forEach((tab) => tab.stop.abort());
});

test('a page that is loaded again resumes; what is gone is told as a reset', async () => {
  const {clock, server, open} = tabs();
  const first = open(true);
  await clock.pass(0);
  server.happen('a');
  await clock.pass(0);
  first.stop.abort();
  await clock.pass(0);
  server.happen('b');
  const second = open(true);
  await clock.pass(0);
  assert.deepEqual([second.heard, second.reloads], [['b'], 0]);
  second.stop.abort();
  await clock.pass(0);
  server.happen('c');
  server.kept = server.events.length;
  const third = open(true);
  await clock.pass(0);
  server.happen('d');
  await clock.pass(0);
  assert.deepEqual(third.heard, ['reset', 'd']);
  third.stop.abort();
});

test('a tab of another build says what is not understood here: something was missed, and nothing breaks', async () => {
  const {clock, server, open, speak} = tabs();
  const [first, second] = [open(true), open(false)];
  await clock.pass(0);
  const reloads = second.reloads;
  for (const strange of [null, 5, 'hello', {}, {kind: 'other'}, {kind: 'state'}, {kind: 'told'}, {kind: 'told', told: [{event: {}}]}]) speak(strange);
  await clock.pass(0);
  assert.deepEqual([second.heard, second.reloads - reloads], [[], 2]);
  speak({kind: 'state', state: {kind: 'waiting', until: 0}});
  await clock.pass(0);
  assert.deepEqual([first, second].map((each) => each.live.state().kind), ['open', 'waiting'], 'who listens knows better');
  server.happen('a');
  await clock.pass(0);
  assert.deepEqual([first.heard, second.heard], [['a'], ['a']]);
  [first, second].forEach((tab) => tab.stop.abort());
});

test('a place that another build left, or somebody, is none', async () => {
  for (const strange of ['e5', '5', '[]', '{"id":5,"order":1}', '{"id":"e5","order":"x"}']) {
    const {clock, server, open} = tabs({getItem: () => strange, setItem: () => {}});
    const tab = open(true);
    await clock.pass(0);
    server.happen('a');
    await clock.pass(0);
    assert.deepEqual([server.asked, tab.heard], [[null], ['a']]);
    tab.stop.abort();
  }
});

test('the lock: who is looked at takes it, the others wait, and nobody takes it back unasked', async () => {
  const locks = new FakeLocks();
  const log: string[] = [];
  const start = (name: string, isVisible: boolean) => {
    const callbacks = new Set<() => void>();
    const stop = new AbortController();
    void lead(locks, {isVisible: () => isVisible, onVisible: (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    }}, 'lock', stop.signal, (signal) => {
      log.push('+' + name);
      return new Promise((resolve) => signal.addEventListener('abort', () => {
        log.push('-' + name);
        resolve();
      }));
    });
    return {stop, show: () => callbacks.forEach((each) => each())};
  };
  const a = start('a', true);
  await settled();
  const b = start('b', false);
  const c = start('c', true);
  await settled();
  assert.deepEqual(log.splice(0), ['+a', '+c', '-a']);
  c.show();
  await settled();
  assert.deepEqual(log.splice(0), [], 'who has it is left alone');
  b.show();
  await settled();
  assert.deepEqual(log.splice(0), ['+b', '-c']);
  b.stop.abort();
  await settled();
  assert.deepEqual(log.splice(0), ['-b', '+a']);
  a.stop.abort();
  c.stop.abort();
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Message} from '../../../gateway/console/src/api/entities.ts';
import {ApiProblem} from '../../../gateway/console/src/api/problem.ts';
import type {Draft} from '../../../gateway/console/src/live/drafts.ts';
import {kAsksAfter, Outbox, OutboxFull, type Send, type SendBody, type Shelf} from '../../../gateway/console/src/live/outbox.ts';
import {Clock, message, seeded, under} from './support.ts';

const text = (words: string): SendBody => ({messageType: 'Text', messageData: {text: words}});
const never = new Promise<never>(() => {});
const refusal = (status: number, retryAt: number | null = null) => new ApiProblem(status, '', 'Title', 'Detail', 'r-1', [], retryAt);

/** What a browser keeps, also when a page of it crashes. */
class KeptShelf implements Shelf {
  readonly kept = new Map<string, Send>();
  readonly spent: string[] = [];
  async all(userId: string) {
    return [...this.kept.values()].filter((each) => each.userId === userId);
  }
  async add(sends: readonly Send[], spent: Draft | null) {
    for (const each of sends) this.kept.set(each.key, each);
    if (spent) this.spent.push(spent.id);
  }
  async update(key: string, change: (send: Send) => Send | null) {
    const known = this.kept.get(key);
    const changed = known && change(known);
    if (changed === undefined) return;
    this.kept.delete(key);
    if (changed) this.kept.set(changed.key, changed);
  }
}

/** The service, as its guide on repetition has it: a key takes effect once, and its answer comes again. */
class Service {
  readonly messages: {conversationId: string; body: string}[] = [];
  readonly media: string[] = [];
  posts = 0;
  private readonly answers = new Map<string, {body: string; message: Message}>();
  private readonly uploads = new Map<string, string>();

  post(send: Send, body: SendBody): Message {
    ++this.posts;
    const said = JSON.stringify([send.conversationId, body]);
    const known = this.answers.get(send.key);
    if (known && known.body !== said) throw refusal(422);
    if (known) return known.message;
    this.messages.push({conversationId: send.conversationId, body: JSON.stringify(body.messageData)});
    const made = message(this.messages.length, {conversationId: send.conversationId, direction: 'OutBound', messageData: body.messageData as {text: string}});
    this.answers.set(send.key, {body: said, message: made});
    return made;
  }

  upload(send: Send): string {
    const known = this.uploads.get(send.file!.key);
    if (known) return known;
    this.media.push(send.file!.name);
    this.uploads.set(send.file!.key, `media-${this.media.length}`);
    return `media-${this.media.length}`;
  }
}

interface Way {
  /** What happens to an operation: it may throw, hang, or do it and then throw or hang. */
  <T>(name: string, act: () => T): Promise<T>;
}
const well: Way = async (_name, act) => act();

let keys = 0;

function page(clock: Clock, shelf: KeptShelf, service: Service, way: Way = well) {
  const sent: string[] = [];
  const outbox = new Outbox({
    userId: 'u', now: clock.now, sleep: clock.sleep, random: () => 0, newKey: () => `k${++keys}`,
    shelf: {
      all: (userId) => way('all', () => shelf.all(userId)).then((all) => all),
      add: (sends, spent) => way('add', () => shelf.add(sends, spent)).then((done) => done),
      update: (key, change) => way('update', () => shelf.update(key, change)).then((done) => done),
    },
    upload: (send) => way('upload', () => service.upload(send)),
    post: (send, body) => way('post', () => service.post(send, body)),
    sent: (_, made) => void sent.push(made.uniqueId),
    tellOthers: () => {},
  });
  const stop = new AbortController();
  const run = () => outbox.run(stop.signal);
  return {outbox, sent, run, stop};
}

/** Three sends in one conversation, of which one has a file, and one in another. */
async function fill({outbox}: {outbox: Outbox}): Promise<void> {
  await outbox.add('o', 'c-1', [text('one')]);
  await outbox.add('o', 'c-1', [{messageType: 'Image', messageData: {caption: 'two'}}], {file: {blob: new Blob(['x']), name: 'x.png'}});
  await outbox.add('o', 'c-1', [text('three')]);
  await outbox.add('o', 'c-2', [text('four')]);
}

function assertAll(service: Service, shelf: KeptShelf, uploads = 1): void {
  const of = (id: string) => service.messages.filter((each) => each.conversationId === id).map((each) => each.body);
  assert.deepEqual(of('c-1'), ['{"text":"one"}', '{"caption":"two","id":"media-1"}', '{"text":"three"}'].slice(0));
  assert.deepEqual(of('c-2'), ['{"text":"four"}']);
  assert.equal(service.media.length, uploads);
  assert.equal(shelf.kept.size, 0);
}

test('all is sent once and in order', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  const own = page(clock, shelf, service);
  const running = own.run();
  await fill(own);
  await clock.pass(0);
  assertAll(service, shelf);
  assert.equal(own.sent.length, 4);
  assert.deepEqual(own.outbox.sends(), []);
  own.stop.abort();
  await running;
});

test('killed at every step, before it and after it, nothing is lost and nothing is doubled', async () => {
  for (const isAfter of [false, true]) {
    for (let step = 0, isDone = false; !isDone; ++step) {
      const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
      await fill(page(clock, shelf, service));
      let left = step;
      const killed: Way = (_name, act) => {
        if (left < 0) return never;
        if (left-- > 0) return Promise.resolve().then(act);
        if (isAfter) act();
        return never;
      };
      const first = page(clock, shelf, service, killed);
      void first.run();
      await clock.pass(120_000);
      isDone = left >= 0;
      first.stop.abort();
      const second = page(clock, shelf, service);
      const running = second.run();
      await clock.pass(120_000);
      assertAll(service, shelf);
      second.stop.abort();
      await running;
    }
  }
});

test('a network that drops, doubles and refuses: each message is there once, in order', async () => {
  for (let seed = 1; seed <= 60; ++seed) {
    const random = seeded(seed);
    const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
    const bad: Way = async (name, act) => {
      if (name !== 'post' && name !== 'upload') return act();
      switch (under(random, 9)) {
        case 0: throw refusal(0);  // it did not go out
        case 1: act(); throw refusal(0);  // the answer is lost
        case 2: act(); throw refusal(504);
        case 3: throw refusal(503, clock.now() + 2000);
        case 4: throw refusal(429, clock.now() + 3000);
        case 5: throw refusal(409, clock.now() + 1000);  // the same one is under way
        case 6: act(); return act();  // it arrives twice
        case 7: throw refusal(401);  // signed out meanwhile
        default: return act();
      }
    };
    let own = page(clock, shelf, service, bad);
    await fill(own);
    for (let n = 0; n < 60; ++n) {
      const running = own.run();
      await clock.pass(random() * 20_000);
      own.stop.abort();  // another tab goes on
      await running;
      own = page(clock, shelf, service, bad);
    }
    assertAll(service, shelf);
  }
});

test('a rate is waited for', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  let refusals = 1;
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'post' && refusals-- > 0) throw refusal(429, clock.now() + 7000);
    return act();
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [text('one')]);
  await clock.pass(7499);  // and half a second, so that not all come at once
  assert.deepEqual([service.posts, own.outbox.sends()[0]?.nextAt, own.outbox.sends()[0]?.problem?.status], [0, clock.now() + 1, 429]);
  await own.outbox.wake();
  await clock.pass(0);
  assert.equal(service.posts, 0, 'what another tab does hurries nothing');
  await clock.pass(1);
  assert.equal(service.messages.length, 1);
  own.stop.abort();
});

test('when the network is back nothing waits for its pause', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  let isOnline = false;
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'post' && !isOnline) throw new ApiProblem(0, 'offline', '', '', '', [], clock.now() + 50_000);
    return act();
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [text('one')]);
  await clock.pass(1000);
  isOnline = true;
  await own.outbox.hurry();
  await clock.pass(0);
  assert.equal(service.messages.length, 1);
  own.stop.abort();
});

test('what is refused says why, does not hold up the next one, and goes out anew when a person wants it', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  let refuses = true;
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'post' && refuses) {
      refuses = false;
      throw refusal(409);
    }
    return act();
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [text('one')]);
  await own.outbox.add('o', 'c-1', [text('two')]);
  await clock.pass(0);
  const [failed] = own.outbox.sends();
  assert.deepEqual([failed?.state, failed?.problem], ['failed', {status: 409, title: 'Title', detail: 'Detail', requestId: 'r-1'}]);
  assert.deepEqual(service.messages.map((each) => each.body), ['{"text":"two"}']);
  await own.outbox.again(failed!.key);
  await clock.pass(0);
  assert.deepEqual(service.messages.map((each) => each.body), ['{"text":"two"}', '{"text":"one"}']);
  assert.equal(shelf.kept.size, 0);
  own.stop.abort();
});

test('after 23 hours a person is asked, and what comes later waits', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  const offline = page(clock, shelf, service, async (name, act) => {
    if (name === 'post') throw refusal(0);
    return act();
  });
  void offline.run();
  await offline.outbox.add('o', 'c-1', [text('one')]);
  await clock.pass(1000);
  offline.stop.abort();
  await clock.pass(kAsksAfter);
  const own = page(clock, shelf, service);
  void own.run();
  await own.outbox.add('o', 'c-1', [text('two')]);
  await clock.pass(0);
  assert.deepEqual(own.outbox.sends().map((each) => [each.state, each.isTried]), [['asks', true], ['waits', false]]);
  assert.equal(service.posts, 0);
  await own.outbox.discard(own.outbox.sends()[0]!.key);
  await clock.pass(0);
  assert.deepEqual(service.messages.map((each) => each.body), ['{"text":"two"}']);
  own.stop.abort();
});

test('what was done, and has no answer any more, is not taken for refused', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  const own = page(clock, shelf, service, async (name, act) => {
    if (name !== 'post') return act();
    throw new ApiProblem(409, '', '', 'the request with this Idempotency-Key was done; its answer is not kept', '');
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [text('long')]);
  await clock.pass(0);
  assert.deepEqual(own.outbox.sends().map((each) => [each.state, each.isTried]), [['asks', true]]);
  own.stop.abort();
});

test('what an event shows already is known, once', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  const own = page(clock, shelf, service, async (name, act) => {
    if (name !== 'post') return act();
    act();
    throw refusal(0);
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [text('ok')]);
  await own.outbox.add('o', 'c-1', [text('ok')]);
  await clock.pass(0);
  const told = message(1, {direction: 'OutBound', messageData: {text: 'ok'}});
  await own.outbox.heard(message(7, {conversationId: 'c-2', messageData: {text: 'ok'}}));
  await own.outbox.heard(message(8, {messageData: {text: 'other'}}));
  await own.outbox.heard(told);
  await own.outbox.heard(told);
  assert.deepEqual(own.outbox.sends().map((each) => each.heardId), [told.uniqueId, null]);
  own.stop.abort();
});

test('what an event shows already is hidden at once, also by what was read from the database before', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  let isSlow = false;
  const slow: (() => void)[] = [];
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'post') return never;
    const done = act();
    if (isSlow) await new Promise<void>((resolve) => slow.push(resolve));
    return done;
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [text('ok')]);
  await clock.pass(0);
  isSlow = true;
  void own.outbox.wake();
  await clock.pass(0);
  void own.outbox.heard(message(1, {direction: 'OutBound', messageData: {text: 'ok'}}));
  assert.equal(own.outbox.sends()[0]?.heardId, 'm-0001');
  slow[0]!();
  await clock.pass(0);
  assert.equal(own.outbox.sends()[0]?.heardId, 'm-0001');
  own.stop.abort();
});

test('what another tab sends is hidden also where its event comes before the database says that it is on its way', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  const own = page(clock, shelf, service, async (name, act) => name === 'post' ? never : act());
  const other = page(clock, shelf, service);
  void own.run();
  const told = (number: number) => message(number, {direction: 'OutBound', messageData: {text: 'ok'}});
  await other.outbox.heard(told(1));
  await clock.pass(1000);
  await own.outbox.add('o', 'c-1', [text('ok')]);
  await clock.pass(0);
  await other.outbox.heard(told(2));
  assert.deepEqual(other.outbox.sends(), []);
  await other.outbox.wake();
  assert.deepEqual(other.outbox.sends().map((each) => each.heardId), ['m-0002']);
  await own.outbox.add('o', 'c-1', [text('ok')]);
  await other.outbox.wake();
  await other.outbox.heard(told(2));
  assert.deepEqual(other.outbox.sends().map((each) => each.heardId), ['m-0002', null]);
  own.stop.abort();
});

test('what is answered is hidden in each tab that is told so, and stands again where a message like it was another one', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  let isRefused = false;
  const own = page(clock, shelf, service, async (name, act) => {
    if (name !== 'post') return act();
    if (!isRefused) return never;
    throw refusal(400);
  });
  const other = page(clock, shelf, service);
  await own.outbox.add('o', 'c-1', [text('ok')]);
  await other.outbox.wake();
  other.outbox.claim(other.outbox.sends()[0]!.key, 'm-0001');
  assert.equal(other.outbox.sends()[0]?.heardId, 'm-0001');
  await other.outbox.wake();
  assert.equal(other.outbox.sends()[0]?.heardId, 'm-0001');
  other.outbox.claim('another one', 'm-0001');
  assert.equal(other.outbox.sends()[0]?.heardId, null, 'it was the message of that one');
  other.outbox.claim(other.outbox.sends()[0]!.key, 'm-0002');
  isRefused = true;
  void own.run();
  await clock.pass(0);
  await other.outbox.wake();
  assert.deepEqual(other.outbox.sends().map((each) => [each.state, each.heardId]), [['failed', null]]);
  own.stop.abort();
});

test('signing out removes what waits for good, also what is on its way', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'post') shelf.kept.clear();
    return act();
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [text('one')]);
  await own.outbox.add('o', 'c-1', [text('two')]);
  await clock.pass(120_000);
  assert.deepEqual([service.posts, shelf.kept.size], [1, 0]);
  own.stop.abort();
});

test('what somebody discards while its file goes out is not sent', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  let answer = () => {};
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'upload') await new Promise<void>((resolve) => (answer = resolve));
    return act();
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [{messageType: 'Image', messageData: {}}], {file: {blob: new Blob(['x']), name: 'x.png'}});
  await own.outbox.add('o', 'c-1', [text('next')]);
  await clock.pass(0);
  await own.outbox.discard(own.outbox.sends()[0]!.key);
  answer();
  await clock.pass(0);
  assert.deepEqual(service.messages.map((each) => each.body), ['{"text":"next"}']);
  own.stop.abort();
});

test('a clock that is turned back does not make an old key young, nor a pause long, nor the order another one', async () => {
  const [clock, shelf, service] = [new Clock(1_000_000_000), new KeptShelf(), new Service()];
  let refuses = true;
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'post' && refuses) throw refusal(429, clock.now() + 600_000);
    return act();
  });
  void own.run();
  await own.outbox.add('o', 'c-1', [text('one')]);
  await own.outbox.add('o', 'c-2', [text('other')]);
  await clock.pass(200_000);
  own.stop.abort();
  refuses = false;
  const again = page(new Clock(clock.now() - 100_000), shelf, service);
  void again.run();
  await again.outbox.add('o', 'c-1', [text('two')]);
  assert.deepEqual(again.outbox.sends().filter((each) => each.conversationId === 'c-1').map((each) => each.body), [text('one'), text('two')]);
  again.stop.abort();
  const back = new Clock(clock.now() - 2 * 24 * 3600_000);
  const later = page(back, shelf, service);
  void later.run();
  await back.pass(0);
  assert.deepEqual(later.outbox.sends().map((each) => each.state), ['asks', 'asks', 'waits']);
  assert.equal(service.posts, 0);
  later.stop.abort();
});

test('conversations do not wait for each other, but few are sent to at once', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  let now = 0;
  let most = 0;
  const own = page(clock, shelf, service, async (name, act) => {
    if (name !== 'post') return act();
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    --now;
    return act();
  });
  for (let n = 0; n < 20; ++n) await own.outbox.add('o', `c-${n}`, [text('x')]);
  void own.run();
  await clock.pass(0);
  await clock.pass(0);
  assert.deepEqual([most, service.messages.length, shelf.kept.size], [3, 20, 0]);
  own.stop.abort();
});

test('a database that fails ends the delivery, which can begin again', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  let fails = true;
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'update' && fails) throw new DOMException('', 'QuotaExceededError');
    return act();
  });
  await own.outbox.add('o', 'c-1', [text('one')]);
  await assert.rejects(own.run(), {name: 'QuotaExceededError'});
  assert.equal(service.posts, 0);
  fails = false;
  void own.run();
  await clock.pass(0);
  assert.deepEqual([service.messages.length, shelf.kept.size], [1, 0]);
  own.stop.abort();
});

test('messages of one draft are kept at once, and go out soon though they cannot be read at first', async () => {
  const [clock, shelf, service] = [new Clock(), new KeptShelf(), new Service()];
  const spent = {id: 'd', text: 'one', replyToMessageId: null};
  const bodies: SendBody[] = [{messageType: 'Audio', messageData: {}}, text('one')];
  const file = {blob: new Blob(['x']), name: 'x.mp3'};
  let failures = 0;
  const own = page(clock, shelf, service, async (name, act) => {
    if (name === 'all' && failures > 0) throw new Error(`${failures--}`);
    const done = act();
    if (name === 'add') failures = 1;
    return done;
  });
  void own.run();
  await clock.pass(1000);
  await own.outbox.add('o', 'c-1', bodies, {file, spent});
  assert.deepEqual(shelf.spent, ['d']);
  await clock.pass(1000);
  assert.deepEqual(service.messages.map(({body}) => body), ['{"id":"media-1"}', '{"text":"one"}']);
});

test('there is a bound', async () => {
  const {outbox} = page(new Clock(), new KeptShelf(), new Service());
  await assert.rejects(outbox.add('o', 'c', [text('x')], {file: {blob: new Blob([new Uint8Array(64 * 1024 * 1024 + 1)]), name: 'x'}}), OutboxFull);
  for (let n = 0; n < 199; ++n) await outbox.add('o', 'c', [text('x')]);
  await assert.rejects(outbox.add('o', 'c', [text('x'), text('y')]), OutboxFull);
  await outbox.add('o', 'c', [text('x')]);
  await assert.rejects(outbox.add('o', 'c', [text('x')]), OutboxFull);
});

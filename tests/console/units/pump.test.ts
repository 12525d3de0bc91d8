import assert from 'node:assert/strict';
import {test} from 'node:test';
import {notifyManager, QueryObserver} from '@tanstack/react-query';
import {keys} from '../../../gateway/console/src/api/store.ts';
import type {LiveEvent} from '../../../gateway/console/src/live/relay.ts';
import {Pump} from '../../../gateway/console/src/live/pump.ts';
import {conversation, json, kOrganization, message, settled, wired} from './support.ts';

notifyManager.setScheduler(queueMicrotask);
const at = '2026-01-01T00:00:00.000Z';

function setUp(now = () => 0) {
  const {scope, queries} = wired(() => json({}));
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const pump = new Pump({
    store: scope.store, now, heard: () => {},
    frame: (callback) => void frames.push(callback),
    later: (callback) => void timers.push(callback),
  });
  return {store: scope.store, queries, pump, frames, timers};
}

const status = (to: 'Sent' | 'Delivered' | 'Read'): LiveEvent => ({type: 'message.status', timestamp: at, data: {
  conversationId: 'c-1', contactId: 'p-1', messageId: 'm-0001', campaignId: null, from: 'Queued', to, errorCode: null, errorText: null, at,
  message: message(1, {status: to}),
}});

test('what comes together is shown together, once a frame', async () => {
  const {store, queries, pump, frames} = setUp();
  store.asking().take('message', message(1, {status: 'Queued'}));
  const seen: unknown[] = [];
  const queryKey = keys.entity(kOrganization, 'message', 'm-0001');
  new QueryObserver<{status: string}>(queries, {queryKey, enabled: false}).subscribe(
    notifyManager.batchCalls(() => seen.push(store.get('message', 'm-0001')?.status)));  // as useQuery() listens
  for (const to of ['Sent', 'Delivered', 'Read'] as const) pump.add(status(to), 1);
  await settled();
  assert.deepEqual([frames.length, seen], [1, []]);
  frames.shift()!();
  assert.deepEqual([store.get('message', 'm-0001')?.status, seen], ['Read', []], 'who listens is told when all is applied');
  await settled();
  assert.deepEqual(new Set(seen), new Set(['Read']), 'nobody sees what was between');
  pump.add(status('Read'), 9);
  assert.equal(frames.length, 1);
});

test('what many events touch is asked for once', async () => {
  const {store, queries, pump, frames, timers} = setUp();
  store.asking().take('contact', {uniqueId: 'p-1', name: '', phone: '', attributes: {}, createdAt: at, status: 'Active'});
  let reads = 0;
  const queryKey = keys.entity(kOrganization, 'contact', 'p-1');
  new QueryObserver(queries, {queryKey, queryFn: () => ++reads}).subscribe(() => {});
  for (let n = 0; n < 10; ++n)
    pump.add({type: 'contact.updated', timestamp: at, data: {contactIds: ['p-1', 'p-2'], importId: null}}, n);
  frames.shift()!();
  assert.deepEqual([timers.length, reads], [1, 0]);
  timers.shift()!();
  await settled();
  assert.equal(reads, 1);
});

test('what was missed is asked for: what is shown at once, the rest when it is', async () => {
  const {queries, pump, timers} = setUp();
  const reads: string[] = [];
  const observer = (name: string) => new QueryObserver(queries, {queryKey: keys.part(kOrganization, name), queryFn: () => reads.push(name)});
  observer('shown').subscribe(() => {});
  const leave = observer('left').subscribe(() => {});
  await settled();
  leave();
  reads.length = 0;
  pump.reload();
  pump.reload();
  timers.forEach((each) => each());
  await settled();
  assert.deepEqual(reads, ['shown']);
  observer('left').subscribe(() => {});
  await settled();
  assert.deepEqual(reads, ['shown', 'left']);
});

const created = (n: number): LiveEvent => ({type: 'message.created', timestamp: at, data: {
  conversationId: 'c-1', contactId: 'p-1', messageId: message(n).uniqueId, direction: 'InBound', at, message: message(n), conversation: conversation('c-1'),
}});

test('thousands of events are spread over frames, in their order', () => {
  let time = 0;
  const {store, pump, frames} = setUp(() => ++time);
  store.asking().take('message', message(1, {status: 'Queued'}));
  for (let n = 0; n < 50; ++n) pump.add(status(n < 49 ? 'Sent' : 'Read'), n);
  let count = 0;
  for (; frames.length > 0; ++count) frames.shift()!();
  assert.ok(count > 5, `${count} frames`);
  assert.equal(store.get('message', 'm-0001')?.status, 'Read');
});

test('a tab that shows nothing for long does not gather without end: it loads anew', () => {
  const {store, pump, frames, timers} = setUp();
  store.asking().take('message', message(1, {status: 'Queued'}));
  for (let n = 0; n < 25_000; ++n) pump.add(status('Sent'), n);
  assert.deepEqual([frames.length, timers.length], [1, 1]);
  frames.shift()!();
  assert.equal(store.get('message', 'm-0001')?.status, 'Sent');
});

test('an event that is not understood does not hold up the others', () => {
  const {store, pump, frames, timers} = setUp();
  store.asking().take('message', message(1, {status: 'Queued'}));
  pump.add({type: 'contact.deleted', timestamp: at, data: {}} as unknown as LiveEvent, 1);
  pump.add(status('Read'), 2);
  frames.shift()!();
  assert.deepEqual([store.get('message', 'm-0001')?.status, timers.length], ['Read', 2], 'figures are asked for again, and all');
});

test('messages that nobody looks at do not gather without end', () => {
  const {store, queries, pump, frames} = setUp();
  store.asking().take('conversation', conversation('c-1'));
  for (let n = 0; n < 5000; ++n) {
    pump.add(created(n), n);
    frames.splice(0).forEach((each) => each());
  }
  assert.ok(queries.getQueryCache().findAll({queryKey: keys.organization(kOrganization)}).length < 3000);
});

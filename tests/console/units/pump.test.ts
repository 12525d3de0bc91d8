import assert from 'node:assert/strict';
import {test} from 'node:test';
import {notifyManager, QueryObserver} from '@tanstack/react-query';
import {keys} from '../../../gateway/console/src/api/store.ts';
import type {LiveEvent} from '../../../gateway/console/src/live/relay.ts';
import {Pump} from '../../../gateway/console/src/live/pump.ts';
import {json, kOrganization, message, settled, wired} from './support.ts';

notifyManager.setScheduler(queueMicrotask);
const at = '2026-01-01T00:00:00.000Z';

function setUp() {
  const {scope, queries} = wired(() => json({}));
  const frames: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const pump = new Pump({
    store: scope.store, now: () => 0, heard: () => {},
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

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {conversationsFamily, matches} from '../../../gateway/console/src/api/conversations.ts';
import {contactsFamily} from '../../../gateway/console/src/api/contacts.ts';
import type {Entities, Kind} from '../../../gateway/console/src/api/entities.ts';
import {pagesOptions} from '../../../gateway/console/src/api/hooks.ts';
import {threadFamily} from '../../../gateway/console/src/api/messages.ts';
import {notesFamily} from '../../../gateway/console/src/api/notes.ts';
import {keys, type Pages} from '../../../gateway/console/src/api/store.ts';
import {apply, presenceName, type Presences, type Target} from '../../../gateway/console/src/live/apply.ts';
import type {LiveEvent} from '../../../gateway/console/src/live/relay.ts';
import {conversation, json, kOrganization, message, seeded, shuffled, under, wired} from './support.ts';

const at = '2026-01-01T00:00:00.000Z';
const noMeta = {page: 1, per_page: 50, total: 0, nextCursor: null};

interface Numbered {
  order: number;
  event: LiveEvent;
}

/** A page that shows a thread, its notes, an inbox, a campaign and an import. */
async function shown() {
  const {scope, queries} = wired((request) => {
    const {pathname} = new URL(request.url);
    if (pathname.endsWith('/messages')) return json({messages: [message(2), message(1)], paginationMeta: {...noMeta, total: 2}});
    if (pathname.endsWith('/notes')) return json({notes: [], paginationMeta: noMeta});
    if (pathname.endsWith('/contacts')) return json({contacts: [], paginationMeta: noMeta});
    return json({conversations: [], paginationMeta: noMeta});
  });
  const {store} = scope;
  const into = store.asking();
  into.take('conversation', {...conversation('c-1'), newestMessageId: 'm-0002'});
  into.take('campaign', {uniqueId: 'k-1', status: 'Scheduled'} as Entities['campaign']);
  into.take('import', {uniqueId: 'i-1', status: 'Queued', failedKept: 3} as Entities['import']);
  await queries.fetchInfiniteQuery(pagesOptions(scope, threadFamily, {conversationId: 'c-1'}));
  await queries.fetchInfiniteQuery(pagesOptions(scope, notesFamily, {conversationId: 'c-1'}));
  await queries.fetchInfiniteQuery(pagesOptions(scope, conversationsFamily, {status: 'Active'}));
  const heard: string[] = [];
  const stale: string[] = [];
  const target: Target = {
    store,
    stale: (kind, id) => void stale.push(kind + '/' + id),
    stalePart: (...name) => void stale.push(name.join('/')),
    reset: () => void stale.push('all'),
    heard: (each) => void heard.push(each.uniqueId),
  };
  const ids = (family: string, filter: unknown) =>
    queries.getQueryData<Pages>(keys.pages(kOrganization, family, filter))!.pages.map((page) => [page.ids, page.total]);
  const known = (kind: Kind, all: string[]) => all.map((id) => store.get(kind, id));
  const state = () => ({
    thread: ids('thread', {conversationId: 'c-1'}), notes: ids('notes', {conversationId: 'c-1'}),
    messages: known('message', Array.from({length: 12}, (_, n) => message(n).uniqueId)),
    kept: known('note', ['n-0', 'n-1', 'n-2']),
    rest: [store.get('conversation', 'c-1'), store.get('campaign', 'k-1'), store.get('import', 'i-1')],
    presence: queries.getQueryData<Presences>(keys.part(kOrganization, ...presenceName('c-1'))),
  });
  return {scope, queries, store, target, state, heard, stale};
}

/** What may happen to a conversation, a campaign and an import. What an event shows may be newer than what it tells. */
function history(random: () => number): Numbered[] {
  const out: Numbered[] = [];
  const tell = (event: LiveEvent) => out.push({order: out.length + 1, event});
  const base = {conversationId: 'c-1', contactId: 'p-1'};
  const statuses = ['Queued', 'Sent', 'Delivered', 'Read'] as const;
  const outbound = new Map<number, number>();
  let total = 2;
  for (let n = 3; n < 10; ++n) {
    const direction = random() < 0.5 ? 'InBound' as const : 'OutBound' as const;
    const made = message(n, {direction, status: direction === 'OutBound' ? 'Queued' : 'Unread'});
    ++total;
    if (direction === 'OutBound') outbound.set(n, 0);
    const seen = conversation('c-1', {totalMessages: total, numberOfUnreadMessages: under(random, 5)});
    tell({type: 'message.created', timestamp: at, data: {
      ...base, messageId: made.uniqueId, direction, at, message: made, conversation: seen,
    }});
    for (const [id, step] of outbound) {
      if (random() < 0.5 || step === 3) continue;
      outbound.set(id, step + 1);
      const [from, to] = [statuses[step]!, statuses[step + 1]!];
      const now = message(id, {direction: 'OutBound', status: to});
      tell({type: 'message.status', timestamp: at, data: {
        ...base, messageId: now.uniqueId, campaignId: null, from, to, errorCode: null, errorText: null, at, message: now,
      }});
    }
    const note = {uniqueId: `n-${n % 3}`, conversationId: 'c-1', text: `v${n}`, mentions: [], writtenBy: made.sentBy, createdAt: `2026-0${1 + n % 3}`, editedAt: null};
    const noteData = {...base, noteId: note.uniqueId, at};
    if (n < 8) tell({type: n < 6 ? 'note.created' : 'note.changed', timestamp: at, data: {...noteData, note}});
    if (n === 9) tell({type: 'note.deleted', timestamp: at, data: noteData});
    tell({type: 'campaign.progress', timestamp: at, data: {campaignId: 'k-1', progress: {recipients: n} as Entities['campaign']['progress']}});
    if (n === 5) tell({type: 'campaign.status', timestamp: at, data: {campaignId: 'k-1', from: 'Scheduled', to: 'Running', reason: '', first: true, listIds: []}});
    tell({type: 'import.progress', timestamp: at, data: {
      importId: 'i-1', status: 'Running', failure: '', listId: null, rowsRead: n, imported: n, updated: 0, skipped: 0, failed: 0, percent: n,
    }});
    tell({type: 'conversation.presence', timestamp: `2026-01-01T00:00:0${n}.000Z`, data: {
      conversationId: 'c-1', memberId: 'm-2', state: n % 2 ? 'typing' : 'left', ttlSeconds: 10,
    }});
  }
  tell({type: 'message.changed', timestamp: at, data: {...base, messageId: 'm-0004', at, message: null}});
  tell({type: 'conversation.status', timestamp: at, data: {...base, from: 'Active', to: 'Closed', conversation: conversation('c-1', {status: 'Closed'})}});
  return out;
}

test('events in any order, and more than once, lead to the same', async () => {
  const random = seeded(2);
  for (let round = 0; round < 40; ++round) {
    const all = history(random);
    const inOrder = await shown();
    for (const {event, order} of all) apply(inOrder.target, event, order, 0);
    const expected = inOrder.state();
    assert.equal(expected.rest[0] && 'status' in expected.rest[0] && expected.rest[0].status, 'Closed');
    const other = await shown();
    const repeated = shuffled([...all, ...all.filter(() => random() < 0.3)], random);
    for (const {event, order} of repeated) apply(other.target, event, order, 0);
    assert.deepEqual(other.state(), expected);
  }
});

test('a thread grows in its order, and the newest message is known', async () => {
  const {target, state, store, heard} = await shown();
  for (const n of [4, 3]) {
    const told = message(n, {direction: 'OutBound', status: 'Queued'});
    apply(target, {type: 'message.created', timestamp: at, data: {
      conversationId: 'c-1', contactId: 'p-1', messageId: told.uniqueId, direction: 'OutBound', at, message: told, conversation: conversation('c-1'),
    }}, n, 0);
  }
  assert.deepEqual(state().thread, [[['m-0004', 'm-0003', 'm-0002', 'm-0001'], 4]]);
  assert.equal(store.get('conversation', 'c-1')?.newestMessageId, 'm-0004');
  assert.deepEqual(heard, ['m-0004', 'm-0003']);
});

test('a list does not move: what came is counted, until it does not belong there any more', async () => {
  const {target, store} = await shown();
  const [list] = store.lists('conversations');
  const newer = () => store.newer(list!.key).ids;
  const told = (status: 'Active' | 'Closed', order: number) => apply(target, {type: 'conversation.status', timestamp: at, data: {
    conversationId: 'c-9', contactId: 'p-1', from: 'Closed', to: status, conversation: conversation('c-9', {status}),
  }}, order, 0);
  told('Active', 1);
  told('Active', 2);
  assert.deepEqual([newer(), store.lists('conversations')[0]!.pages.pages[0]!.ids], [['c-9'], []]);
  told('Closed', 3);
  assert.deepEqual(newer(), []);
});

test('contacts are told by their ids: a filtered list is only known to be another one', async () => {
  const {scope, queries, target, store, stale} = await shown();
  await queries.fetchInfiniteQuery(pagesOptions(scope, contactsFamily, {sort_by: 'name'}));
  await queries.fetchInfiniteQuery(pagesOptions(scope, contactsFamily, {search: 'x'}));
  apply(target, {type: 'contact.created', timestamp: at, data: {contactIds: ['p-8', 'p-9'], importId: null}}, 1, 0);
  assert.deepEqual(store.lists('contacts').map(({key}) => store.newer(key)), [
    {ids: ['p-8', 'p-9'], isChanged: false}, {ids: [], isChanged: true},
  ]);
  apply(target, {type: 'contact.merged', timestamp: at, data: {from: 'p-8', into: 'p-9'}}, 2, 0);
  apply(target, {type: 'reset', timestamp: at, data: {}}, 3, 0);
  apply(target, {type: 'unknown.thing', timestamp: at, data: {}} as unknown as LiveEvent, 4, 0);
  assert.deepEqual(stale, ['contact/p-9', 'all']);
});

test('whether a conversation belongs to a list, as far as that is known', () => {
  const it = conversation('c-1', {initiatedBy: 'Campaign', numberOfUnreadMessages: 0, assignedMemberId: 'm-1'} as never);
  assert.equal(matches({}, it), true);
  assert.equal(matches({}, {...it, status: 'Deleted'}), false);
  assert.equal(matches({assigned_to: 'm-1', status: 'Active'}, it), true);
  assert.equal(matches({assigned_to: 'none'}, it), false);
  assert.equal(matches({assigned_to: 'none'}, {...it, assignedMemberId: undefined} as never), undefined);
  assert.equal(matches({has_inbound: true}, it), undefined);
  assert.equal(matches({has_inbound: true}, it, {direction: 'InBound'}), true);
  assert.equal(matches({awaiting: true}, it), undefined);
  assert.equal(matches({awaiting: true}, it, {direction: 'OutBound'}), false);
  assert.equal(matches({awaiting: true}, {...it, status: 'Closed'}, {direction: 'InBound'}), false);
  assert.equal(matches({search: 'ada'}, it), undefined);
  assert.equal(matches({search: 'ada', unread: true}, it), false);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {InfiniteQueryObserver, QueryObserver, type InfiniteData} from '@tanstack/react-query';
import {contactsFamily, contactsExportAddress, loadContact} from '../../../gateway/console/src/api/contacts.ts';
import {takeContact} from '../../../gateway/console/src/api/entities.ts';
import {entityOptions, pagesOptions} from '../../../gateway/console/src/api/hooks.ts';
import {threadFamily} from '../../../gateway/console/src/api/messages.ts';
import {inserted, keys, removed, type Page, type Pages, type Store} from '../../../gateway/console/src/api/store.ts';
import {placeMessage} from '../../../gateway/console/src/live/apply.ts';
import {json, kOrganization, message, settled, wired} from './support.ts';

const contact = (n: number) => ({
  uniqueId: `p-${n}`, name: `N${n}`, phone: '+1', attributes: {}, createdAt: '', status: 'Active', lists: [],
  tags: [{uniqueId: 't-1', label: 'demo'}], conversations: [],
});

function paged(total: number) {
  return wired((request) => {
    const query = new URL(request.url).searchParams;
    const [from, size] = [Number(query.get('cursor') ?? 0), Number(query.get('per_page'))];
    const contacts = Array.from({length: Math.min(size, total - from)}, (_, i) => contact(from + i));
    const next = from + size < total ? String(from + size) : null;
    return json({contacts, paginationMeta: {page: 1, per_page: size, total, nextCursor: next}});
  });
}

test('pages follow the cursor, hold ids, and share their entities', async () => {
  const {queries, scope, requests} = paged(250);
  const options = pagesOptions(scope, contactsFamily, {search: 'a'});
  const data = await queries.fetchInfiniteQuery({...options, pages: 5});
  assert.deepEqual(data.pages.map((page) => [page.ids.length, page.next, page.total]), [[100, '100', 250], [100, '200', 250], [50, null, 250]]);
  assert.equal(requests.length, 3);
  assert.ok(requests.every((each) => new URL(each.url).searchParams.get('search') === 'a'));
  assert.deepEqual(scope.store.get('contact', 'p-249')?.tagIds, ['t-1']);
  assert.deepEqual(scope.store.get('tag', 't-1'), {uniqueId: 't-1', label: 'demo'});
});

test('the same list is asked for once, and not any more when it is left', async () => {
  const {queries, scope, requests} = paged(1);
  const options = pagesOptions(scope, contactsFamily, {});
  await Promise.all([queries.fetchInfiniteQuery(options), queries.fetchInfiniteQuery(options)]);
  assert.equal(requests.length, 1);
  const never = wired(() => new Promise<Response>(() => {}));
  const left = never.queries.fetchInfiniteQuery(pagesOptions(never.scope, contactsFamily, {}));
  await new Promise((resolve) => setImmediate(resolve));
  await never.queries.cancelQueries();
  await assert.rejects(left);
  assert.equal(never.requests[0]!.signal.aborted, true);
});

/** A thread of messages 1 to `total`; what happens while a page is asked for, before and after the service looks. */
function thread(total: number, meanwhile: {before?: (page: number) => void; after?: (page: number) => void}) {
  let asked = 0;
  const made = wired(async (request) => {
    const page = asked++;
    meanwhile.before?.(page);
    const query = new URL(request.url).searchParams;
    const [from, size] = [Number(query.get('cursor') ?? total), Number(query.get('per_page'))];
    const messages = Array.from({length: Math.min(size, from)}, (_, i) => message(from - i));
    const next = from > size ? String(from - size) : null;
    const answer = json({messages, paginationMeta: {page: 1, per_page: size, total, nextCursor: next}});
    await settled();
    meanwhile.after?.(page);
    return answer;
  });
  const {queries, scope: {store}} = made;
  const filter = {conversationId: 'c-1'};
  const options = pagesOptions(made.scope, threadFamily, filter);
  const tell = (n: number) => {
    store.hear();
    store.tell('message', message(n).uniqueId, n, message(n), true);
    placeMessage(store, message(n));
  };
  const ids = () => queries.getQueryData<Pages>(options.queryKey)!.pages.flatMap((page) => page.ids.map((id) => Number(id.slice(2))));
  return {...made, store, options, tell, ids, total: () => queries.getQueryData<Pages>(options.queryKey)!.pages[0]!.total};
}
const down = (from: number, to: number) => Array.from({length: from - to + 1}, (_, i) => from - i);

test('what was told while a list was on its way is in it, in its place and once', async () => {
  const its = thread(2, {before: () => its.tell(2), after: () => [5, 3, 4, 3].forEach(its.tell)});
  await its.queries.fetchInfiniteQuery(its.options);
  assert.deepEqual([its.ids(), its.total()], [[5, 4, 3, 2, 1], 5]);
});

test('what is told while the next page is asked for, or all of them again, stays', async () => {
  const its = thread(180, {after: (page) => its.tell(200 + page)});
  await its.queries.fetchInfiniteQuery(its.options);
  const observer = new InfiniteQueryObserver(its.queries, its.options);
  const leave = observer.subscribe(() => {});
  await observer.fetchNextPage();
  await observer.fetchNextPage();
  assert.deepEqual(its.ids(), [202, 201, 200, ...down(180, 31)]);
  its.store.gone('message', 'm-0100');
  its.store.removeFromLists('thread', 'm-0100');
  await its.store.refresh(its.options.queryKey, 3);
  assert.deepEqual(its.ids().slice(0, 5), [205, 204, 203, 180, 179], 'those that were told before are not in this answer');
  assert.deepEqual(its.ids().length, 153);
  leave();
});

test('what is taken out while a list is asked for does not come back with an older answer', async () => {
  const its = thread(3, {after: () => its.store.removeFromLists('thread', 'm-0002')});
  await its.queries.fetchInfiniteQuery(its.options);
  assert.deepEqual([its.ids(), its.total()], [[3, 1], 2]);
});

test('a list that is on its way hears of newer ones; those on its top are in it', async () => {
  const {queries, scope} = wired((request) => {
    for (const id of ['p-0', 'p-8']) scope.store.updateNewer(key, (newer) => ({...newer, ids: [...newer.ids, id]}));
    assert.equal(scope.store.lists('contacts').length, 1, request.url);
    return json({contacts: [contact(0)], paginationMeta: {page: 1, per_page: 100, total: 1, nextCursor: null}});
  });
  const options = pagesOptions(scope, contactsFamily, {});
  const key = options.queryKey;
  await queries.fetchInfiniteQuery(options);
  assert.deepEqual(scope.store.newer(key).ids, ['p-8']);
});

test('an older answer does not undo what an event told', async () => {
  const {scope} = wired(() => json({}));
  const asking = scope.store.asking();
  asking.take('message', message(1));
  scope.store.hear();
  scope.store.tell('message', 'm-0001', 7, {status: 'Read'});
  assert.equal(asking.take('message', message(1)).status, 'Read');
  assert.equal(scope.store.asking().take('message', message(1)).status, 'Unread');
  scope.store.gone('message', 'm-0001');
  asking.take('message', message(1));
  assert.equal(scope.store.get('message', 'm-0001'), null);
});

test('an answer that was on its way when an event came is older, also for what was not known before', () => {
  const {store} = wired(() => json({})).scope;
  const asking = store.asking();
  store.hear();
  store.tell('message', 'm-0001', 2, {status: 'Read'});
  store.tell('message', 'm-0001', 1, {status: 'Delivered', errorText: 'told'});
  store.gone('message', 'm-0002', false);
  assert.equal(store.get('message', 'm-0001'), undefined, 'nothing needs it');
  assert.deepEqual([asking.take('message', message(1)).status, store.get('message', 'm-0001')?.errorText], ['Read', 'told']);
  asking.take('message', message(2));
  assert.equal(store.get('message', 'm-0002'), undefined);
  assert.equal(store.asking().take('message', message(1)).status, 'Unread');
});

/** An entity that is shown, whose answers a test gives. */
function shownContact() {
  const answers: ((name: string) => void)[] = [];
  const made = wired(() => new Promise<Response>((resolve) =>
    answers.push((name) => resolve(json({contact: {...contact(1), name}})))));
  const observer = new QueryObserver(made.queries, entityOptions(made.scope, 'contact', 'p-1', loadContact));
  const leave = observer.subscribe(() => {});
  return {...made.scope, answers, leave, name: () => made.scope.store.get('contact', 'p-1')?.name};
}

test('a first answer that is on its way is not waited for when it may be older than what changed', async () => {
  for (const act of [(store: Store) => store.stale('contact', 'p-1'), (store: Store) => void store.reload()]) {
    const {store, answers, leave, name} = shownContact();
    await settled();
    act(store);
    await settled();
    assert.equal(answers.length, 2);
    answers[0]!('old');
    answers[1]!('new');
    await settled();
    assert.equal(name(), 'new');
    leave();
  }
});

test('a part whose answers are slow comes, however often events touch it, and then once more', async () => {
  const {queries, scope: {store}} = wired(() => json({}));
  const answers: ((value: string) => void)[] = [];
  const queryKey = keys.part(kOrganization, 'counts');
  const observer = new QueryObserver(queries, {queryKey, queryFn: () => new Promise<string>((resolve) => answers.push(resolve))});
  const leave = observer.subscribe(() => {});
  for (let event = 0; event < 3; ++event) {
    store.stalePart('counts');
    await settled();
  }
  assert.equal(answers.length, 1);
  answers[0]!('first');
  await settled();
  assert.equal(observer.getCurrentResult().data, 'first');
  assert.equal(answers.length, 2);
  answers[1]!('second');
  await settled();
  assert.equal(observer.getCurrentResult().data, 'second');
  assert.equal(answers.length, 2);
  leave();
});

test('what is gone does not come back with an answer that was on its way', async () => {
  const {store, answers, leave} = shownContact();
  await settled();
  store.gone('contact', 'p-1');
  answers[0]!('gone');
  await settled();
  assert.equal(store.get('contact', 'p-1'), null);
  leave();
});

test('what could not be loaded anew stays to be asked for, whatever is put in and taken out meanwhile', async () => {
  let fails = false;
  const {queries, scope: {store}, scope} = wired((request) => {
    const contacts = [contact(1)];
    return fails ? new Response('{}', {status: 500}) : json({contacts, paginationMeta: {page: 1, per_page: 100, total: 1, nextCursor: null}, url: request.url});
  });
  const options = pagesOptions(scope, contactsFamily, {});
  const leave = new InfiniteQueryObserver(queries, options).subscribe(() => {});
  await settled();
  fails = true;
  await store.refresh(options.queryKey);
  const state = () => queries.getQueryState(options.queryKey)!;
  assert.equal(state().status, 'error');
  const before = state();
  store.remove(options.queryKey, 'p-2');
  assert.equal(state(), before);
  store.insert('contacts', {}, 'p-0', () => true);
  assert.deepEqual(state().data!, {pages: [{ids: ['p-0', 'p-1'], next: null, total: 2, degraded: []}], pageParams: [null]});
  assert.equal(state().status, 'error');
  fails = false;
  await store.refresh(options.queryKey);
  assert.equal(state().status, 'success');
  leave();
});

test('what is to be asked for again stays so until all of it has come', () => {
  const {scope, queries} = wired(() => json({}));
  const {store} = scope;
  const isStale = () => queries.getQueryState(keys.entity(kOrganization, 'contact', 'p-1'))!.isInvalidated;
  takeContact(store.asking(), contact(1) as never);
  const {tags: _, lists: __, conversations: ___, ...summary} = contact(1);
  store.stale('contact', 'p-1');
  store.hear();
  store.tell('contact', 'p-1', 1, {name: 'told'});
  store.asking().take('contact', summary as never);
  assert.equal(isStale(), true);
  takeContact(store.asking(), contact(1) as never);
  assert.equal(isStale(), false);
});

test('a change that is expected is undone, but for what is known better since', () => {
  const {store} = wired(() => json({})).scope;
  store.asking().take('message', message(1));
  const status = () => store.get('message', 'm-0001')?.status;
  const undo = store.expect('message', 'm-0001', {status: 'Read'});
  assert.equal(status(), 'Read');
  undo();
  assert.equal(status(), 'Unread');
  const late = store.expect('message', 'm-0001', {status: 'Read'});
  store.hear();
  store.tell('message', 'm-0001', 1, {errorText: 'told'});
  late();
  assert.deepEqual([status(), store.get('message', 'm-0001')?.errorText], ['Unread', 'told']);
  const done = store.expect('message', 'm-0001', {status: 'Read'});
  store.hear();
  store.tell('message', 'm-0001', 2, {status: 'Read'});
  done();
  assert.equal(status(), 'Read', 'its answer was lost');
});

test('ids are put in their place, and taken out', () => {
  const page = (ids: string[], next: string | null): Page => ({ids, next, total: 10, degraded: []});
  const pages: InfiniteData<Page, string | null> = {pages: [page(['9', '7'], 'a'), page(['5', '3'], 'b')], pageParams: [null, 'a']};
  const put = (id: string) => inserted(pages, id, (other) => id > other).pages.map((each) => each.ids.join(''));
  assert.deepEqual(put('8'), ['987', '53']);
  assert.deepEqual(put('6'), ['97', '653']);
  assert.deepEqual(put('7'), ['97', '53']);
  assert.deepEqual(put('1'), ['97', '53'], 'it comes with the next page');
  assert.equal(inserted(pages, '8', (other) => '8' > other).pages[0]!.total, 11);
  assert.deepEqual(removed(pages, '5').pages.map((each) => [each.ids.join(''), each.total]), [['97', 9], ['3', 9]]);
});

test('entities that nothing needs are forgotten beyond what has room', () => {
  const {scope, queries} = wired(() => json({}));
  const into = scope.store.asking();
  for (let n = 0; n < 30; ++n) into.take('message', message(n));
  scope.store.sweep(() => 20);
  assert.equal(queries.getQueryCache().findAll({queryKey: keys.organization(kOrganization)}).length, 10);
});

test('the address of an export has the filter of the list, and the organization', () => {
  const {scope} = wired(() => json({}));
  const address = contactsExportAddress(scope, {search: 'a b', attributes: {city: 'Köln'}, sort_by: 'name', status: 'Active'});
  assert.equal(address, `/api/contacts/export?organization_id=${kOrganization}&search=a+b&status=Active&attributes%5Bcity%5D=K%C3%B6ln`);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {InfiniteData} from '@tanstack/react-query';
import {contactsFamily, contactsExportAddress} from '../../../gateway/console/src/api/contacts.ts';
import {pagesOptions} from '../../../gateway/console/src/api/hooks.ts';
import {threadFamily} from '../../../gateway/console/src/api/messages.ts';
import {inserted, keys, removed, type Page} from '../../../gateway/console/src/api/store.ts';
import {json, kOrganization, message, wired} from './support.ts';

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

test('what was told while a list was on its way is in it', async () => {
  const told = message(2);
  const {queries, scope} = wired(() => {
    scope.store.hear();
    scope.store.tell('message', told.uniqueId, 1, told, true);
    scope.store.insert(threadFamily.name, {conversationId: 'c-1'}, told.uniqueId, () => true);
    return json({messages: [message(1)], paginationMeta: {page: 1, per_page: 50, total: 1, nextCursor: null}});
  });
  const data = await queries.fetchInfiniteQuery(pagesOptions(scope, threadFamily, {conversationId: 'c-1'}));
  assert.deepEqual(data.pages[0], {ids: ['m-0002', 'm-0001'], next: null, total: 2, degraded: []});
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

test('a change that is expected is undone, unless something newer came', () => {
  const {scope} = wired(() => json({}));
  scope.store.asking().take('message', message(1));
  const undo = scope.store.expect('message', 'm-0001', {status: 'Read'});
  assert.equal(scope.store.get('message', 'm-0001')?.status, 'Read');
  undo();
  assert.equal(scope.store.get('message', 'm-0001')?.status, 'Unread');
  const late = scope.store.expect('message', 'm-0001', {status: 'Read'});
  scope.store.tell('message', 'm-0001', 1, {errorText: 'told'});
  late();
  assert.equal(scope.store.get('message', 'm-0001')?.errorText, 'told');
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
  scope.store.sweep(20);
  assert.equal(queries.getQueryCache().findAll({queryKey: keys.organization(kOrganization)}).length, 10);
});

test('the address of an export has the filter of the list, and the organization', () => {
  const {scope} = wired(() => json({}));
  const address = contactsExportAddress(scope, {search: 'a b', attributes: {city: 'Köln'}, sort_by: 'name', status: 'Active'});
  assert.equal(address, `/api/contacts/export?organization_id=${kOrganization}&search=a+b&status=Active&attributes%5Bcity%5D=K%C3%B6ln`);
});

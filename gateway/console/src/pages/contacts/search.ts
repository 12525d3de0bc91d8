import type {components} from '#schema';
import type {ContactsFilter} from '../../api/contacts.ts';
import {oneOf, present, text, texts, whole, type Search} from '../../shell/search.ts';

type Schemas = components['schemas'];
export type ContactStatus = Schemas['ContactStatus'];

export const kStatuses = ['Active', 'Inactive', 'Blocked', 'OptedOut'] as const satisfies readonly ContactStatus[];
export const kMostAttributes = 5;

/** What the address of the contacts' page says. Absent is what is usual, so that the shortest address is the whole list. */
export interface ContactsSearch {
  q?: string;
  tag?: string;
  list?: string;
  status?: ContactStatus;
  segment?: string;
  /** Values of attributes, each `NAME=VALUE`; a name has `%3D` for a `=` of its own. */
  has?: string[];
  sort?: 'name';
  order?: 'asc' | 'desc';
  /** Of more contacts than one scroll has, from 1. */
  page?: number;
}

const kId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads what anyone may have written into an address: what cannot be is left out. */
export function contactsSearch(raw: Search): ContactsSearch {
  const short = (value: unknown, most: number) => {
    const found = text(value);
    return found && found.length <= most ? found : undefined;
  };
  const id = (value: unknown) => {
    const found = text(value);
    return found && kId.test(found) ? found : undefined;
  };
  const has = attributesOf(texts(raw.has) ?? []);
  const sort = oneOf(raw.sort, ['name']);
  const order = oneOf(raw.order, ['asc', 'desc']);
  const page = whole(raw.page);
  return present({
    q: short(raw.q, 100),
    tag: short(raw.tag, 255),
    list: id(raw.list),
    status: oneOf(raw.status, kStatuses),
    segment: id(raw.segment),
    has: Object.keys(has).length > 0 ? hasOf(has) : undefined,
    sort,
    order: order === usualOrder(sort) ? undefined : order,
    page: page !== undefined && page > 1 ? page : undefined,
  });
}

export function attributesOf(has: readonly string[] = []): Record<string, string> {
  const pairs = has.flatMap((each) => {
    const at = each.indexOf('=');
    const value = each.slice(at + 1);
    return at > 0 && value.length <= 255 ? [[each.slice(0, at).replaceAll('%3D', '=').replaceAll('%25', '%'), value] as const] : [];
  });
  return Object.fromEntries(pairs.slice(0, kMostAttributes));
}

export const hasOf = (attributes: Readonly<Record<string, string>>): string[] =>
  Object.entries(attributes).map(([name, value]) => `${name.replaceAll('%', '%25').replaceAll('=', '%3D')}=${value}`);

/** Names from A to Z, and the newest first. */
export const usualOrder = (sort?: 'name'): 'asc' | 'desc' => (sort === 'name' ? 'asc' : 'desc');

export const orderOf = (search: ContactsSearch): 'asc' | 'desc' => search.order ?? usualOrder(search.sort);

/** The filter without the order: the same contacts have the same one, however they are sorted. */
export function filterOf({q, tag, list, status, segment, has}: ContactsSearch): ContactsFilter {
  return {
    ...(q && {search: q}),
    ...(tag && {tag}),
    ...(list && {list_id: list}),
    ...(status && {status}),
    ...(segment && {segment_id: segment}),
    ...(has && {attributes: attributesOf(has)}),
  };
}

export function listingOf(search: ContactsSearch): ContactsFilter {
  return {...filterOf(search), sort_by: search.sort ?? 'createdAt', order: orderOf(search)};
}

/** The same contacts for a change of all of them. */
export function bulkContactsOf({q, tag, list, status, segment, has}: ContactsSearch): Schemas['BulkContactsBody'] {
  return {
    ...(q && {search: q}),
    ...(tag && {tag}),
    ...(list && {listId: list}),
    ...(status && {status}),
    ...(segment && {segmentId: segment}),
    ...(has && {attributes: attributesOf(has)}),
  };
}

export const isFiltered = (search: ContactsSearch): boolean => Object.keys(filterOf(search)).length > 0;

/** Everybody on a list, and no other filter. */
export const isOfList = (search: ContactsSearch): boolean => Object.keys(filterOf(search)).join() === 'list_id';

/** Another filter begins at its first page. */
export function changed(search: ContactsSearch, change: {[K in keyof ContactsSearch]?: ContactsSearch[K] | undefined}): ContactsSearch {
  return contactsSearch({...search, page: undefined, ...change});
}

/** Sorts by a column, or the other way round if it is sorted by it. */
export function sortedBy(search: ContactsSearch, sort: 'name' | 'createdAt'): ContactsSearch {
  const isSame = (search.sort ?? 'createdAt') === sort;
  const by = sort === 'name' ? 'name' as const : undefined;
  const order = isSame ? (orderOf(search) === 'asc' ? 'desc' : 'asc') : usualOrder(by);
  return changed(search, {sort: by, order});
}

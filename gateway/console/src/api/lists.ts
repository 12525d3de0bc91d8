import type {components} from '#schema';
import {takeChange} from './client.ts';
import {takeList} from './entities.ts';
import {
  ask, changeHeaders, readVersioned, useChange, useEntity, useList, useSearchedList, type Family, type Filter, type Load,
} from './hooks.ts';
import type {Scope} from './scope.tsx';

type Schemas = components['schemas'];
export type ListsFilter = Filter<'/api/lists'>;

export const listsFamily: Family<ListsFilter> = {
  name: 'lists',
  perPage: 100,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/lists', {params: {query}, signal}));
    return {ids: data.lists.map((each) => takeList(into, each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useLists = (filter: ListsFilter = {}, enabled?: boolean) => useList(listsFamily, filter, enabled);
export const useSearchedLists = (words: string, enabled?: boolean) => useSearchedList(listsFamily, {}, words, enabled);

export const loadList: Load<'list'> = async (scope, id, into, signal) => {
  const call = scope.api.GET('/api/lists/{id}', {params: {path: {id}}, ...(signal && {signal})});
  const {data, ...rest} = await ask(scope, call);
  return {data: takeList(into, data.list), ...rest};
};
export const useListById = (id: string | null) => useEntity('list', id, loadList);

const read = (scope: Scope, id: string) => () => readVersioned(scope, 'list', id, loadList);

export const useCreateList = () => useChange(async (scope, body: Schemas['CreateListBody'], key) => {
  const into = scope.store.asking();
  const {data} = await ask(scope, scope.api.POST('/api/lists', {headers: changeHeaders(key), body}));
  return takeList(into, data.list);
}, {done: (scope) => scope.store.refreshLists(listsFamily.name)});

interface Named {
  id: string;
  version: string | null;
}

type ListChange = Named & {body: Schemas['UpdateListBody']};

export const useUpdateList = () => useChange(async (scope, {id, version, body}: ListChange, key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/lists/{id}', {params: {path: {id}}, headers: changeHeaders(key, version), body});
  return takeList(into, (await takeChange(ask(scope, call), read(scope, id))).data.list);
}, {done: (scope, _, {id}) => scope.store.stale('list', id)});

export const useUpdateListContacts = () =>
  useChange(async (scope, {id, body}: {id: string; body: Schemas['UpdateListContactsBody']}, key) => {
    const into = scope.store.asking();
    const call = scope.api.POST('/api/lists/{id}/contacts', {params: {path: {id}}, headers: changeHeaders(key), body});
    return takeList(into, (await ask(scope, call)).data.list);
  }, {done: (scope, _, {id, body}) => {
    for (const contact of [...(body.add ?? []), ...(body.remove ?? [])]) scope.store.stale('contact', contact);
    scope.store.stale('list', id);
  }});

export const useDeleteList = () => useChange(async (scope, {id, version}: Named, key) => {
  const call = scope.api.DELETE('/api/lists/{id}', {params: {path: {id}}, headers: changeHeaders(key, version)});
  await takeChange(ask(scope, call), read(scope, id));
}, {done: (scope, _, {id}) => {
  scope.store.removeFromLists(listsFamily.name, id);
  scope.store.gone('list', id);
}});

import type {components} from '#schema';
import {takeList} from './entities.ts';
import {
  family, loadBy, useCreate, useDelete, useEntity, useList, useSearchedList, useUpdate, type Creating, type Family, type Filter,
  type Load, type Updating,
} from './hooks.ts';

type Schemas = components['schemas'];
export type ListsFilter = Filter<'/api/lists'>;

export const listsFamily: Family<ListsFilter> = family('lists', 100,
  ({api}, filter, paging, signal) => api.GET('/api/lists', {params: {query: {...filter, ...paging}}, signal}),
  (into, {lists}) => lists.map((each) => takeList(into, each)));
export const useLists = (filter: ListsFilter = {}, enabled?: boolean) => useList(listsFamily, filter, enabled);
export const useSearchedLists = (words: string, enabled?: boolean) => useSearchedList(listsFamily, {}, words, enabled);

export const loadList: Load<'list'> = loadBy(({api}, request) => api.GET('/api/lists/{id}', request), (into, {list}) => takeList(into, list));
export const useListById = (id: string | null) => useEntity('list', id, loadList);

export const useCreateList = () => useCreate(listsFamily, ({api}, request: Creating<Schemas['CreateListBody']>) => api.POST('/api/lists', request),
  (into, {list}) => takeList(into, list));

export const useUpdateList = () => useUpdate('list', loadList,
  ({api}, request: Updating<Schemas['UpdateListBody']>) => api.POST('/api/lists/{id}', request), (into, {list}) => takeList(into, list));

export const useDeleteList = () => useDelete('list', listsFamily, loadList, ({api}, request) => api.DELETE('/api/lists/{id}', request));

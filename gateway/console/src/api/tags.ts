import type {components} from '#schema';
import {takeChange} from './client.ts';
import {
  ask, changeHeaders, readVersioned, useChange, useEntity, useList, type Family, type Filter, type Load,
} from './hooks.ts';
import type {Scope} from './scope.tsx';

type Schemas = components['schemas'];
export type TagsFilter = Filter<'/api/tags'>;

export const tagsFamily: Family<TagsFilter> = {
  name: 'tags',
  perPage: 100,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/tags', {params: {query}, signal}));
    return {ids: data.tags.map((each) => into.take('tag', each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useTags = (filter: TagsFilter = {}, enabled?: boolean) => useList(tagsFamily, filter, enabled);

export const loadTag: Load<'tag'> = async (scope, id, into, signal) => {
  const call = scope.api.GET('/api/tags/{id}', {params: {path: {id}}, ...(signal && {signal})});
  const {data, ...rest} = await ask(scope, call);
  return {data: into.take('tag', data.tag), ...rest};
};
export const useTag = (id: string | null) => useEntity('tag', id, loadTag);

const read = (scope: Scope, id: string) => () => readVersioned(scope, 'tag', id, loadTag);

export const useCreateTag = () => useChange(async (scope, body: Schemas['CreateTagBody'], key) => {
  const into = scope.store.asking();
  const {data} = await ask(scope, scope.api.POST('/api/tags', {headers: changeHeaders(key), body}));
  return into.take('tag', data.tag);
}, {done: (scope) => scope.store.refreshLists(tagsFamily.name)});

interface Named {
  id: string;
  version: string | null;
}

type TagChange = Named & {body: Schemas['UpdateTagBody']};

export const useUpdateTag = () => useChange(async (scope, {id, version, body}: TagChange, key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/tags/{id}', {params: {path: {id}}, headers: changeHeaders(key, version), body});
  return into.take('tag', (await takeChange(ask(scope, call), read(scope, id))).data.tag);
}, {done: (scope, _, {id}) => scope.store.stale('tag', id)});

export const useDeleteTag = () => useChange(async (scope, {id, version}: Named, key) => {
  const call = scope.api.DELETE('/api/tags/{id}', {params: {path: {id}}, headers: changeHeaders(key, version)});
  await takeChange(ask(scope, call), read(scope, id));
}, {done: (scope, _, {id}) => {
  scope.store.removeFromLists(tagsFamily.name, id);
  scope.store.gone('tag', id);
}});

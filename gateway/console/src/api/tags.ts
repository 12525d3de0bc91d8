import type {components} from '#schema';
import {
  family, loadBy, useCreate, useDelete, useEntity, useList, useUpdate, type Creating, type Family, type Filter,
  type Load, type Updating,
} from './hooks.ts';

type Schemas = components['schemas'];
export type TagsFilter = Filter<'/api/tags'>;

export const tagsFamily: Family<TagsFilter> = family('tags', 100,
  ({api}, filter, paging, signal) => api.GET('/api/tags', {params: {query: {...filter, ...paging}}, signal}),
  (into, {tags}) => tags.map((each) => into.take('tag', each)));
export const useTags = (filter: TagsFilter = {}, enabled?: boolean) => useList(tagsFamily, filter, enabled);

export const loadTag: Load<'tag'> = loadBy(({api}, request) => api.GET('/api/tags/{id}', request), (into, {tag}) => into.take('tag', tag));
export const useTag = (id: string | null) => useEntity('tag', id, loadTag);

export const useCreateTag = () => useCreate(tagsFamily, ({api}, request: Creating<Schemas['CreateTagBody']>) => api.POST('/api/tags', request),
  (into, {tag}) => into.take('tag', tag));

export const useUpdateTag = () => useUpdate('tag', loadTag,
  ({api}, request: Updating<Schemas['UpdateTagBody']>) => api.POST('/api/tags/{id}', request), (into, {tag}) => into.take('tag', tag));

export const useDeleteTag = () => useDelete('tag', tagsFamily, loadTag, ({api}, request) => api.DELETE('/api/tags/{id}', request));

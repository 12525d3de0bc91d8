import type {components} from '#schema';
import {takeChange} from './client.ts';
import {
  ask, changeHeaders, readVersioned, useChange, useEntity, useList, usePart, type Family, type Filter, type Load,
} from './hooks.ts';
import type {Scope} from './scope.tsx';

type Schemas = components['schemas'];
export type SegmentFilter = Schemas['SegmentFilter'];
export type SegmentsFilter = Filter<'/api/segments'>;

export const segmentsFamily: Family<SegmentsFilter> = {
  name: 'segments',
  perPage: 100,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/segments', {params: {query}, signal}));
    return {ids: data.segments.map((each) => into.take('segment', each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useSegments = (filter: SegmentsFilter = {}, enabled?: boolean) => useList(segmentsFamily, filter, enabled);

export const loadSegment: Load<'segment'> = async (scope, id, into, signal) => {
  const call = scope.api.GET('/api/segments/{id}', {params: {path: {id}}, ...(signal && {signal})});
  const {data, ...rest} = await ask(scope, call);
  return {data: into.take('segment', data.segment), ...rest};
};
export const useSegment = (id: string | null) => useEntity('segment', id, loadSegment);

/** How many contacts a filter has; `null` asks nothing. */
export const useSegmentCount = (filter: SegmentFilter | null) => usePart(['segment count', filter], (scope, signal) =>
  ask(scope, scope.api.POST('/api/segments/count', {body: {filter: filter!}, signal})), {enabled: filter !== null, isFresh: true});

// ---- changes --------------------------------------------------------------------------------------------------------

const read = (scope: Scope, id: string) => () => readVersioned(scope, 'segment', id, loadSegment);

export const useCreateSegment = () => useChange(async (scope, body: Schemas['CreateSegmentBody'], key) => {
  const into = scope.store.asking();
  const {data} = await ask(scope, scope.api.POST('/api/segments', {headers: changeHeaders(key), body}));
  return into.take('segment', data.segment);
}, {done: (scope) => scope.store.refreshLists(segmentsFamily.name)});

interface Named {
  id: string;
  version: string | null;
}

export const useUpdateSegment = () => useChange(async (scope, {id, version, body}: Named & {body: Schemas['UpdateSegmentBody']}, key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/segments/{id}', {params: {path: {id}}, headers: changeHeaders(key, version), body});
  return into.take('segment', (await takeChange(ask(scope, call), read(scope, id))).data.segment);
}, {done: (scope, _, {id}) => scope.store.stale('segment', id)});

export const useDeleteSegment = () => useChange(async (scope, {id, version}: Named, key) => {
  const call = scope.api.DELETE('/api/segments/{id}', {params: {path: {id}}, headers: changeHeaders(key, version)});
  await takeChange(ask(scope, call), read(scope, id));
}, {done: (scope, _, {id}) => {
  scope.store.removeFromLists(segmentsFamily.name, id);
  scope.store.gone('segment', id);
}});

import type {components} from '#schema';
import {
  ask, family, loadBy, useCreate, useDelete, useEntity, useList, usePart, useUpdate, type Creating, type Family,
  type Filter, type Load, type Updating,
} from './hooks.ts';

type Schemas = components['schemas'];
export type SegmentFilter = Schemas['SegmentFilter'];
export type SegmentsFilter = Filter<'/api/segments'>;

export const segmentsFamily: Family<SegmentsFilter> = family('segments', 100,
  ({api}, filter, paging, signal) => api.GET('/api/segments', {params: {query: {...filter, ...paging}}, signal}),
  (into, {segments}) => segments.map((each) => into.take('segment', each)));
export const useSegments = (filter: SegmentsFilter = {}, enabled?: boolean) => useList(segmentsFamily, filter, enabled);

export const loadSegment: Load<'segment'> = loadBy(({api}, request) => api.GET('/api/segments/{id}', request), (into, {segment}) => into.take('segment', segment));
export const useSegment = (id: string | null) => useEntity('segment', id, loadSegment);

/** How many contacts a filter has; `null` asks nothing. */
export const useSegmentCount = (filter: SegmentFilter | null) => usePart(['segment count', filter], (scope, signal) =>
  ask(scope, scope.api.POST('/api/segments/count', {body: {filter: filter!}, signal})), {enabled: filter !== null, isFresh: true});

// ---- changes --------------------------------------------------------------------------------------------------------

export const useCreateSegment = () => useCreate(segmentsFamily, ({api}, request: Creating<Schemas['CreateSegmentBody']>) => api.POST('/api/segments', request),
  (into, {segment}) => into.take('segment', segment));

export const useUpdateSegment = () => useUpdate('segment', loadSegment,
  ({api}, request: Updating<Schemas['UpdateSegmentBody']>) => api.POST('/api/segments/{id}', request), (into, {segment}) => into.take('segment', segment));

export const useDeleteSegment = () => useDelete('segment', segmentsFamily, loadSegment, ({api}, request) => api.DELETE('/api/segments/{id}', request));

import type {components} from '#schema';
import {ask, useEntity, useList, usePart, type Family, type Filter, type Load} from './hooks.ts';

export type SegmentFilter = components['schemas']['SegmentFilter'];
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
  ask(scope, scope.api.POST('/api/segments/count', {body: {filter: filter!}, signal})), {enabled: filter !== null});

import type {components} from '#schema';
import {ask, changeHeaders, useChange, useEntity, useList, type Family, type Filter, type Load} from './hooks.ts';

type Schemas = components['schemas'];
export type BulkChangesFilter = Filter<'/api/contacts/bulk-changes'>;

export const bulkChangesFamily: Family<BulkChangesFilter> = {
  name: 'bulk changes',
  perPage: 20,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/contacts/bulk-changes', {params: {query}, signal}));
    return {ids: data.bulkChanges.map((each) => into.take('bulkChange', each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useBulkChanges = (filter: BulkChangesFilter = {}, enabled?: boolean) => useList(bulkChangesFamily, filter, enabled);

export const loadBulkChange: Load<'bulkChange'> = async (scope, id, into, signal) => {
  const call = scope.api.GET('/api/contacts/bulk-changes/{id}', {params: {path: {id}}, ...(signal && {signal})});
  const {data, ...rest} = await ask(scope, call);
  return {data: into.take('bulkChange', data.bulkChange), ...rest};
};
/** No event tells how far it is: it is asked once a second until it has ended. */
export const useBulkChange = (id: string | null) => useEntity('bulkChange', id, loadBulkChange, (value) =>
  value?.status === 'Queued' || value?.status === 'Running' ? 1000 : false);

/** A 409 says that `expected` is another number by now. */
export const useStartBulkChange = () => useChange(async (scope, body: Schemas['StartBulkChangeBody'], key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/contacts/bulk-changes', {headers: changeHeaders(key), body});
  return into.take('bulkChange', (await ask(scope, call)).data.bulkChange);
}, {done: (scope) => scope.store.refreshLists(bulkChangesFamily.name)});

export const useCancelBulkChange = () => useChange(async (scope, id: string, key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/contacts/bulk-changes/{id}/cancel', {params: {path: {id}}, headers: changeHeaders(key)});
  return into.take('bulkChange', (await ask(scope, call)).data.bulkChange);
});

import type {components} from '#schema';
import {
  ask, changeHeaders, family, loadBy, useChange, useEntity, useList, type Family, type Filter, type Load,
} from './hooks.ts';

type Schemas = components['schemas'];
export type BulkChangesFilter = Filter<'/api/contacts/bulk-changes'>;

export const bulkChangesFamily: Family<BulkChangesFilter> = family('bulk changes', 20,
  ({api}, filter, paging, signal) => api.GET('/api/contacts/bulk-changes', {params: {query: {...filter, ...paging}}, signal}),
  (into, {bulkChanges}) => bulkChanges.map((each) => into.take('bulkChange', each)));
export const useBulkChanges = (filter: BulkChangesFilter = {}, enabled?: boolean) => useList(bulkChangesFamily, filter, enabled);

export const loadBulkChange: Load<'bulkChange'> = loadBy(({api}, request) => api.GET('/api/contacts/bulk-changes/{id}', request), (into, {bulkChange}) => into.take('bulkChange', bulkChange));
/** No event tells how far it is: it is asked once a second until it has ended. */
export const useBulkChange = (id: string | null) => useEntity('bulkChange', id, loadBulkChange, {
  every: (value) => value?.status === 'Queued' || value?.status === 'Running' ? 1000 : false,
});

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

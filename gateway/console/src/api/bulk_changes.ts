import type {components} from '#schema';
import {ask, changeHeaders, loadBy, useChange, useEntity, type Load} from './hooks.ts';

type Schemas = components['schemas'];

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
});

export const useCancelBulkChange = () => useChange(async (scope, id: string, key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/contacts/bulk-changes/{id}/cancel', {params: {path: {id}}, headers: changeHeaders(key)});
  return into.take('bulkChange', (await ask(scope, call)).data.bulkChange);
});

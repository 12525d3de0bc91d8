import {
  ask, changeHeaders, family, loadBy, useChange, useEntity, useList, type Family, type Filter, type Load,
} from './hooks.ts';
import type {Scope} from './scope.tsx';
import {upload} from './upload.ts';
import type {components, paths} from '#schema';

type Schemas = components['schemas'];
export type ImportsFilter = Filter<'/api/contacts/imports'>;
export type ImportOptions = NonNullable<paths['/api/contacts/imports']['post']['parameters']['query']>;

export const importsFamily: Family<ImportsFilter> = family('imports', 20,
  ({api}, filter, paging, signal) => api.GET('/api/contacts/imports', {params: {query: {...filter, ...paging}}, signal}),
  (into, {imports}) => imports.map((each) => into.take('import', each)));
export const useImports = (filter: ImportsFilter = {}, enabled?: boolean) => useList(importsFamily, filter, enabled);

export const loadImport: Load<'import'> = loadBy(({api}, request) => api.GET('/api/contacts/imports/{id}', request), (into, data) => into.take('import', data.import));
/** How far it is comes by events; the rows that failed are read when it has ended. */
export const useImport = (id: string | null) => useEntity('import', id, loadImport);

export interface StartImport {
  file: Blob;
  options: ImportOptions;
  /** The share of the file that has gone out, 0 to 1. */
  onSent?: (share: number) => void;
  signal?: AbortSignal;
}

export const useStartImport = () => useChange(async (scope, {file, options, onSent, signal}: StartImport, key) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options)) if (value !== undefined) query.set(name, String(value));
  const address = '/api/contacts/imports?' + query;
  const into = scope.store.asking();
  const {data} = await upload<Schemas['ImportResponse']>(scope.wire, {
    address, organization: scope.organization, key, file, type: 'text/csv', ...(onSent && {onSent}), ...(signal && {signal}),
  });
  return into.take('import', data.import);
}, {done: (scope) => scope.store.refreshLists(importsFamily.name)});

export const useCancelImport = () => useChange(async (scope, id: string, key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/contacts/imports/{id}/cancel', {params: {path: {id}}, headers: changeHeaders(key)});
  return into.take('import', (await ask(scope, call)).data.import);
});

export const failedRowsAddress = (scope: Scope, id: string) =>
  `/api/contacts/imports/${id}/failed-rows?organization_id=${scope.organization}`;

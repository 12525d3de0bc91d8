import type {components} from '#schema';
import {takeChange} from './client.ts';
import {takeContact, type Contact} from './entities.ts';
import {
  ask, changeHeaders, readVersioned, useChange, useEntity, useList, usePart, type Family, type Filter, type Load,
} from './hooks.ts';
import type {Scope} from './scope.tsx';

type Schemas = components['schemas'];
export type ContactsFilter = Filter<'/api/contacts'>;

export const contactsFamily: Family<ContactsFilter> = {
  name: 'contacts',
  perPage: 100,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/contacts', {params: {query}, signal}));
    for (const contact of data.contacts) takeContact(into, contact);
    return {ids: data.contacts.map((each) => each.uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useContacts = (filter: ContactsFilter, enabled?: boolean) => useList(contactsFamily, filter, enabled);

export const loadContact: Load<'contact'> = async (scope, id, into, signal) => {
  const call = scope.api.GET('/api/contacts/{id}', {params: {path: {id}}, ...(signal && {signal})});
  const {data, ...rest} = await ask(scope, call);
  return {data: takeContact(into, data.contact), ...rest};
};
export const useContact = (id: string | null) => useEntity('contact', id, loadContact);

export const useContactAttributes = () => usePart(['contact attributes'], (scope, signal) =>
  ask(scope, scope.api.GET('/api/contacts/attributes', {signal})));

/** The file is made while it is sent, so it is a link, not a call. */
export function contactsExportAddress(scope: Scope, filter: ContactsFilter): string {
  const {attributes, sort_by: _by, order: _order, ...rest} = filter;
  const query = new URLSearchParams({organization_id: scope.organization});
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
  for (const [name, value] of Object.entries(attributes ?? {})) query.set(`attributes[${name}]`, value);
  return '/api/contacts/export?' + query;
}

export const useCreateContact = () => useChange(async (scope, body: Schemas['CreateContactBody'], key): Promise<Contact> => {
  const into = scope.store.asking();
  const {data} = await ask(scope, scope.api.POST('/api/contacts', {headers: changeHeaders(key), body}));
  if (!('contact' in data)) throw new Error('one contact was made');
  return takeContact(into, data.contact);
});  // lists hear of it by the stream

export interface ContactChange {
  id: string;
  version: string | null;
  body: Schemas['UpdateContactBody'];
}

export const useUpdateContact = () => useChange(async (scope, {id, version, body}: ContactChange, key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/contacts/{id}', {params: {path: {id}}, headers: changeHeaders(key, version), body});
  const {data} = await takeChange(ask(scope, call), () => readVersioned(scope, 'contact', id, loadContact));
  return takeContact(into, data.contact);
}, {
  expect: (scope, {id, body: {name, status}}) =>
    scope.store.expect('contact', id, {...(name !== undefined && {name}), ...(status !== undefined && {status})}),
  done: (scope, _, {id}) => scope.store.stale('contact', id),  // its version is another one now
});

export const useDeleteContact = () => useChange(async (scope, {id, version}: Omit<ContactChange, 'body'>, key) => {
  const call = scope.api.DELETE('/api/contacts/{id}', {params: {path: {id}}, headers: changeHeaders(key, version)});
  await takeChange(ask(scope, call), () => readVersioned(scope, 'contact', id, loadContact));
}, {done: (scope, _, {id}) => {
  scope.store.removeFromLists(contactsFamily.name, id);
  scope.store.gone('contact', id);
}});

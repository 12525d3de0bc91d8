import type {components} from '#schema';
import {takeContact, type Contact} from './entities.ts';
import {
  ask, changeHeaders, family, loadBy, useChange, useDelete, useEntity, useList, usePart, useUpdate, type Family,
  type Filter, type Load, type Updating,
} from './hooks.ts';
import type {Scope} from './scope.tsx';

type Schemas = components['schemas'];
export type ContactsFilter = Filter<'/api/contacts'>;

export const contactsFamily: Family<ContactsFilter> = family('contacts', 100,
  ({api}, filter, paging, signal) => api.GET('/api/contacts', {params: {query: {...filter, ...paging}}, signal}),
  (into, {contacts}) => contacts.map((each) => takeContact(into, each)));
export const useContacts = (filter: ContactsFilter, enabled?: boolean) => useList(contactsFamily, filter, enabled);

export const loadContact: Load<'contact'> = loadBy(({api}, request) => api.GET('/api/contacts/{id}', request), (into, {contact}) => takeContact(into, contact));
/** `mayAsk`: conversations bring what they show of a contact, for those too who may not read contacts. */
export const useContact = (id: string | null, mayAsk = true) => useEntity('contact', id, loadContact, {enabled: mayAsk});

export const useContactAttributes = (mayAsk = true) => usePart(['contact attributes'], (scope, signal) =>
  ask(scope, scope.api.GET('/api/contacts/attributes', {signal})), {enabled: mayAsk});

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

export const useUpdateContact = () => useUpdate('contact', loadContact,
  ({api}, request: Updating<Schemas['UpdateContactBody']>) => api.POST('/api/contacts/{id}', request),
  (into, {contact}) => takeContact(into, contact),
  ({name, status}) => ({...(name !== undefined && {name}), ...(status !== undefined && {status})}));

export const useDeleteContact = () => useDelete('contact', contactsFamily, loadContact,
  ({api}, request) => api.DELETE('/api/contacts/{id}', request));

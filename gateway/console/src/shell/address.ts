import {useParams} from '@tanstack/react-router';
import {addressIn} from '../session/address.ts';
import {stringifySearch, type Search} from './search.ts';

/** Addresses of pages in the organization that is shown: `to('contacts', {tag: 'vip'})`. */
export function useAddress(): (page: string, search?: Search) => string {
  const organization = useOrganizationId();
  return (page, search = {}) => addressIn(organization, page) + stringifySearch(search);
}

/** Of the whole address this alone is looked at: what uses it does not render because one goes from one conversation to the next. */
export function useOrganizationId(): string {
  const organization = useParams({strict: false, select: (params) => params.organization});
  if (!organization) throw new Error('outside of an organization');
  return organization;
}

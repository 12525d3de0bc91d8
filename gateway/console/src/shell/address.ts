import {useParams} from '@tanstack/react-router';
import {addressIn} from '../session/address.ts';
import {stringifySearch, type Search} from './search.ts';

/** Addresses of pages in the organization that is shown: `to('contacts', {tag: 'vip'})`. */
export function useAddress(): (page: string, search?: Search) => string {
  const organization = useOrganizationId();
  return (page, search = {}) => addressIn(organization, page) + stringifySearch(search);
}

export function useOrganizationId(): string {
  const {organization} = useParams({strict: false});
  if (!organization) throw new Error('outside of an organization');
  return organization;
}

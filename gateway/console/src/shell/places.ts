import {useRouter} from '@tanstack/react-router';
import {useAddress} from './address.ts';
import type {Search} from './search.ts';

/** Addresses of pages of the organization; undefined for a page that the console does not have. */
export function usePlaces(): (page: string, search?: Search, route?: string) => string | undefined {
  const to = useAddress();
  const router = useRouter();
  const routes = router.routesByPath as Readonly<Record<string, unknown>>;
  return (page, search = {}, route = page) => (routes['/console/o/$organization/' + route] ? to(page, search) : undefined);
}

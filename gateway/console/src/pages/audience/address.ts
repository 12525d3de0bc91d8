import {useRouter, useSearch} from '@tanstack/react-router';
import {useAddress} from '../../shell/address.ts';
import {oneOf, present, text, type Search} from '../../shell/search.ts';

/** What the address of one of the smaller lists says. Absent is what is usual. */
export interface ListingSearch<Sort extends string> {
  q?: string;
  sort?: Sort;
  order?: 'asc' | 'desc';
}

export function listingSearch<Sort extends string>(raw: Search, sorts: readonly Sort[]): ListingSearch<Sort> {
  return present({q: text(raw.q)?.slice(0, 100), sort: oneOf(raw.sort, sorts), order: oneOf(raw.order, ['asc', 'desc'])}) as ListingSearch<Sort>;
}

/** The search and the order of a list, and how they change. The first of `sorts`, with their usual orders, is the usual one. */
export function useListing<Sort extends string>(page: string, sorts: Readonly<Record<Sort, 'asc' | 'desc'>>) {
  const router = useRouter();
  const to = useAddress();
  const names = Object.keys(sorts) as Sort[];
  const search = listingSearch(useSearch({strict: false}), names);
  const [by, order] = [search.sort ?? names[0]!, search.order ?? sorts[search.sort ?? names[0]!]];
  const go = (next: ListingSearch<Sort>) => void router.navigate({href: to(page, {...next}), replace: true});
  return {
    search, by, order,
    onSearch: (q: string) => go({...search, q}),
    /** For the header of a column. */
    sorted: (column: Sort) => ({
      sort: by === column ? (order === 'asc' ? 'ascending' as const : 'descending' as const) : 'none' as const,
      onSort: () => go({...search, sort: column, order: by === column ? (order === 'asc' ? 'desc' : 'asc') : sorts[column]}),
    }),
  };
}

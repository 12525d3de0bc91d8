import type {IconName} from '../design/icon.tsx';
import type {Texts} from '../texts/index.tsx';

export interface Area {
  /** Below the organization: `contacts`. */
  readonly page: keyof Texts['shell']['pages'];
  readonly icon: IconName;
  /** Any of these shows it; none for what is everybody's. */
  readonly permissions: readonly string[];
  readonly group: 'work' | 'audience' | 'organization';
  readonly inBar?: boolean;
  /** Two keys that lead there. */
  readonly keys?: string;
}

/** The navigation, in its order. An area shows when the permission of its first call is held. */
export const areas: readonly Area[] = [
  {page: 'home', icon: 'home', permissions: [], group: 'work', inBar: true, keys: 'g h'},
  {page: 'inbox', icon: 'inbox', permissions: ['Get:Conversation'], group: 'work', inBar: true, keys: 'g i'},
  {page: 'contacts', icon: 'contacts', permissions: ['Get:Contact'], group: 'work', inBar: true, keys: 'g c'},
  {page: 'lists', icon: 'list', permissions: ['Get:List'], group: 'audience'},
  {page: 'segments', icon: 'segment', permissions: ['Get:List'], group: 'audience'},
  {page: 'tags', icon: 'tag', permissions: ['Get:Tag'], group: 'audience'},
  {page: 'imports', icon: 'upload', permissions: ['BulkImport:Contacts'], group: 'audience'},
];

export const isHeld = (held: readonly string[] | undefined, wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((each) => held?.includes(each));

export const shownAreas = (held: readonly string[] | undefined): Area[] =>
  areas.filter(({permissions}) => isHeld(held, permissions));

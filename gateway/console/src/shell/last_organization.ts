import {storage} from '../live/storage.ts';
import type {Membership} from '../session/session.ts';

const kName = 'parley.organization';

/** Where to begin: in the organization that was shown last in this browser. */
export function lastOrganization(organizations: readonly Membership[]): Membership | undefined {
  const last = storage.getItem(kName);
  return organizations.find((each) => each.uniqueId === last) ?? organizations[0];
}

export function rememberOrganization(id: string): void {
  storage.setItem(kName, id);
}

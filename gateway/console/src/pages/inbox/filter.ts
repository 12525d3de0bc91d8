import type {components} from '#schema';
import type {ConversationsFilter} from '../../api/conversations.ts';
import type {InboxSearch} from './search.ts';

type Counts = components['schemas']['ConversationCounts'];

/** What the API lists for an address. */
export function filterOf({whose, state, list, campaigns, q, in: place}: InboxSearch, memberId: string): ConversationsFilter {
  return {
    status: state === 'closed' ? 'Closed' : 'Active',
    ...(whose && {assigned_to: whose === 'mine' ? memberId : whose}),
    ...(state === 'awaiting' && {awaiting: true}),
    ...(state === 'unread' && {unread: true}),
    ...(list && {list_id: list}),
    ...(!campaigns && {has_inbound: true}),
    ...(q && place !== 'messages' && {search: q.slice(0, 100)}),
  };
}

/** Whether less is listed than a tab says. */
export const isFiltered = ({list, q, state, whose}: InboxSearch): boolean =>
  Boolean(list || q || state || (whose && whose !== 'mine' && whose !== 'none'));

/** The figure of a tab; undefined where nothing counts it, as with a filter, or it is not known. */
export function countOf(counts: Counts | undefined, whose: 'mine' | 'none' | 'all', {state, list, q}: InboxSearch): number | undefined {
  if (!counts || list || q) return undefined;
  if (!state) return {mine: counts.assignedToMe, none: counts.unassigned, all: counts.active}[whose];
  return whose === 'all' ? {awaiting: counts.awaiting, unread: counts.unread, closed: counts.closed}[state] : undefined;
}

/**
 * The conversation before or after the one that is open; the first, if none is. Where the open one has left the list, those
 * around its `last` place are its neighbours.
 */
export function neighbour(ids: readonly string[], current: string | undefined, by: 1 | -1, last = -1): string | undefined {
  const place = current === undefined ? -1 : ids.indexOf(current);
  if (place >= 0) return ids[place + by];
  if (last < 0) return ids[0];
  return ids[by === 1 ? last : last - 1] ?? ids.at(-1);
}

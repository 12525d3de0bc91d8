import {family, loadBy, useEntity, useList, useSearchedList, type Family, type Filter, type Load} from './hooks.ts';

export type MembersFilter = Filter<'/api/organization/members'>;

export const membersFamily: Family<MembersFilter> = family('members', 100,
  ({api}, filter, paging, signal) => api.GET('/api/organization/members', {params: {query: {...filter, ...paging}}, signal}),
  (into, {members}) => members.map((each) => into.take('member', each)));
export const useMembers = (filter: MembersFilter = {}, enabled?: boolean) => useList(membersFamily, filter, enabled);
export const useSearchedMembers = (words: string, enabled?: boolean) => useSearchedList(membersFamily, {}, words, enabled);

export const loadMember: Load<'member'> = loadBy(({api}, request) => api.GET('/api/organization/members/{id}', request), (into, {member}) => into.take('member', member));
/** Null of who was removed: what they wrote stays. */
export const useMember = (id: string | null) => useEntity('member', id, loadMember);

import {ask, useEntity, useList, useSearchedList, type Family, type Filter, type Load} from './hooks.ts';

export type MembersFilter = Filter<'/api/organization/members'>;

export const membersFamily: Family<MembersFilter> = {
  name: 'members',
  perPage: 100,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/organization/members', {params: {query}, signal}));
    return {ids: data.members.map((each) => into.take('member', each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useMembers = (filter: MembersFilter = {}, enabled?: boolean) => useList(membersFamily, filter, enabled);
export const useSearchedMembers = (words: string, enabled?: boolean) => useSearchedList(membersFamily, {}, words, enabled);

export const loadMember: Load<'member'> = async (scope, id, into, signal) => {
  const call = scope.api.GET('/api/organization/members/{id}', {params: {path: {id}}, ...(signal && {signal})});
  const {data, ...rest} = await ask(scope, call);
  return {data: into.take('member', data.member), ...rest};
};
/** Null of who was removed: what they wrote stays. */
export const useMember = (id: string | null) => useEntity('member', id, loadMember);

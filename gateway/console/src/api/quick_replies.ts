import {ask, useList, usePart, type Family, type Filter} from './hooks.ts';

export type QuickRepliesFilter = Filter<'/api/quick-replies'>;

export const quickRepliesFamily: Family<QuickRepliesFilter> = {
  name: 'quick replies',
  perPage: 20,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/quick-replies', {params: {query}, signal}));
    return {ids: data.quickReplies.map((each) => into.take('quickReply', each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useQuickReplies = (filter: QuickRepliesFilter = {}, enabled?: boolean) =>
  useList(quickRepliesFamily, filter, enabled);

/** The reply as it would be sent to a contact, with `missing` values named. */
export const useQuickReplyPreview = (id: string | null, contactId: string) =>
  usePart(['quick reply preview', id, contactId], (scope, signal) => {
    const params = {path: {id: id!}, query: {contact_id: contactId}};
    return ask(scope, scope.api.GET('/api/quick-replies/{id}/preview', {params, signal}));
  }, {enabled: id !== null});

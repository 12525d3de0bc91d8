import {ask, family, usePart, useSearchedList, type Family, type Filter} from './hooks.ts';

export type QuickRepliesFilter = Filter<'/api/quick-replies'>;

export const quickRepliesFamily: Family<QuickRepliesFilter> = family('quick replies', 100,
  ({api}, filter, paging, signal) => api.GET('/api/quick-replies', {params: {query: {...filter, ...paging}}, signal}),
  (into, {quickReplies}) => quickReplies.map((each) => into.take('quickReply', each)));
export const useSearchedQuickReplies = (words: string, enabled?: boolean) => useSearchedList(quickRepliesFamily, {}, words, enabled);

/** The reply as it would be sent to a contact, with `missing` values named. */
export const useQuickReplyPreview = (id: string | null, contactId: string) =>
  usePart(['quick reply preview', id, contactId], (scope, signal) => {
    const params = {path: {id: id!}, query: {contact_id: contactId}};
    return ask(scope, scope.api.GET('/api/quick-replies/{id}/preview', {params, signal}));
  }, {enabled: id !== null});

import {family, useSearchedList, type Family, type Filter} from './hooks.ts';

export type QuickRepliesFilter = Filter<'/api/quick-replies'>;

export const quickRepliesFamily: Family<QuickRepliesFilter> = family('quick replies', 100,
  ({api}, filter, paging, signal) => api.GET('/api/quick-replies', {params: {query: {...filter, ...paging}}, signal}),
  (into, {quickReplies}) => quickReplies.map((each) => into.take('quickReply', each)));
export const useSearchedQuickReplies = (words: string, enabled?: boolean) => useSearchedList(quickRepliesFamily, {}, words, enabled);

import {useInfiniteQuery} from '@tanstack/react-query';
import type {Message} from './entities.ts';
import {ask, family, loadBy, useEntity, useList, type Family, type Filter, type Load} from './hooks.ts';
import {useScope, type Scope} from './scope.tsx';
import {keys} from './store.ts';

export interface ThreadFilter {
  conversationId: string;
}

/** A thread, the newest first. */
export const threadFamily: Family<ThreadFilter> = family('thread', 50,
  ({api}, {conversationId: id}, query, signal) => api.GET('/api/conversation/{id}/messages', {params: {path: {id}, query}, signal}),
  (into, {messages}) => messages.map((each) => into.take('message', each)));
export const useThread = (conversationId: string, enabled?: boolean) => useList(threadFamily, {conversationId}, enabled);

/** The order of threads: the newest first, and of the same moment the greater id. */
export function isNewer(a: Pick<Message, 'createdAt' | 'uniqueId'>, b: Pick<Message, 'createdAt' | 'uniqueId'>): boolean {
  return a.createdAt !== b.createdAt ? a.createdAt > b.createdAt : a.uniqueId > b.uniqueId;
}

export type MessagesFilter = Filter<'/api/messages'>;

/** All messages, such as those of a contact in all conversations and campaigns. */
export const messagesFamily: Family<MessagesFilter> = family('messages', 50,
  ({api}, filter, paging, signal) => api.GET('/api/messages', {params: {query: {...filter, ...paging}}, signal}),
  (into, {messages}) => messages.map((each) => into.take('message', each)));
export const useMessages = (filter: MessagesFilter, enabled?: boolean) => useList(messagesFamily, filter, enabled);

export const loadMessage: Load<'message'> = loadBy(({api}, request) => api.GET('/api/messages/{id}', request), (into, {message}) => into.take('message', message));
export const useMessage = (id: string | null) => useEntity('message', id, loadMessage);

export type SearchFilter = Filter<'/api/messages/search'>;

/** What was found, with the pieces of text to mark; the messages live by their ids. Nothing counts them. */
export function useMessageSearch(filter: SearchFilter) {
  const scope = useScope();
  return useInfiniteQuery({
    queryKey: keys.part(scope.organization, 'message search', filter),
    enabled: filter.search.trim() !== '',
    initialPageParam: null as string | null,
    queryFn: async ({pageParam, signal}) => {
      const into = scope.store.asking();
      const query = {...filter, per_page: 20, ...(pageParam !== null && {cursor: pageParam})};
      const {data} = await ask(scope, scope.api.GET('/api/messages/search', {params: {query}, signal}));
      const matches = data.matches.map(({message, highlights}) => ({id: into.take('message', message).uniqueId, highlights}));
      return {matches, next: data.paginationMeta.nextCursor};
    },
    getNextPageParam: (last) => last.next,
  });
}

/** For `src` and links: the cookie goes with it. */
export const mediaAddress = (scope: Scope, messageId: string) =>
  `/api/messages/${messageId}/media?organization_id=${scope.organization}`;

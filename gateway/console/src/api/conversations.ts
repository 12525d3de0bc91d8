import type {components} from '#schema';
import {takeChange, type Answer} from './client.ts';
import {takeConversation, type Conversation} from './entities.ts';
import {
  ask, changeHeaders, family, loadBy, readVersioned, useChange, useEntity, useList, usePart, type Family, type Filter,
  type Load,
} from './hooks.ts';
import type {Scope} from './scope.tsx';

type Schemas = components['schemas'];
export type ConversationsFilter = Filter<'/api/conversations'>;

export const conversationsFamily: Family<ConversationsFilter> = family('conversations', 50,
  ({api}, filter, paging, signal) => api.GET('/api/conversations', {params: {query: {...filter, ...paging}}, signal}),
  (into, {conversations}, degraded) => conversations.map((each) => takeConversation(into, each, degraded)));
export const useConversations = (filter: ConversationsFilter, enabled?: boolean) =>
  useList(conversationsFamily, filter, enabled);

export const loadConversation: Load<'conversation'> = loadBy(({api}, request) => api.GET('/api/conversation/{id}', request),
  (into, {conversation}, degraded) => takeConversation(into, conversation, degraded));
export const useConversation = (id: string | null) => useEntity('conversation', id, loadConversation);

/** What an event says beyond the conversation itself. */
export interface Heard {
  direction?: Schemas['MessageDirection'];
}

/** Whether a conversation belongs to a list, as far as that can be told here: undefined otherwise. */
export function matches(filter: ConversationsFilter, conversation: Conversation, heard: Heard = {}): boolean | undefined {
  const wrote = heard.direction === 'InBound' || conversation.initiatedBy === 'Contact'
    || conversation.numberOfUnreadMessages > 0;
  const isActive = conversation.status === 'Active';
  const awaits = isActive ? heard.direction && heard.direction === 'InBound' : false;
  const assigned = conversation.assignedMemberId === undefined ? undefined : conversation.assignedMemberId ?? 'none';
  const all: (boolean | undefined)[] = [
    filter.status ? conversation.status === filter.status : conversation.status !== 'Deleted',
    !filter.contact_id || conversation.contactId === filter.contact_id,
    !filter.campaign_id || conversation.campaignId === filter.campaign_id,
    !filter.initiated_by || conversation.initiatedBy === filter.initiated_by,
    !filter.unread || conversation.numberOfUnreadMessages > 0,
    !filter.assigned_to || (assigned === undefined ? undefined : assigned === filter.assigned_to),
    !filter.awaiting || awaits,
    filter.has_inbound === undefined || (wrote ? filter.has_inbound : undefined),
    !filter.list_id && !filter.search ? true : undefined,
  ];
  if (all.includes(false)) return false;
  return all.includes(undefined) ? undefined : true;
}

/** Figures of the inbox's tabs. Without an answer they are unknown, not 0. */
export const useConversationCounts = (hasInbound = true, enabled = true) => usePart(['conversation counts', hasInbound], (scope, signal) =>
  ask(scope, scope.api.GET('/api/conversations/counts', {params: {query: {has_inbound: hasInbound}}, signal})), {enabled});

// ---- changes --------------------------------------------------------------------------------------------------------

interface Named {
  id: string;
  /** Only what was seen so is changed; without it whatever it is by now. */
  version?: string | null;
}
type Answered = Promise<Answer<Schemas['ConversationResponse']>>;

/** Each change of a conversation: calls, takes its answer in, and leaves the lists that it does not belong to any more. */
function useConversationChange<V extends Named>(
  call: (scope: Scope, value: V, params: {params: {path: {id: string}}; headers: Record<string, string>}) =>
    Promise<{data?: Schemas['ConversationResponse']; error?: unknown; response: Response}>,
  expected: (value: V) => Partial<Conversation>,
) {
  return useChange(async (scope, value: V, key): Promise<Conversation> => {
    const into = scope.store.asking();
    const params = {params: {path: {id: value.id}}, headers: {...changeHeaders(key, value.version)}};
    const read = () => readVersioned(scope, 'conversation', value.id, loadConversation);
    const {data, degraded} = await takeChange(ask(scope, call(scope, value, params)) as Answered, read);
    return takeConversation(into, data.conversation, degraded);
  }, {
    expect: (scope, value) => scope.store.expect('conversation', value.id, expected(value)),
    done: (scope, conversation, value) => placeInLists(scope, conversation, 'status' in value),
  });
}

/** Leaves the lists that it does not belong to any more. `mayReturn`: others may have it again, and are asked. */
function placeInLists({store}: Scope, conversation: Conversation, mayReturn: boolean): void {
  const id = conversation.uniqueId;
  store.setVersion('conversation', id, null);
  for (const {key, filter, pages} of store.lists(conversationsFamily.name)) {
    if (matches(filter as ConversationsFilter, conversation) === false) store.remove(key, id);
    else if (mayReturn && !pages.pages.some((page) => page.ids.includes(id))) store.updateNewer(key, (newer) => ({...newer, isChanged: true}));
  }
}

export const useAssignConversation = () => useConversationChange<Named & {memberId: string}>(
  (scope, {memberId}, params) => scope.api.POST('/api/conversation/{id}/assign', {...params, body: {memberId}}),
  ({memberId}) => ({assignedMemberId: memberId}));

export const useUnassignConversation = () => useConversationChange<Named>(
  (scope, _, params) => scope.api.POST('/api/conversation/{id}/unassign', params),
  () => ({assignedMemberId: null}));

/** Closes it, or makes it Active again. */
export const useUpdateConversation = () => useConversationChange<Named & {status: 'Active' | 'Closed'}>(
  (scope, {status}, params) => scope.api.POST('/api/conversation/{id}', {...params, body: {status}}),
  ({status}) => ({status}));

/** `tags` are ids or labels; a label that is new makes a tag. */
export const useTagConversation = () => useConversationChange<Named & {tags: string[]}>(
  (scope, {tags}, params) => scope.api.POST('/api/conversation/{id}/tags', {...params, body: {tags}}),
  () => ({}));

export const useReadConversation = () => useConversationChange<Named>(
  (scope, _, params) => scope.api.POST('/api/conversation/{id}/read', params),
  () => ({numberOfUnreadMessages: 0}));

export const useStartConversation = () => useChange(async (scope, body: Schemas['StartConversationBody'], key) => {
  const into = scope.store.asking();
  const {data, degraded} = await ask(scope, scope.api.POST('/api/conversation', {headers: changeHeaders(key), body}));
  return takeConversation(into, data.conversation, degraded);
});

/** Tells others that one looks at a conversation, or types. Nobody waits for it, and what fails is told again soon. */
export async function tellPresence(scope: Scope, id: string, state: Schemas['PresenceState']): Promise<void> {
  const call = scope.api.POST('/api/conversation/{id}/presence', {params: {path: {id}}, body: {state}});
  await ask(scope, call).catch(() => undefined);
}

import type {components} from '#schema';
import type {Context} from './client.ts';

type Schemas = components['schemas'];

export type Message = Schemas['Message'];
export type Note = Schemas['Note'];
export type Tag = Schemas['Tag'];
export type ContactList = Schemas['ContactList'];
export type Member = Schemas['OrganizationMember'];
export type Segment = Schemas['Segment'];
export type Campaign = Schemas['Campaign'];
export type Import = Schemas['ImportSummary'] & Partial<Pick<Schemas['Import'], 'errors'>>;
export type BulkChange = Schemas['BulkChangeSummary'] & Partial<Pick<Schemas['BulkChange'], 'errors'>>;
export type QuickReply = Schemas['QuickReply'];
export type Template = Schemas['Template'];

/**
 * A contact with the ids of its lists and tags; these are unknown of one that only a conversation has shown. Its
 * conversations are a list of their own.
 */
export type Contact = Schemas['ContactSummary'] & {
  listIds?: string[];
  tagIds?: string[];
};

/** A conversation as events tell it. What is not there is unknown, as a context could not be reached. */
export type Conversation = Omit<Schemas['EventConversation'], 'assignedMemberId' | 'tagIds'> & {
  assignedMemberId?: string | null;
  tagIds?: string[];
  newestMessageId?: string | null;
};

export interface Entities {
  contact: Contact;
  conversation: Conversation;
  message: Message;
  note: Note;
  tag: Tag;
  list: Omit<ContactList, 'tags'> & {tagIds?: string[]};
  member: Member;
  segment: Segment;
  campaign: Campaign;
  import: Import;
  bulkChange: BulkChange;
  quickReply: QuickReply;
  template: Template;
}
export type Kind = keyof Entities;

/** Takes in what an answer has of an entity, and gives back what is known of it now. */
export interface Taker {
  take<K extends Kind>(kind: K, value: Entities[K]): Entities[K];
}

const idsOf = (all: readonly {uniqueId: string}[]) => all.map((each) => each.uniqueId);

export function takeTags(into: Taker, tags: readonly Tag[]): string[] {
  for (const tag of tags) into.take('tag', tag);
  return idsOf(tags);
}

export function takeList(into: Taker, {tags, ...list}: ContactList) {
  return into.take('list', {...list, tagIds: takeTags(into, tags)});
}

export function takeContact(into: Taker, {lists, tags, conversations: _, ...rest}: Schemas['Contact']) {
  for (const list of lists) takeList(into, list);
  return into.take('contact', {...rest, listIds: idsOf(lists), tagIds: takeTags(into, tags)});
}

export function takeConversation(into: Taker, from: Schemas['Conversation'], degraded: readonly Context[]) {
  const {messages, contact, assignedTo, tags, ...rest} = from;
  if (contact) into.take('contact', contact);
  if (assignedTo) into.take('member', assignedTo);
  for (const message of messages) into.take('message', message);
  const conversation: Conversation = {...rest};
  if (assignedTo || !degraded.includes('organizations')) conversation.assignedMemberId = assignedTo?.uniqueId ?? null;
  if (!degraded.includes('contacts')) conversation.tagIds = takeTags(into, tags);
  if (messages[0] || from.totalMessages === 0) conversation.newestMessageId = messages[0]?.uniqueId ?? null;
  return into.take('conversation', conversation);
}

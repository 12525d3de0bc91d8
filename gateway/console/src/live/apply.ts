import type {Entities, Kind, Message, Note} from '../api/entities.ts';
import {campaignsFamily} from '../api/campaigns.ts';
import {contactsFamily} from '../api/contacts.ts';
import {conversationsFamily, matches, type ConversationsFilter, type Heard} from '../api/conversations.ts';
import {importsFamily} from '../api/imports.ts';
import {isNewer, threadFamily} from '../api/messages.ts';
import {notesFamily, placeNote} from '../api/notes.ts';
import {keys, type Store} from '../api/store.ts';
import {templatesFamily} from '../api/templates.ts';
import type {components} from '#schema';
import type {LiveEvent} from './relay.ts';

type EventConversation = components['schemas']['EventConversation'];

/** Where events are applied to. */
export interface Target {
  readonly store: Store;
  /** Has an entity asked for again, soon and once for many events. */
  stale(kind: Kind, id: string): void;
  /** The same with a part of a page, such as counts, or with all whose names begin so. */
  stalePart(...name: readonly unknown[]): void;
  /** Something was missed. */
  reset(): void;
  /** A message that one sent oneself may have come this way before its answer. */
  heard(message: Message): void;
}

/** Who looks at a conversation, or types: by member, with the moment (of the server) that it was told. */
export type Presences = Readonly<Record<string, {state: 'viewing' | 'typing' | 'left'; at: string; until: number}>>;

export const presenceName = (conversationId: string) => ['presence', conversationId] as const;

/** Applies one event. It may come twice, and after later ones: `order` says where it belongs. */
export function apply(to: Target, event: LiveEvent, order: number, now: number): void {
  to.store.hear();
  switch (event.type) {
    case 'message.created':
      to.stalePart('figures');
      onMessage(to, order, event.data);
      if (event.data.message) placeMessage(to.store, event.data.message);
      if (event.data.message?.direction === 'OutBound') to.heard(event.data.message);
      onConversation(to, order, event.data.conversationId, event.data.conversation, {direction: event.data.direction});
      return;
    case 'message.changed':
    case 'message.status':
      to.stalePart('figures');
      return onMessage(to, order, event.data);
    case 'conversation.created':
    case 'conversation.changed':
    case 'conversation.status':
      return onConversation(to, order, event.data.conversationId, event.data.conversation);
    case 'conversation.presence':
      return onPresence(to.store, event.data, event.timestamp, now);
    case 'note.created':
    case 'note.changed':
      return onNote(to.store, order, event.data.noteId, event.data.note);
    case 'note.deleted':
      return onNote(to.store, order, event.data.noteId, null);
    case 'contact.created':
      return onNewContacts(to.store, event.data.contactIds);
    case 'contact.updated':
      for (const id of event.data.contactIds) to.stale('contact', id);
      return changed(to.store, contactsFamily.name);
    case 'contact.deleted':
      for (const id of event.data.contactIds) to.store.gone('contact', id, false);
      return changed(to.store, contactsFamily.name);
    case 'contact.merged':
      to.store.gone('contact', event.data.from, false);
      to.stale('contact', event.data.into);
      return changed(to.store, contactsFamily.name);
    case 'contact.opted_out':
    case 'contact.opted_in':
      return to.stale('contact', event.data.contactId);
    case 'campaign.status': {
      const {campaignId, to: status, reason} = event.data;
      to.store.tell('campaign', campaignId, order, {status, statusReason: reason});
      to.stalePart('campaigns in');
      return changed(to.store, campaignsFamily.name);
    }
    case 'campaign.progress':
      to.stalePart('figures');
      return to.store.tell('campaign', event.data.campaignId, order, {progress: event.data.progress});
    case 'import.status':
    case 'import.progress': {
      const {importId, ...fields} = event.data;
      to.store.tell('import', importId, order, fields);
      if (event.type === 'import.status') {
        to.stale('import', importId);  // its end has the rows that failed
        to.stalePart('imports in');
      }
      return to.store.get('import', importId) ? undefined : changed(to.store, importsFamily.name);
    }
    case 'template.changed': {
      const {templateId, name, language, category, status, statusReason, quality} = event.data;
      to.store.tell('template', templateId, order, {name, language, category, status, statusReason, quality});
      to.stalePart('templates in');
      return to.store.get('template', templateId) ? undefined : changed(to.store, templatesFamily.name);
    }
    case 'account.notice':
      return to.stalePart('phone numbers');
    case 'quota.reached':
      return to.stalePart('usage');
    case 'webhook.health':
      return to.stalePart('webhooks');
    case 'campaign.reply':
      return to.stalePart('figures');
    case 'reset':
      return to.reset();
  }  // other types may come
}

// ---- messages and notes ---------------------------------------------------------------------------------------------

interface MessageData {
  conversationId: string;
  messageId: string;
  message: Message | null;
}

function onMessage(to: Target, order: number, {conversationId, messageId, message}: MessageData): void {
  const {store} = to;
  const isShown = store.hasList(threadFamily.name, {conversationId}) || Boolean(store.get('conversation', conversationId));
  if (!message) {
    store.removeFromLists(threadFamily.name, messageId);
    return store.gone('message', messageId, isShown);
  }
  store.tell('message', messageId, order, message, isShown);
}

/** Shows a message that is known in its thread, and as the newest one if it is. */
export function placeMessage(store: Store, message: Message): void {
  if (!store.get('message', message.uniqueId)) return;
  store.insert(threadFamily.name, {conversationId: message.conversationId}, message.uniqueId, (other) => {
    const there = store.get('message', other);
    return there ? isNewer(message, there) : false;
  });
  const newestId = store.get('conversation', message.conversationId)?.newestMessageId;
  const newest = newestId ? store.get('message', newestId) : null;
  // The newest is what the messages say, not the order of the events.
  const newestMessageId = !newest || isNewer(message, newest) ? message.uniqueId : newest.uniqueId;
  store.tell('conversation', message.conversationId, 0, {newestMessageId});
}

function onNote(store: Store, order: number, id: string, note: Note | null): void {
  if (!note) {
    store.removeFromLists(notesFamily.name, id);
    return store.gone('note', id);
  }
  const isShown = store.hasList(notesFamily.name, {conversationId: note.conversationId});
  store.tell('note', id, order, note, isShown);
  if (isShown && store.get('note', id)) placeNote({store}, note);
}

// ---- conversations --------------------------------------------------------------------------------------------------

function onConversation(to: Target, order: number, id: string, told: EventConversation | null, heard: Heard = {}): void {
  to.stalePart('conversation counts');
  to.stalePart('awaiting');
  if (!told) return to.store.gone('conversation', id, false);
  to.store.tell('conversation', id, order, told);
  const conversation: Entities['conversation'] = to.store.get('conversation', id) ?? told;
  for (const {key, filter, pages} of to.store.lists(conversationsFamily.name)) {
    const belongs = matches(filter as ConversationsFilter, conversation, heard);
    const isThere = pages.pages.some((page) => page.ids.includes(id));
    const isFirst = pages.pages[0]?.ids[0] === id;
    const isNewHere = isThere ? heard.direction === 'InBound' && !isFirst : belongs === true;
    to.store.updateNewer(key, (newer) => {
      const isKnown = newer.ids.includes(id);
      if (belongs === false) return isKnown ? {...newer, ids: newer.ids.filter((each) => each !== id)} : newer;
      return isNewHere && !isKnown ? {...newer, ids: [...newer.ids, id]} : newer;
    });
  }
}

interface PresenceData {
  conversationId: string;
  memberId: string;
  state: 'viewing' | 'typing' | 'left';
  ttlSeconds: number;
}

function onPresence(store: Store, {conversationId, memberId, state, ttlSeconds}: PresenceData, at: string, now: number): void {
  const key = keys.part(store.organization, ...presenceName(conversationId));
  store.queries.setQueryData<Presences>(key, (known = {}) => {
    const before = known[memberId];
    return before && before.at > at ? known : {...known, [memberId]: {state, at, until: now + ttlSeconds * 1000}};
  });
}

// ---- contacts -------------------------------------------------------------------------------------------------------

/** Only ids are told: whether they belong to a filtered list is not known here. */
function onNewContacts(store: Store, ids: readonly string[]): void {
  for (const {key, filter} of store.lists(contactsFamily.name)) {
    const isAll = Object.keys(filter as object).every((name) => name === 'sort_by' || name === 'order');
    store.updateNewer(key, (newer) => {
      if (!isAll) return newer.isChanged ? newer : {...newer, isChanged: true};
      const added = ids.filter((id) => !newer.ids.includes(id));
      return added.length > 0 ? {...newer, ids: [...newer.ids, ...added]} : newer;
    });
  }
}

function changed(store: Store, family: string): void {
  for (const {key} of store.lists(family))
    store.updateNewer(key, (newer) => newer.isChanged ? newer : {...newer, isChanged: true});
}

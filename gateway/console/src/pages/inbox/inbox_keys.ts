import {useEffect, useRef, type RefObject} from 'react';
import {useAssignConversation} from '../../api/conversations.ts';
import type {Conversation} from '../../api/entities.ts';
import {useScope} from '../../api/scope.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useActions} from '../../shell/actions.ts';
import {useKeys} from '../../shell/keys.ts';
import {useTexts} from '../../texts/index.tsx';
import {neighbour} from './filter.ts';
import type {Opened} from './inbox.tsx';
import type {Place} from './place.ts';
import {useTellProblem} from './tell_problem.ts';
import type {Mode} from './write_pane.tsx';

export interface InboxKeys {
  place: Place;
  /** Of the list. */
  ids: readonly string[];
  /** The one that is open, if there is one. */
  conversation: Conversation | null | undefined;
  toggle: () => void;
  onWrite: (mode: Mode) => void;
  onOpened: (opened: Opened) => void;
  searchField: RefObject<HTMLInputElement | null>;
}

/** What keys do, and the palette: they walk through the list, and act on the conversation that is open. */
export function useInboxKeys({place, ids, conversation, toggle, onWrite, onOpened, searchField}: InboxKeys): void {
  const {inbox: {keys, closeIt, reopen}} = useTexts();
  const {memberId} = useScope();
  const {conversationId, search, hrefOf, go} = place;
  const assign = useAssignConversation();
  const tell = useTellProblem();
  const mayUpdate = useHeld('Update:Conversation') ?? false;
  const mayAssign = useHeld('Assign:Conversation') ?? false;
  const last = useLastPlace(ids, conversationId);
  const step = (by: 1 | -1) => {
    const next = neighbour(ids, conversationId, by, last);
    if (next) go(hrefOf(next), conversationId !== undefined);
  };
  const leave = () => {
    if (search.message) go(hrefOf(conversationId ?? null), true);
  };
  const doings = conversation ? [
    {id: 'inbox reply', keys: 'r', text: keys.reply, icon: 'reply' as const, run: () => onWrite('message')},
    {id: 'inbox note', keys: 'n', text: keys.note, icon: 'edit' as const, run: () => onWrite('note')},
    ...(mayAssign ? [
      {id: 'inbox assign', keys: 'a', text: keys.assign, icon: 'user_add' as const, run: () => onOpened('assign')},
      {id: 'inbox take', keys: 'm', text: keys.take, icon: 'user' as const, run: () => void assign.change({id: conversation.uniqueId, memberId}).catch(tell)},
    ] : []),
    ...(mayUpdate ? [
      {id: 'inbox tags', keys: 't', text: keys.tags, icon: 'tag' as const, run: () => onOpened('tags')},
      {id: 'inbox close', keys: 'e', text: conversation.status === 'Active' ? closeIt : reopen, icon: 'check' as const, run: toggle},
    ] : []),
    {id: 'inbox template', keys: 'Shift+t', text: keys.template, icon: 'document' as const, run: () => onOpened('template')},
  ] : [];
  useActions(doings);
  useKeys([
    {keys: 'j', text: keys.next, run: () => step(1)},
    {keys: 'k', text: keys.previous, run: () => step(-1)},
    ...doings,
    ...(conversationId ? [{keys: 'u', text: keys.back, run: () => go(hrefOf(null))}] : []),
    {keys: '/', text: keys.search, run: () => searchField.current?.focus()},
    {keys: 'Escape', text: keys.leave, run: leave, isDisabled: !search.message},
  ]);
}

/** Where the open conversation is in the list, or was before it left, as one that is closed does. */
function useLastPlace(ids: readonly string[], conversationId: string | undefined): number {
  const last = useRef({conversationId, place: -1});
  const place = conversationId === undefined ? -1 : ids.indexOf(conversationId);
  useEffect(() => {
    if (place >= 0 || last.current.conversationId !== conversationId) last.current = {conversationId, place};
  }, [conversationId, place]);
  return place >= 0 ? place : last.current.conversationId === conversationId ? last.current.place : -1;
}

import {Suspense, useDeferredValue, useEffect, useRef, useState} from 'react';
import {useAssignConversation, useConversation, useConversations} from '../../api/conversations.ts';
import {useScope} from '../../api/scope.tsx';
import {Button} from '../../design/button.tsx';
import {PaneBody, Panes} from '../../design/panes.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {loaded, part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useActions} from '../../shell/actions.ts';
import {useKeys} from '../../shell/keys.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';
import {useContactOf} from './contact_of.ts';
import {ConversationBar, useToggleClosed} from './conversation_bar.tsx';
import {filterOf, neighbour} from './filter.ts';
import s from './inbox.module.css';
import {ListPane} from './list_pane.tsx';
import {nameOfContact} from './names.ts';
import {usePlace} from './place.ts';
import {useSideOpen} from './side_open.ts';
import {useTellProblem} from './tell_problem.ts';
import type {Mode} from './write_pane.tsx';

// Asked for with the page, so that they are there when a conversation is opened.
const thread = loaded(() => import('./thread_pane.tsx'));
const ThreadPane = part(() => thread, (file) => file.ThreadPane);
const ContactPane = part(() => import('./contact_pane.tsx'), (file) => file.ContactPane);

/** Conversations, the one that is open, and whom it is with. */
export default function InboxPage() {
  const {inbox} = useTexts();
  const {memberId} = useScope();
  const place = usePlace();
  const {conversationId, search, hrefOf, go, change} = place;
  const list = useConversations(filterOf(search, memberId), search.in !== 'messages' || conversationId !== undefined);
  const conversation = useConversation(conversationId ?? null);
  const {value} = conversation;
  const contact = useContactOf(value);
  const [mode, setMode] = useState<Mode>('message');
  const [opened, setOpened] = useOpened(conversationId);
  const [isSideOpen, setSideOpen] = useSideOpen();
  const field = useRef<HTMLTextAreaElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const toggle = useToggleClosed(value);
  const assign = useAssignConversation();
  const tell = useTellProblem();
  const mayUpdate = useHeld('Update:Conversation') ?? false;
  const mayAssign = useHeld('Assign:Conversation') ?? false;
  const last = useLastPlace(list.ids, conversationId);
  const step = (by: 1 | -1) => {
    const next = neighbour(list.ids, conversationId, by, last);
    if (next) go(hrefOf(next), conversationId !== undefined);
  };
  const write = (next: Mode) => {
    setMode(next);
    requestAnimationFrame(() => field.current?.focus());
  };
  const leave = () => {
    if (search.message) go(hrefOf(conversationId ?? null), true);
  };
  const isThere = value && value.status !== 'Deleted';
  const doings = isThere ? [
    {id: 'inbox reply', keys: 'r', text: inbox.keys.reply, icon: 'reply' as const, run: () => write('message')},
    {id: 'inbox note', keys: 'n', text: inbox.keys.note, icon: 'edit' as const, run: () => write('note')},
    ...(mayAssign ? [
      {id: 'inbox assign', keys: 'a', text: inbox.keys.assign, icon: 'user_add' as const, run: () => setOpened('assign')},
      {id: 'inbox take', keys: 'm', text: inbox.keys.take, icon: 'user' as const, run: () => void assign.change({id: value.uniqueId, memberId}).catch(tell)},
    ] : []),
    ...(mayUpdate ? [
      {id: 'inbox tags', keys: 't', text: inbox.keys.tags, icon: 'tag' as const, run: () => setOpened('tags')},
      {id: 'inbox close', keys: 'e', text: value.status === 'Active' ? inbox.closeIt : inbox.reopen, icon: 'check' as const, run: toggle.run},
    ] : []),
    {id: 'inbox template', keys: 'Shift+t', text: inbox.keys.template, icon: 'document' as const, run: () => setOpened('template')},
  ] : [];
  useActions(doings);
  useKeys([
    {keys: 'j', text: inbox.keys.next, run: () => step(1)},
    {keys: 'k', text: inbox.keys.previous, run: () => step(-1)},
    ...doings,
    ...(conversationId ? [{keys: 'u', text: inbox.keys.back, run: () => go(hrefOf(null))}] : []),
    {keys: '/', text: inbox.keys.search, run: () => searchField.current?.focus()},
    {keys: 'Escape', text: inbox.keys.leave, run: leave, isDisabled: !search.message},
  ]);
  useTitle(value && contact ? nameOfContact(contact, inbox) : inbox.title);
  const find = () => {
    change({in: 'messages', within: true});
    requestAnimationFrame(() => searchField.current?.focus());
  };
  // One button for both: where there is room for one pane it goes there, else it shows or hides the third.
  const side = () => {
    const hasRoom = globalThis.matchMedia('(min-width: 1280px)').matches;
    if (hasRoom) setSideOpen(!isSideOpen);
    else go(hrefOf(conversationId ?? null, {pane: 'contact'}));
  };
  // The thread is there first.
  const known = useDeferredValue(value, null);
  const main = () => {
    if (!conversationId) return <PaneBody label={inbox.panes.main}><EmptyState icon="inbox" title={inbox.chooseOne}>{inbox.chooseHint}</EmptyState></PaneBody>;
    if (conversation.problem && !value)
      return <PaneBody label={inbox.panes.main}><ProblemState problem={conversation.problem} retry={conversation.retry} title={inbox.threadFailed} /></PaneBody>;
    if (value === undefined)
      return <Waiting />;
    if (!isThere)
      return <PaneBody label={inbox.panes.main}><EmptyState icon="trash" title={inbox.gone} actions={<Button onPress={() => go(hrefOf(null))}>{inbox.toList}</Button>}>{inbox.goneHint}</EmptyState></PaneBody>;
    return (
      <>
        <div className={s.bar}>
          <ConversationBar conversation={value} contact={contact} place={place} opened={opened === 'template' ? null : opened} onOpened={setOpened} isSideOpen={isSideOpen} onSide={side} onFind={find} />
        </div>
        <Suspense fallback={<Waiting />}>
          <ThreadPane key={value.uniqueId} conversation={value} place={place} mode={mode} onMode={setMode} isChoosing={opened === 'template'} onChoosing={(isChoosing) => setOpened(isChoosing ? 'template' : null)} fieldRef={field} />
        </Suspense>
      </>
    );
  };
  return (
    <Panes title={inbox.title} labels={inbox.panes} shown={!conversationId ? 'list' : search.pane === 'contact' ? 'side' : 'main'} isSideOpen={isSideOpen}
           list={<ListPane list={list} place={place} searchRef={searchField} />} main={main()}
           side={known && known.status !== 'Deleted' && (
             <Suspense fallback={null}><ContactPane key={known.uniqueId} conversation={known} onBack={() => go(hrefOf(known.uniqueId))} /></Suspense>
           )} />
  );
}

type Opened = 'assign' | 'tags' | 'template' | null;

/** What is opened of a conversation; not of the next one, to which one may go by the browser's own buttons. */
function useOpened(conversationId: string | undefined): [Opened, (opened: Opened) => void] {
  const [{id, what}, set] = useState<{id: string | undefined; what: Opened}>({id: undefined, what: null});
  return [id === conversationId ? what : null, (opened) => set({id: conversationId, what: opened})];
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

function Waiting() {
  const {inbox} = useTexts();
  return <PaneBody label={inbox.panes.main}><Loading label={inbox.loadingMessages}><div className={s.skeletons}><Skeleton kind="row" lines={6} /></div></Loading></PaneBody>;
}

import {Suspense, useDeferredValue, useEffect, useRef, useState} from 'react';
import {useConversation, useConversations} from '../../api/conversations.ts';
import {useScope} from '../../api/scope.tsx';
import {Button} from '../../design/button.tsx';
import {PaneBody, Panes} from '../../design/panes.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {loaded, part} from '../../parts.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';
import {useContactOf} from './contact_of.ts';
import {ConversationBar, useToggleClosed} from './conversation_bar.tsx';
import {filterOf} from './filter.ts';
import s from './inbox.module.css';
import {useInboxKeys} from './inbox_keys.ts';
import {ListPane} from './list_pane.tsx';
import {nameOfContact} from './names.ts';
import {usePlace} from './place.ts';
import {useSideOpen} from './side_open.ts';
import type {Mode} from './write_pane.tsx';

// Asked for with the page, so that they are there when a conversation is opened.
const thread = loaded(() => import('./thread_pane.tsx'));
const ThreadPane = part(() => thread, (file) => file.ThreadPane);
const ContactPane = part(() => import('./contact_pane.tsx'), (file) => file.ContactPane);

/** From this width on there are three panes: design/panes.module.css. */
const kThreePanes = 1080;

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
  const hasRoom = useHasRoom();
  const [mode, setMode] = useState<Mode>('message');
  const [opened, setOpened] = useOpened(conversationId);
  const [isSideOpen, setSideOpen] = useSideOpen();
  const field = useRef<HTMLTextAreaElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const toggle = useToggleClosed(value);
  const write = (next: Mode) => {
    setMode(next);
    requestAnimationFrame(() => field.current?.focus());
  };
  const isThere = value && value.status !== 'Deleted';
  useInboxKeys({place, ids: list.ids, conversation: isThere ? value : null, toggle: toggle.run, onWrite: write, onOpened: setOpened, searchField});
  useTitle(value && contact ? nameOfContact(contact, inbox) : inbox.title);
  const find = () => {
    change({in: 'messages', within: true});
    requestAnimationFrame(() => searchField.current?.focus());
  };
  // One button for both: where there is room for one pane it goes there, else it shows or hides the third.
  const side = () => {
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
          <ConversationBar conversation={value} contact={contact} place={place} opened={opened === 'template' ? null : opened} onOpened={setOpened} toggle={toggle} isSideOpen={isSideOpen && hasRoom} onSide={side} onFind={find} />
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

/** Whether there is room for the third pane beside the others. */
function useHasRoom(): boolean {
  const [hasRoom, setRoom] = useState(true);
  useEffect(() => {
    const main = document.querySelector('main');
    if (!main) return;
    const observer = new ResizeObserver(() => setRoom(main.clientWidth >= kThreePanes));
    observer.observe(main);
    return () => observer.disconnect();
  }, []);
  return hasRoom;
}

export type Opened = 'assign' | 'tags' | 'template' | null;

/** What is opened of a conversation. It closes when one goes to another, by the browser's own buttons too. */
function useOpened(conversationId: string | undefined): [Opened, (opened: Opened) => void] {
  const [{id, what}, set] = useState<{id: string | undefined; what: Opened}>({id: conversationId, what: null});
  if (id !== conversationId) set({id: conversationId, what: null});
  return [id === conversationId ? what : null, (opened) => set({id: conversationId, what: opened})];
}

function Waiting() {
  const {inbox} = useTexts();
  return <PaneBody label={inbox.panes.main}><Loading label={inbox.loadingMessages}><div className={s.skeletons}><Skeleton kind="row" lines={6} /></div></Loading></PaneBody>;
}

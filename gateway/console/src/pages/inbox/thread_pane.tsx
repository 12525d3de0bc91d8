import {useCallback, useEffect, useMemo, useRef, useState, type RefObject} from 'react';
import {useReadConversation} from '../../api/conversations.ts';
import type {Conversation} from '../../api/entities.ts';
import {Banner} from '../../design/banner.tsx';
import {PaneBody} from '../../design/panes.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {useOutbox} from '../../live/provider.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useIsHere} from '../../shell/is_here.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useTexts} from '../../texts/index.tsx';
import {useContactOf} from './contact_of.ts';
import s from './inbox.module.css';
import type {Place} from './place.ts';
import {Thread} from './thread.tsx';
import {useTellNotKept} from './tell_problem.ts';
import {useThreadData} from './thread_data.ts';
import type {RowActions} from './thread_row.tsx';
import {WritePane, type Mode} from './write_pane.tsx';

const kReadPause = 30_000;

export interface ThreadPaneProps {
  conversation: Conversation;
  place: Place;
  mode: Mode;
  onMode: (mode: Mode) => void;
  isChoosing: boolean;
  onChoosing: (isChoosing: boolean) => void;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
}

/** The messages of a conversation, and where one answers. */
export function ThreadPane({conversation, place, mode, onMode, isChoosing, onChoosing, fieldRef}: ThreadPaneProps) {
  const {inbox} = useTexts();
  const id = conversation.uniqueId;
  const contact = useContactOf(conversation);
  const outbox = useOutbox(id);
  const maySend = useHeld('Create:Message');
  const mayNote = useHeld('Update:Conversation');
  const unread = useOpenedUnread(conversation);
  const at = place.search.message;
  const data = useThreadData(id, at, unread, outbox.all);
  const [sent, setSent] = useState(0);
  const body = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(false);
  useMarkRead(conversation, mayNote ?? false, !data.isLoading && !data.isApart, isAtEnd);
  const isHere = useIsHere();
  const newest = () => place.go(place.hrefOf(id), true);
  const onSent = () => {
    if (at !== undefined && isHere.current) newest();
    setSent((count) => count + 1);
  };
  const latest = useRef({place, outbox, onSent});
  latest.current = {place, outbox, onSent};
  const replyRef = useRef<(messageId: string) => void>(null);
  const tellNotKept = useTellNotKept();
  const reply = useCallback((messageId: string) => {
    replyRef.current?.(messageId);
    onMode('message');
    requestAnimationFrame(() => fieldRef.current?.focus());
  }, [onMode, fieldRef]);
  const actions = useMemo<RowActions>(() => ({
    mayWrite: maySend ?? false, reply,
    show: (messageId) => latest.current.place.change({message: messageId}),
    again: (send) => void latest.current.outbox.again(send.key).catch(tellNotKept),
    discard: (send) => void latest.current.outbox.discard(send.key).catch(tellNotKept),
    resend: async (body) => {
      await latest.current.outbox.send(id, [body]).catch((error: unknown) => {
        tellNotKept(error);
        throw error;
      });
      latest.current.onSent();
    },
  }), [maySend, reply, id, tellNotKept]);
  const content = () => {
    if (data.problem) return <PaneBody label={inbox.messages}><ProblemState small problem={data.problem} retry={data.retry} title={inbox.threadFailed} /></PaneBody>;
    if (data.isLoading || (data.isOffline && data.rows.length === 0))
      return <PaneBody label={inbox.messages}><Loading label={inbox.loadingMessages}><div className={s.skeletons}><Skeleton kind="row" lines={6} /></div></Loading></PaneBody>;
    if (data.rows.length === 0) return <PaneBody label={inbox.messages}><EmptyState small icon="inbox" title={inbox.nothingWritten}>{inbox.nothingWrittenHint}</EmptyState></PaneBody>;
    return <Thread data={data} contact={contact} at={at} actions={actions} onNewest={newest} onAtEnd={setAtEnd} sent={sent} bodyRef={body} />;
  };
  return (
    <>
      {data.isApart && <div className={s.notice}><Banner>{inbox.olderView}</Banner></div>}
      {content()}
      <WritePane conversation={conversation} contact={contact} mode={mode} onMode={onMode} isChoosing={isChoosing} onChoosing={onChoosing}
                 held={{send: maySend, note: mayNote}} onSent={onSent} fieldRef={fieldRef} replyRef={replyRef} />
    </>
  );
}

/** How many were unread as it was opened. */
function useOpenedUnread(conversation: Conversation): number {
  const [opened] = useState(conversation.numberOfUnreadMessages);
  return opened;
}

/**
 * What is seen is read: the contact is told so. Who opens a thread has seen it; what comes later is seen at its end. In a tab
 * that nobody looks at, nothing is seen.
 */
function useMarkRead({uniqueId: id, numberOfUnreadMessages: unread}: Conversation, mayUpdate: boolean, isShown: boolean, isAtEnd: boolean): void {
  const {change} = useReadConversation();
  const isAsked = useRef(false);
  const isOpening = useRef(true);
  const notBefore = useRef(0);
  const latest = useRef(change);
  latest.current = change;
  useEffect(() => {
    if (unread === 0) isOpening.current = false;
    if (unread === 0 || !mayUpdate || !isShown || !(isAtEnd || isOpening.current)) return;
    const read = () => {
      if (document.visibilityState !== 'visible' || !document.hasFocus() || isAsked.current || Date.now() < notBefore.current) return;
      isAsked.current = true;
      // What fails shows itself as unread again: it is not tried anew at once.
      latest.current({id}).catch(() => {
        notBefore.current = Date.now() + kReadPause;
      }).finally(() => {
        isAsked.current = false;
      });
    };
    const timer = setTimeout(read, 600);
    document.addEventListener('visibilitychange', read);
    addEventListener('focus', read);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', read);
      removeEventListener('focus', read);
    };
  }, [id, unread, mayUpdate, isShown, isAtEnd]);
}

import {Suspense, useCallback, useEffect, useImperativeHandle, useRef, useState, type Ref, type RefObject} from 'react';
import type {Contact, Conversation} from '../../api/entities.ts';
import {useUpdateConversation} from '../../api/conversations.ts';
import {Button} from '../../design/button.tsx';
import {ComposerClosed} from '../../design/composer.tsx';
import {SegmentedControl} from '../../design/tabs.tsx';
import {useDraft, useTellPresence} from '../../live/provider.tsx';
import {part} from '../../parts.ts';
import {useTexts} from '../../texts/index.tsx';
import {MessageComposer} from './message_composer.tsx';
import s from './inbox.module.css';
import {useTellProblem} from './tell_problem.ts';
import {useServiceWindow, WindowLeft} from './window_left.tsx';

const NoteComposer = part(() => import('./note_composer.tsx'), (file) => file.NoteComposer);
const TemplateDialog = part(() => import('./template_dialog.tsx'), (file) => file.TemplateDialog);

export type Mode = 'message' | 'note';

export interface WritePaneProps {
  conversation: Conversation;
  contact: Contact | null | undefined;
  mode: Mode;
  onMode: (mode: Mode) => void;
  isChoosing: boolean;
  onChoosing: (isChoosing: boolean) => void;
  held: {send: boolean | undefined; note: boolean | undefined};
  onSent: () => void;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  /** Makes what is written an answer to a message. */
  replyRef: Ref<(messageId: string) => void>;
}

const kTyping = 4000;

/** Where one answers: a message while the window is open, else a template; or a note, at any time. */
export function WritePane({conversation, contact, mode, onMode, isChoosing, onChoosing, held, onSent, fieldRef, replyRef}: WritePaneProps) {
  const {inbox} = useTexts();
  const id = conversation.uniqueId;
  const draft = useDraft(id);
  const {writing, write} = draft;
  useImperativeHandle(replyRef, () => (messageId) => writing && write({...writing, replyToMessageId: messageId}));
  const [isTyping, tellTyping] = useTyping();
  useTellPresence(id, isTyping);
  const window = useServiceWindow(conversation.serviceWindowEndsAt);
  const isClosed = conversation.status !== 'Active';
  const isBlocked = contact?.status === 'Blocked';
  const maySend = held.send !== false && !isClosed && !isBlocked;
  const [wasChosen, setChosen] = useState(false);
  useEffect(() => {
    if (isChoosing) setChosen(true);
  }, [isChoosing]);
  const choice = (held.send !== false || held.note) && (
    <SegmentedControl label={inbox.kindOf} selected={mode} onSelect={(id) => onMode(id === 'note' ? 'note' : 'message')}
                      segments={[{id: 'message', text: inbox.writeMessage}, ...(held.note === false ? [] : [{id: 'note', text: inbox.writeNote}])]} />
  );
  const head = (
    <>
      {choice}
      {mode === 'message' && maySend && window.kind === 'open' && <WindowLeft {...window} />}
      {contact?.status === 'OptedOut' && mode === 'message' && maySend && <span>{inbox.optedOutHint}</span>}
    </>
  );
  const kept = writing?.text.trim() ? <> {inbox.draftKept}</> : null;
  const content = () => {
    if (mode === 'note') return <Suspense fallback={<Instead head={head}>{null}</Instead>}><NoteComposer conversationId={id} {...{head, fieldRef, onSent}} /></Suspense>;
    if (held.send === false) return <Instead head={head}>{inbox.mayNotSend} <code dir="ltr">Create:Message</code></Instead>;
    if (isClosed) return <Instead head={head} actions={<Reopen id={id} />}>{inbox.closedHint}{kept}</Instead>;
    if (isBlocked) return <Instead head={head}>{inbox.blockedHint}</Instead>;
    if (window.kind !== 'open')
      return (
        <Instead head={head} actions={<Button kind="primary" icon="document" onPress={() => onChoosing(true)}>{inbox.chooseTemplate}</Button>}>
          {window.kind === 'never' ? inbox.windowNever : inbox.windowOver}{kept}
        </Instead>
      );
    return <MessageComposer {...{conversation, contact, draft, head, fieldRef, onSent}} onTyping={tellTyping} onTemplate={() => onChoosing(true)} />;
  };
  return (
    <>
      {content()}
      {wasChosen && maySend && (
        <Suspense fallback={null}>
          <TemplateDialog conversationId={id} contact={contact} isOpen={isChoosing} onOpenChange={onChoosing} onSent={onSent} />
        </Suspense>
      )}
    </>
  );
}

function Instead({head, children, actions}: {head: React.ReactNode; children: React.ReactNode; actions?: React.ReactNode}) {
  return <div className={s.instead}><div className={s.instead_head}>{head}</div><ComposerClosed actions={actions}>{children}</ComposerClosed></div>;
}

function Reopen({id}: {id: string}) {
  const {inbox} = useTexts();
  const update = useUpdateConversation();
  const tell = useTellProblem();
  return <Button icon="retry" isPending={update.isUnderWay} onPress={() => void update.change({id, status: 'Active'}).catch(tell)}>{inbox.reopen}</Button>;
}

function useTyping(): [boolean, () => void] {
  const [isTyping, setTyping] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const tell = useCallback(() => {
    setTyping(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTyping(false), kTyping);
  }, []);
  return [isTyping, tell];
}

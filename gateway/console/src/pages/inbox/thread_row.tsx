import {memo} from 'react';
import type {Contact} from '../../api/entities.ts';
import {useMessage} from '../../api/messages.ts';
import {DayLine, SystemLine, UnreadLine} from '../../design/message.tsx';
import type {Send, SendBody} from '../../live/outbox.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {MessageRow} from './message_row.tsx';
import {saidOf, systemWords} from './message_words.ts';
import {useAuthor} from './names.ts';
import {NoteRow} from './note_row.tsx';
import {SendRow} from './send_row.tsx';
import {dayOf, type Row} from './thread_rows.ts';

export interface RowActions {
  reply(messageId: string): void;
  /** Shows another message of the thread. */
  show(messageId: string): void;
  again(send: Send): void;
  /** Sends what failed as a new message. Rejects where the browser keeps nothing. */
  resend(body: SendBody): Promise<void>;
  discard(send: Send): void;
  readonly mayWrite: boolean;
}

export interface ThreadRowProps {
  row: Row;
  contact: Contact | null | undefined;
  actions: RowActions;
  isFound: boolean;
}

export const ThreadRow = memo(function ThreadRow({row, contact, actions, isFound}: ThreadRowProps) {
  const {inbox} = useTexts();
  switch (row.kind) {
    case 'day': return <DayLine><Day at={row.at} /></DayLine>;
    case 'unread': return <UnreadLine>{inbox.unreadLine}</UnreadLine>;
    case 'system': return <System id={row.id} />;
    case 'reaction': return <Reaction id={row.id} contact={contact} />;
    case 'note': return <NoteRow id={row.id} follows={row.follows} />;
    case 'send': return <SendRow send={row.send} follows={row.follows} actions={actions} />;
    default: return (
      <div className={isFound ? s.found : s.kept}>
        <MessageRow id={row.id} follows={row.follows} reactions={row.reactions} contact={contact} actions={actions} />
      </div>
    );
  }
});

function Day({at}: {at: string}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const day = dayOf(at);
  if (day === dayOf(Date.now())) return inbox.today;
  if (day === dayOf(Date.now() - 86_400_000)) return inbox.yesterday;
  return format.day(at);
}

function System({id}: {id: string}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {value: message} = useMessage(id);
  if (!message) return null;
  const said = saidOf(message);
  const lasted = Number(said.duration ?? 0);
  return <SystemLine icon={said.type === 'call' ? 'phone' : 'information'} time={format.time(message.createdAt)}>{systemWords(said, inbox, lasted > 0 ? format.duration(lasted * 1000) : '')}</SystemLine>;
}

function Reaction({id, contact}: {id: string; contact: Contact | null | undefined}) {
  const {value: message} = useMessage(id);
  return message ? <ReactionLine message={message} contact={contact} /> : null;
}

function ReactionLine({message, contact}: {message: NonNullable<ReturnType<typeof useMessage>['value']>; contact: Contact | null | undefined}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const author = useAuthor(message.sentBy, contact);
  const sign = saidOf(message).reaction;
  return <SystemLine time={format.time(message.createdAt)}>{sign ? inbox.reacted(author, sign) : inbox.reactionGone(author)}</SystemLine>;
}

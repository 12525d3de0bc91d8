import type {Message, Note} from '../../api/entities.ts';
import type {Send} from '../../live/outbox.ts';

/** What places a message among others. It never changes, so it is read once, however long a thread becomes. */
export interface Fact {
  readonly id: string;
  readonly at: string;
  /** The same as milliseconds, and its day: reading texts of time anew for each row would cost more than all the rest. */
  readonly time: number;
  readonly day: string;
  /** Who: rows of the same one stand closer. */
  readonly by: string;
  readonly kind: 'message' | 'note' | 'system' | 'reaction';
  readonly isOurs: boolean;
  /** Of a reaction: the message that it is to. */
  readonly to: string | null;
}

export type Row =
  | {readonly kind: 'day'; readonly key: string; readonly at: string}
  | {readonly kind: 'unread'; readonly key: string}
  | {readonly kind: 'message' | 'note' | 'system'; readonly key: string; readonly id: string; readonly follows: boolean; readonly reactions: readonly string[]}
  | {readonly kind: 'reaction'; readonly key: string; readonly id: string}
  | {readonly kind: 'send'; readonly key: string; readonly send: Send; readonly follows: boolean};

export function factOfMessage(message: Message): Fact {
  const {uniqueId: id, createdAt: at, sentBy, messageType} = message;
  const isReaction = messageType === 'Reaction';
  const kind = isReaction ? 'reaction' : messageType === 'System' ? 'system' : 'message';
  const to = isReaction ? (message.messageData as {messageId?: string | null}).messageId ?? null : null;
  return {id, ...momentOf(at), by: sentBy.type + '/' + (sentBy.uniqueId ?? ''), kind, isOurs: message.direction === 'OutBound', to};
}

export function factOfNote(note: Note): Fact {
  const {uniqueId: id, createdAt: at, writtenBy} = note;
  return {id, ...momentOf(at), by: 'note/' + (writtenBy.memberId ?? writtenBy.uniqueId ?? ''), kind: 'note', isOurs: true, to: null};
}

export const momentOf = (at: string): Pick<Fact, 'at' | 'time' | 'day'> => ({at, time: Date.parse(at), day: dayOf(at)});

/** The day of a moment, where one is. */
export function dayOf(at: string | number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`;
}

const kTogether = 10 * 60_000;

export interface Rows {
  /** The newest first, as lists have them. */
  readonly messages: readonly Fact[];
  readonly notes: readonly Fact[];
  /** All messages are there: notes before the first one are shown, too. */
  readonly isWhole: boolean;
  readonly unreadFrom: string | null;
  readonly sends: readonly Send[];
}

/** The rows of a thread, the oldest first: messages and notes by their time, days, what is new, and what still waits. */
export function rowsOf({messages, notes, isWhole, unreadFrom, sends}: Rows): Row[] {
  const rows: Row[] = [];
  const there = new Set(messages.map((each) => each.id));
  const reactions = new Map<string, string[]>();
  for (const each of messages)
    if (each.kind === 'reaction' && each.to && there.has(each.to))
      reactions.set(each.to, [each.id, ...(reactions.get(each.to) ?? [])]);
  const none: readonly string[] = [];
  let day = '';
  let before: {by: string; at: number} | null = null;
  for (const each of merged(messages, notes, isWhole)) {
    if (each.kind === 'reaction' && each.to && there.has(each.to)) continue;
    if (each.day !== day) {
      rows.push({kind: 'day', key: 'day ' + each.day, at: each.at});
      before = null;
    }
    day = each.day;
    if (each.id === unreadFrom) {
      rows.push({kind: 'unread', key: 'unread'});
      before = null;
    }
    const at = each.time;
    if (each.kind === 'reaction') rows.push({kind: 'reaction', key: each.id, id: each.id});
    else rows.push({
      kind: each.kind, key: each.id, id: each.id, reactions: reactions.get(each.id) ?? none,
      follows: before?.by === each.by && at - before.at < kTogether,
    });
    before = each.kind === 'system' || each.kind === 'reaction' ? null : {by: each.by, at};
  }
  for (const send of sends) {
    if (dayOf(send.createdAt) !== day && send === sends[0]) {
      day = dayOf(send.createdAt);
      rows.push({kind: 'day', key: 'day ' + day, at: new Date(send.createdAt).toISOString()});
    }
    rows.push({kind: 'send', key: 'send ' + send.key, send, follows: send !== sends[0]});
  }
  return rows;
}

/** The rows; each that is as before is the same object, so that its part of the page is not rendered anew. */
export function keptRows(rows: readonly Row[], before: readonly Row[]): readonly Row[] {
  const known = new Map(before.map((row) => [row.key, row]));
  return rows.map((row) => {
    const same = known.get(row.key);
    return same && isSame(row, same) ? same : row;
  });
}

type Said = Pick<Row, 'kind' | 'key'> & {at?: string; follows?: boolean; send?: Send; reactions?: readonly string[]};

const isSame = (a: Said, b: Said) =>
  a.kind === b.kind && a.at === b.at && a.follows === b.follows && a.send === b.send && String(a.reactions) === String(b.reactions);

/** Both by their time, the oldest first. A note that is older than all messages so far comes with those around it. */
function merged(messages: readonly Fact[], notes: readonly Fact[], isWhole: boolean): Fact[] {
  const all: Fact[] = [];
  const oldest = messages.at(-1)?.at;
  let note = notes.length - 1;
  if (!isWhole && oldest !== undefined) while (note >= 0 && notes[note]!.at < oldest) --note;
  for (let place = messages.length - 1; place >= 0; --place) {
    const message = messages[place]!;
    for (; note >= 0 && notes[note]!.at < message.at; --note) all.push(notes[note]!);
    all.push(message);
  }
  for (; note >= 0; --note) all.push(notes[note]!);
  return all;
}

/** Whether more notes are needed to show those among the messages that are there. */
export function needsNotes(messages: readonly Fact[], notes: readonly Fact[], isWhole: boolean): boolean {
  const oldest = messages.at(-1)?.at;
  const last = notes.at(-1)?.at;
  return last === undefined ? false : isWhole || oldest === undefined || last >= oldest;
}

/** Where what is new begins: the oldest of those that were unread when the thread was opened. */
export function firstUnread(messages: readonly Message[], count: number): string | null {
  let found: string | null = null;
  let left = count;
  for (const message of messages) {
    if (left <= 0) break;
    if (message.direction !== 'InBound') continue;
    if (message.status !== 'Unread') break;
    found = message.uniqueId;
    --left;
  }
  return found;
}

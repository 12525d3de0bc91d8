import {useEffect, useMemo, useRef} from 'react';
import type {Message} from '../../api/entities.ts';
import {useMessage, useMessages, useThread} from '../../api/messages.ts';
import {useNotes} from '../../api/notes.ts';
import {useScope} from '../../api/scope.tsx';
import type {ApiProblem} from '../../api/problem.ts';
import type {Send} from '../../live/outbox.ts';
import {factOfMessage, factOfNote, firstUnread, keptRows, momentOf, needsNotes, rowsOf, type Fact, type Row} from './thread_rows.ts';

export interface ThreadData {
  readonly rows: readonly Row[];
  readonly ids: readonly string[];
  readonly isLoading: boolean;
  readonly isOffline: boolean;
  readonly problem: ApiProblem | null;
  retry(): void;
  /** Whether there are older ones, and how to have them. */
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  older(): void;
  /** Why some of it could not be loaded. */
  readonly restProblem: ApiProblem | null;
  /** Of a thread that is opened at an old message: newer ones. */
  readonly hasNewer: boolean;
  newer(): void;
  /** It is opened in the middle: what comes in is not seen here. */
  readonly isApart: boolean;
}

/** A thread from its end on; or, at a message that is not loaded yet, around that one. */
export function useThreadData(conversationId: string, at: string | undefined, unread: number, all: readonly Send[]): ThreadData {
  const thread = useThread(conversationId);
  const notes = useNotes(conversationId);
  const isThere = at !== undefined && thread.ids.includes(at);
  const wanted = useMessage(at !== undefined && !isThere && !thread.isLoading ? at : null).value;
  const moment = wanted?.conversationId === conversationId && !isThere ? wanted.createdAt : undefined;
  const isApart = moment !== undefined;
  // From the second on, as moments are told to the millisecond and less is not known.
  const before = useMessages({conversation_id: conversationId, to: moment ?? ''}, isApart);
  const after = useMessages({conversation_id: conversationId, from: moment ?? '', order: 'asc'}, isApart);
  const isAllThere = isApart && !after.hasMore && !after.isLoading;
  const ids = useMemo(() => isApart ? [...[...after.ids].reverse(), ...before.ids] : thread.ids, [isApart, after.ids, before.ids, thread.ids]);
  const facts = useFacts('message', ids, factOfMessage);
  const noteFacts = useFacts('note', notes.ids, factOfNote);
  const source = isApart ? before : thread;
  // They are among the messages: what came later would push those away. They are not waited for where they fail.
  const isWaitingForNotes = notes.isLoading && !notes.isOffline && notes.triesAgainAt === null;
  const isWhole = !source.hasMore && !source.isLoading;
  const {hasMore: hasMoreNotes, ahead: moreNotes} = notes;
  const wantsNotes = hasMoreNotes && needsNotes(facts, noteFacts, isWhole);
  useEffect(() => {
    if (wantsNotes) moreNotes();
  }, [wantsNotes, moreNotes, noteFacts]);
  const unreadFrom = useUnreadFrom(conversationId, thread.ids, unread);
  const sends = useMemo(() => {
    const known = new Set(thread.ids);
    return isApart && !isAllThere ? [] : all.filter((each) => each.heardId === null || !known.has(each.heardId));
  }, [all, thread.ids, isApart, isAllThere]);
  const shownNotes = useMemo(() => {
    const newest = facts[0]?.at;
    return isApart && !isAllThere && newest !== undefined ? noteFacts.filter((each) => each.at <= newest) : noteFacts;
  }, [facts, noteFacts, isApart, isAllThere]);
  const shown = useRef<readonly Row[]>([]);
  const rows = useMemo(() => {
    shown.current = keptRows(rowsOf({messages: facts, notes: shownNotes, isWhole, unreadFrom, sends}), shown.current);
    return shown.current;
  }, [facts, shownNotes, isWhole, unreadFrom, sends]);
  return {
    rows, ids,
    isLoading: thread.isLoading || isWaitingForNotes || (isApart && (before.isLoading || after.isLoading)),
    isOffline: thread.isOffline,
    problem: ids.length > 0 ? null : thread.problem ?? (isApart ? before.problem ?? after.problem : null),
    restProblem: ids.length === 0 ? null : source.problem ?? (isApart ? after.problem : null),
    retry: thread.problem ? thread.retry : () => [before, after].forEach((each) => each.retry()),
    hasOlder: source.hasMore, isLoadingOlder: source.isLoadingMore, older: source.ahead,
    hasNewer: isApart && after.hasMore, newer: after.ahead,
    isApart,
  };
}

/** What places these among others. Read once each: a thread of 20,000 is not read anew with each message. */
function useFacts<K extends 'message' | 'note'>(kind: K, ids: readonly string[], factOf: (value: never) => Fact): readonly Fact[] {
  const {store} = useScope();
  const known = useRef(new Map<string, Fact>());
  return useMemo(() => {
    const facts: Fact[] = [];
    for (const id of ids) {
      let fact = known.current.get(id);
      const value = fact ? null : store.get(kind, id);
      if (value) known.current.set(id, fact = factOf(value as never));
      // One that was forgotten for want of room is read again when its row is seen; until then it stands with its neighbour.
      fact ??= {id, ...momentOf(facts.at(-1)?.at ?? new Date().toISOString()), by: '', kind, isOurs: false, to: null};
      facts.push(fact);
    }
    return facts;
  }, [ids, store, kind, factOf]);
}

/** Kept from the moment that the thread was opened: reading it must not take the line away. */
function useUnreadFrom(conversationId: string, ids: readonly string[], unread: number): string | null {
  const {store} = useScope();
  const kept = useRef<{conversationId: string; id: string | null} | null>(null);
  if (kept.current?.conversationId !== conversationId && ids.length > 0) {
    const messages = ids.slice(0, 100).map((id) => store.get('message', id)).filter((each): each is Message => Boolean(each));
    kept.current = {conversationId, id: firstUnread(messages, unread)};
  }
  return kept.current?.conversationId === conversationId ? kept.current.id : null;
}

import {useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject} from 'react';
import {useVirtualizer} from '@tanstack/react-virtual';
import type {Contact} from '../../api/entities.ts';
import {Button} from '../../design/button.tsx';
import {PaneBody} from '../../design/panes.tsx';
import {Spinner} from '../../design/spinner.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {nameOfContact} from './names.ts';
import {RestFailed} from './rest_failed.tsx';
import type {ThreadData} from './thread_data.ts';
import {ThreadRow, type RowActions} from './thread_row.tsx';
import type {Row} from './thread_rows.ts';

const kAhead = 12;
const kNearEnd = 120;
const kOverscan = 8;
const kEstimates: Readonly<Record<Row['kind'], number>> = {day: 42, unread: 36, message: 62, note: 84, system: 36, reaction: 36, send: 62};

export interface ThreadProps {
  data: ThreadData;
  contact: Contact | null | undefined;
  /** The message that it is opened at. */
  at: string | undefined;
  actions: RowActions;
  onNewest: () => void;
  /** Whether the newest message is seen. */
  onAtEnd: (isAtEnd: boolean) => void;
  /** Grows by one where something of one's own was sent: the end is shown then. */
  sent: number;
  bodyRef: RefObject<HTMLDivElement | null>;
}

/** The rows in view alone, of however many. It opens at its end; what is older comes above, without a jump. */
export function Thread({data, contact, at, actions, onNewest, onAtEnd, sent, bodyRef}: ThreadProps) {
  const {inbox} = useTexts();
  const {rows, hasOlder, isLoadingOlder, older, hasNewer, newer, isApart, restProblem, retry} = data;
  // Only what is seen at first: the thread is there sooner.
  const [overscan, setOverscan] = useState(1);
  useEffect(() => {
    const timer = setTimeout(() => setOverscan(kOverscan), 100);
    return () => clearTimeout(timer);
  }, []);
  const virtual = useVirtualizer({
    count: rows.length, getScrollElement: () => bodyRef.current, overscan, anchorTo: 'end', followOnAppend: !isApart,
    scrollEndThreshold: kNearEnd, paddingStart: 8, paddingEnd: 16,
    estimateSize: useCallback((index: number) => kEstimates[rows[index]?.kind ?? 'message'], [rows]),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
  });
  const opened = useRef<string | null>(null);
  const target = useMemo(() => at === undefined ? -1 : rows.findIndex((row) => row.key === at), [rows, at]);
  const unreadAt = useMemo(() => rows.findIndex((row) => row.kind === 'unread'), [rows]);
  const place = isApart ? 'at ' + at : at !== undefined && target >= 0 ? 'within ' + at : 'end';
  useLayoutEffect(() => {
    if (rows.length === 0 || opened.current === place) return;
    if (place !== 'end' && target < 0) return;
    opened.current = place;
    if (target >= 0) virtual.scrollToIndex(target, {align: 'center'});
    else if (unreadAt > 0) virtual.scrollToIndex(unreadAt - 1, {align: 'start'});
    else virtual.scrollToEnd();
  }, [rows.length, place, target, unreadAt, virtual]);
  useEffect(() => {
    if (sent > 0) virtual.scrollToEnd();
  }, [sent, virtual]);
  useStaysAtEnd(bodyRef, () => virtual.scrollToEnd());
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  const isOpened = opened.current !== null;
  useEffect(() => {
    if (isOpened && hasOlder && first <= kAhead) older();
  }, [isOpened, hasOlder, first, older, rows.length]);
  useEffect(() => {
    if (hasNewer && last >= rows.length - kAhead) newer();
  }, [hasNewer, last, newer, rows.length]);
  const isAtEnd = !isApart && virtual.isAtEnd(kNearEnd);
  useEffect(() => onAtEnd(isAtEnd), [isAtEnd, onAtEnd]);
  const arrived = useArrived(rows, isAtEnd);
  return (
    <div className={s.thread_frame}>
      {restProblem && <RestFailed retry={retry} />}
      <PaneBody label={inbox.messages} ref={bodyRef}>
        {hasOlder && isLoadingOlder && <div className={s.older}><Spinner label={inbox.loadingMessages} size={20} /></div>}
        <div className={s.rows} style={{blockSize: virtual.getTotalSize()}} role="log" aria-live="off"
             aria-label={inbox.conversationWith(nameOfContact(contact, inbox))}>
          {items.map((item) => {
            const row = rows[item.index];
            return row && (
              <div key={item.key} ref={virtual.measureElement} data-index={item.index} className={s.row} style={{transform: `translateY(${item.start}px)`}}>
                <ThreadRow row={row} contact={contact} actions={actions} isFound={row.key === at} />
              </div>
            );
          })}
        </div>
      </PaneBody>
      {(isApart || (!isAtEnd && rows.length > 0)) && (
        <div className={s.to_newest}>
          <Button size="s" icon="arrow_down" onPress={() => isApart ? onNewest() : virtual.scrollToEnd()}>
            {arrived > 0 ? inbox.newMessages(arrived) : inbox.toNewest}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Who sees the end sees it when there is less room, too, as when a keyboard comes up from below. */
function useStaysAtEnd(body: RefObject<HTMLDivElement | null>, scrollToEnd: () => void): void {
  const latest = useRef(scrollToEnd);
  latest.current = scrollToEnd;
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    let before = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const wasAtEnd = element.scrollHeight - element.scrollTop - before <= kNearEnd;
      before = element.clientHeight;
      if (wasAtEnd) latest.current();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [body]);
}

/** How many came in below while one reads further above. */
function useArrived(rows: readonly Row[], isAtEnd: boolean): number {
  const [seen, setSeen] = useState<string | null>(null);
  const newest = rows.findLast((row) => row.kind === 'message')?.key ?? null;
  useEffect(() => {
    if (isAtEnd || seen === null) setSeen(newest);
  }, [isAtEnd, newest, seen]);
  if (isAtEnd || seen === null || seen === newest) return 0;
  let count = 0;
  for (let at = rows.length - 1; at >= 0 && rows[at]!.key !== seen; --at) if (rows[at]!.kind === 'message') ++count;
  return count;
}

import {useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject} from 'react';
import {useVirtualizer} from '@tanstack/react-virtual';
import type {useConversations} from '../../api/conversations.ts';
import {List} from '../../design/list.tsx';
import {PaneBody} from '../../design/panes.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {NewerPill} from '../../design/table.tsx';
import {useNow} from '../../shell/clock.ts';
import {useTexts} from '../../texts/index.tsx';
import {ConversationEntry} from './conversation_entry.tsx';
import s from './inbox.module.css';
import {RestFailed} from './rest_failed.tsx';
import type {Place} from './place.ts';

const kHeight = 61;
const kAhead = 20;
const kRefreshPause = 3000;

export interface ConversationListProps {
  list: ReturnType<typeof useConversations>;
  place: Place;
}

/** The conversations in view alone, of however many. They stay where they are until somebody wants what is newer. */
export function ConversationList({list, place}: ConversationListProps) {
  const {inbox} = useTexts();
  const now = useNow();
  const body = useRef<HTMLDivElement>(null);
  const height = useEntryHeight(body);
  const {ids, hasMore, ahead, newer, refresh} = list;
  const {conversationId, hrefOf} = place;
  const rows = useVirtualizer({
    count: ids.length, getScrollElement: () => body.current, estimateSize: useCallback(() => height, [height]), overscan: 6,
    getItemKey: useCallback((index: number) => ids[index] ?? index, [ids]),
  });
  useEffect(() => rows.measure(), [rows, height]);
  const items = rows.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= ids.length - kAhead) ahead();
  }, [hasMore, last, ids.length, ahead]);
  const current = conversationId ? ids.indexOf(conversationId) : -1;
  // Once for each that is opened, and for each height of letters: where it moves to later, the list does not follow.
  const followed = useRef<{id: string | undefined; height: number}>({id: undefined, height});
  useEffect(() => {
    if (current < 0 || (followed.current.id === conversationId && followed.current.height === height)) return;
    followed.current = {id: conversationId, height};
    const top = current * height - (rows.scrollOffset ?? 0), room = rows.scrollRect?.height ?? 0;
    if (top < 0 || top + height > room) rows.scrollToIndex(current, {align: 'auto'});  // which has the browser measure the page
  }, [current, conversationId, rows, height]);
  const show = () => {
    body.current?.scrollTo({top: 0});
    void refresh();
  };
  const count = newer.ids.length;
  const hasNewer = count > 0 || newer.isChanged;
  useQuietRefresh(body, hasNewer, refresh);
  return (
    <PaneBody label={inbox.panes.list} ref={body}>
      {hasNewer && <NewerPill onPress={show}>{count > 0 ? inbox.newer(count) : inbox.changed}</NewerPill>}
      <List label={inbox.panes.list} height={rows.getTotalSize()}>
        {items.map((item) => {
          const id = ids[item.index] ?? '';
          return <ConversationEntry key={item.key} id={id} href={hrefOf(id)} isCurrent={id === conversationId} now={now}
                                    place={item.index + 1} of={list.total ?? (hasMore ? -1 : ids.length)} offset={item.start} />;
        })}
      </List>
      {list.problem && <RestFailed retry={list.retry} />}
      {list.isLoadingMore && <Loading label={inbox.loadingMore}><div className={s.skeletons}><Skeleton kind="row" lines={2} /></div></Loading>}
    </PaneBody>
  );
}

/** All entries are as high as the first one, whatever the size of letters. */
function useEntryHeight(body: RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(kHeight);
  const watched = useRef<{entry: HTMLElement; observer: ResizeObserver} | null>(null);
  useLayoutEffect(() => {
    if (watched.current?.entry.isConnected) return;
    watched.current?.observer.disconnect();
    const entry = body.current?.querySelector('li');
    if (!entry) return;
    const observer = new ResizeObserver(() => setHeight((known) => entry.offsetHeight || known));
    observer.observe(entry);
    watched.current = {entry, observer};
  });
  useEffect(() => () => watched.current?.observer.disconnect(), []);
  return height;
}

/** At its top, and with nobody pointing at it or walking through it by keys, the list may become newer by itself. */
function useQuietRefresh(body: RefObject<HTMLDivElement | null>, hasNewer: boolean, refresh: () => Promise<unknown>): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  const last = useRef(0);
  const isUnderWay = useRef(false);  // another one would give up the answer that is on its way
  useEffect(() => {
    if (!hasNewer) return;
    const timer = setInterval(() => {
      const element = body.current;
      const isQuiet = element && element.scrollTop < 4 && !element.matches(':hover') && !element.contains(document.activeElement);
      if (!isQuiet || isUnderWay.current || document.visibilityState !== 'visible' || Date.now() - last.current < kRefreshPause) return;
      last.current = Date.now();
      isUnderWay.current = true;
      void latest.current().finally(() => (isUnderWay.current = false));
    }, 400);
    return () => clearInterval(timer);
  }, [hasNewer, body]);
}

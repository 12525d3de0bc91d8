import {memo, Suspense, useEffect, useRef, type RefObject} from 'react';
import type {components} from '#schema';
import {useConversationCounts, type useConversations} from '../../api/conversations.ts';
import {Banner} from '../../design/banner.tsx';
import {Button, ButtonLink, IconButton} from '../../design/button.tsx';
import {PaneBar, PaneBody} from '../../design/panes.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {SegmentedControl} from '../../design/tabs.tsx';
import {part} from '../../parts.ts';
import {useAddress} from '../../shell/address.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {TypedSearch} from '../../shell/typed_search.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {ConversationList} from './conversation_list.tsx';
import {countOf, isFiltered} from './filter.ts';
import s from './inbox.module.css';
import {FilterChips} from './filter_chips.tsx';
import type {Place} from './place.ts';

const FilterMenu = part(() => import('./filter_menu.tsx'), (file) => file.FilterMenu);
const MessageSearch = part(() => import('./message_search.tsx'), (file) => file.MessageSearch);

export interface ListPaneProps {
  list: ReturnType<typeof useConversations>;
  place: Place;
  searchRef: RefObject<HTMLInputElement | null>;
}

export function ListPane({list, place, searchRef}: ListPaneProps) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {search, change} = place;
  const counts = useConversationCounts(!search.campaigns).value?.counts;
  const isSearching = search.in === 'messages';
  const degraded = list.degraded.map((each) => inbox.degraded[each] ?? each);
  return (
    <>
      <PaneBar actions={<Suspense fallback={<IconButton icon="filter" label={inbox.filter} />}><FilterMenu {...{search, change, counts}} /></Suspense>}>
        <Whose {...{search, change, counts}} />
      </PaneBar>
      <div className={s.find}>
        <ListSearch {...{search, change}} field={searchRef} />
        {(search.q || isSearching) && (
          <SegmentedControl wide label={inbox.searchIn} selected={isSearching ? 'messages' : 'contacts'}
                            onSelect={(id) => change({in: id === 'messages' ? 'messages' : undefined, within: undefined})}
                            segments={[{id: 'contacts', text: inbox.inContacts}, {id: 'messages', text: inbox.inMessages}]} />
        )}
        <FilterChips place={place} />
      </div>
      {degraded.length > 0 && <div className={s.notice}><Banner kind="degraded">{inbox.degradedList(format.list(degraded))}</Banner></div>}
      {isSearching ? <Suspense fallback={null}><MessageSearch place={place} /></Suspense> : <Listed list={list} place={place} />}
    </>
  );
}

type Filtering = Pick<Place, 'search' | 'change'>;
export interface CountedFiltering extends Filtering {
  counts: components['schemas']['ConversationCounts'] | undefined;
}

const Whose = memo(function Whose({search, change, counts}: CountedFiltering) {
  const {inbox} = useTexts();
  const format = useFormat();
  const tab = search.whose === 'mine' || search.whose === 'none' ? search.whose : 'all';
  const segment = (id: 'mine' | 'none' | 'all', text: string) => {
    const count = countOf(counts, id, search);
    return {id, text, ...(count !== undefined && {count: format.number(count)})};
  };
  return <SegmentedControl label={inbox.whose} selected={tab} onSelect={(id) => change({whose: id === 'all' ? undefined : id})}
                           segments={[segment('mine', inbox.mine), segment('none', inbox.nobodys), segment('all', inbox.all)]} />;
});

const ListSearch = memo(function ListSearch({search: {q}, change, field}: Filtering & {field: RefObject<HTMLInputElement | null>}) {
  const {inbox} = useTexts();
  return (
    <TypedSearch label={inbox.search} placeholder={inbox.searchPlaceholder} clear={inbox.clearSearch} value={q} field={field}
                 onSearch={(text) => change({q: text || undefined})} onClear={() => change({q: undefined, in: undefined, within: undefined})} />
  );
});

function Listed({list, place}: {list: ListPaneProps['list']; place: Place}) {
  const {inbox} = useTexts();
  useFirstNews(list);
  if (list.problem && list.ids.length === 0)
    return <PaneBody label={inbox.panes.list}><ProblemState small problem={list.problem} retry={list.retry} title={inbox.loadFailed} /></PaneBody>;
  if (list.isLoading || (list.isOffline && list.ids.length === 0))
    return <PaneBody label={inbox.panes.list}><Loading label={inbox.loadingMore}><div className={s.skeletons}><Skeleton kind="row" lines={9} /></div></Loading></PaneBody>;
  if (list.ids.length > 0) return <ConversationList list={list} place={place} />;
  return <PaneBody label={inbox.panes.list}><Empty place={place} /></PaneBody>;
}

/** Where nothing is listed, nothing can move away under the pointer: what comes is shown at once. */
function useFirstNews({ids, isLoading, newer, refresh}: ListPaneProps['list']): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  const isNews = ids.length === 0 && !isLoading && (newer.ids.length > 0 || newer.isChanged);
  useEffect(() => {
    if (isNews) void latest.current();
  }, [isNews]);
}

/** Says why there is nothing, and what to do next. */
function Empty({place: {search, change}}: {place: Place}) {
  const {inbox} = useTexts();
  const to = useAddress();
  const {q, list, state, whose} = search;
  if (state === 'awaiting' && !q && !list) return <EmptyState small icon="ok" title={inbox.emptyAwaiting}>{inbox.emptyAwaitingHint}</EmptyState>;
  if (state === 'closed' && !q && !list && !whose) return <EmptyState small icon="archive" title={inbox.emptyClosed}>{inbox.emptyClosedHint}</EmptyState>;
  if (isFiltered(search))
    return (
      <EmptyState small icon="filter" title={inbox.emptyFiltered}
                  actions={<Button onPress={() => change({q: undefined, list: undefined, state: undefined, whose: undefined, in: undefined})}>{inbox.removeFilters}</Button>}>
        {inbox.emptyFilteredHint}
      </EmptyState>
    );
  if (whose === 'mine')
    return <EmptyState small icon="inbox" title={inbox.emptyMine} actions={<Button onPress={() => change({whose: 'none'})}>{inbox.showNobodys}</Button>}>{inbox.emptyMineHint}</EmptyState>;
  if (whose === 'none')
    return <EmptyState small icon="ok" title={inbox.emptyNobodys} actions={<Button onPress={() => change({whose: undefined})}>{inbox.showAll}</Button>}>{inbox.emptyNobodysHint}</EmptyState>;
  return <EmptyState small icon="inbox" title={inbox.emptyAll} actions={<ButtonLink href={to('contacts')}>{inbox.toContacts}</ButtonLink>}>{inbox.emptyAllHint}</EmptyState>;
}

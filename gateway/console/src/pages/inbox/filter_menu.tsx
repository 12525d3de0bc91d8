import {memo, useState} from 'react';
import {useSearchedLists} from '../../api/lists.ts';
import {useSearchedMembers} from '../../api/members.ts';
import {useScope} from '../../api/scope.tsx';
import {IconButton} from '../../design/button.tsx';
import type {MenuGroup} from '../../design/menu.tsx';
import {SearchMenu} from '../../design/search_menu.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import type {CountedFiltering} from './list_pane.tsx';
import {startingWith} from './suggestions.ts';

const kMost = 8;

/** State, a member, a list, and whether those are shown in which only a campaign wrote. */
export const FilterMenu = memo(function FilterMenu({search, change, counts}: CountedFiltering) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {store, memberId} = useScope();
  const [words, setWords] = useState('');
  const members = useSearchedMembers(words, useHeld('Get:OrganizationMember') ?? false);
  const lists = useSearchedLists(words, useHeld('Get:List') ?? false);
  const state = (id: string, text: string, count: number | undefined) =>
    ({id, text, ...(count !== undefined && {description: format.number(count)})});
  const only = (keys: 'all' | Set<React.Key>) => keys === 'all' ? undefined : [...keys].map(String)[0];
  const named = (all: readonly {uniqueId: string; name: string}[]) => startingWith(all, words, kMost).map(({uniqueId, name}) => ({id: uniqueId, text: name}));
  const groups: MenuGroup[] = [{
    id: 'state', text: inbox.state, selectionMode: 'single', selectedKeys: [search.state ?? 'open'],
    onSelectionChange: (keys) => {
      const id = only(keys);
      change({state: id === 'awaiting' || id === 'unread' || id === 'closed' ? id : undefined});
    },
    actions: words ? [] : [
      state('open', inbox.stateOpen, counts?.active), state('awaiting', inbox.stateAwaiting, counts?.awaiting),
      state('unread', inbox.stateUnread, counts?.unread), state('closed', inbox.stateClosed, counts?.closed),
    ],
  }, {
    id: 'campaigns', text: inbox.begun, selectionMode: 'multiple', selectedKeys: search.campaigns ? ['all'] : [],
    onSelectionChange: (keys) => change({campaigns: only(keys) ? true : undefined}),
    actions: words ? [] : [{id: 'all', text: inbox.withCampaigns}],
  }, {
    id: 'members', text: inbox.ofMember, selectionMode: 'single', selectedKeys: search.whose ? [search.whose] : [],
    onSelectionChange: (keys) => change({whose: only(keys)}), actions: named(members.ids.filter((id) => id !== memberId).flatMap((id) => store.get('member', id) ?? [])),
  }, {
    id: 'lists', text: inbox.list, selectionMode: 'single', selectedKeys: search.list ? [search.list] : [],
    onSelectionChange: (keys) => change({list: only(keys)}), actions: named(lists.ids.flatMap((id) => store.get('list', id) ?? [])),
  }];
  const isOn = Boolean(search.state || search.list || search.campaigns || (search.whose && !['mine', 'none'].includes(search.whose)));
  return <SearchMenu label={inbox.filter} groups={groups.filter((each) => each.actions.length > 0)} trigger={<IconButton icon="filter" label={inbox.filter} isOn={isOn} />}
                     onInput={setWords} search={{label: inbox.searchFilters, clear: inbox.clearSearch}} empty={inbox.noFilterFound} />;
});

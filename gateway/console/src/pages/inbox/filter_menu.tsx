import type {components} from '#schema';
import {useLists} from '../../api/lists.ts';
import {useMembers} from '../../api/members.ts';
import {useScope} from '../../api/scope.tsx';
import {IconButton} from '../../design/button.tsx';
import {Menu, type MenuGroup} from '../../design/menu.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import type {Place} from './place.ts';

const kMost = 30;

/** State, a member, a list, and whether those are shown in which only a campaign wrote. */
export function FilterMenu({place: {search, change}, counts}: {place: Place; counts: components['schemas']['ConversationCounts'] | undefined}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {store, memberId} = useScope();
  const members = useMembers({}, useHeld('Get:OrganizationMember') ?? false);
  const lists = useLists({}, useHeld('Get:List') ?? false);
  const state = (id: string, text: string, count: number | undefined) =>
    ({id, text, ...(count !== undefined && {description: format.number(count)})});
  const only = (keys: 'all' | Set<React.Key>) => keys === 'all' ? undefined : [...keys].map(String)[0];
  const memberActions = members.ids.filter((id) => id !== memberId).slice(0, kMost)
    .flatMap((id) => store.get('member', id) ?? []).map((each) => ({id: each.uniqueId, text: each.name}));
  const listActions = lists.ids.slice(0, kMost).flatMap((id) => store.get('list', id) ?? []).map((each) => ({id: each.uniqueId, text: each.name}));
  const groups: MenuGroup[] = [{
    id: 'state', text: inbox.state, selectionMode: 'single', selectedKeys: [search.state ?? 'open'],
    onSelectionChange: (keys) => {
      const id = only(keys);
      change({state: id === 'awaiting' || id === 'unread' || id === 'closed' ? id : undefined});
    },
    actions: [
      state('open', inbox.stateOpen, counts?.active), state('awaiting', inbox.stateAwaiting, counts?.awaiting),
      state('unread', inbox.stateUnread, counts?.unread), state('closed', inbox.stateClosed, counts?.closed),
    ],
  }, {
    id: 'campaigns', text: inbox.begun, selectionMode: 'multiple', selectedKeys: search.campaigns ? ['all'] : [],
    onSelectionChange: (keys) => change({campaigns: only(keys) ? true : undefined}),
    actions: [{id: 'all', text: inbox.withCampaigns}],
  }];
  if (memberActions.length > 0) groups.push({
    id: 'members', text: inbox.ofMember, selectionMode: 'single', selectedKeys: search.whose ? [search.whose] : [],
    onSelectionChange: (keys) => change({whose: only(keys)}), actions: memberActions,
  });
  if (listActions.length > 0) groups.push({
    id: 'lists', text: inbox.list, selectionMode: 'single', selectedKeys: search.list ? [search.list] : [],
    onSelectionChange: (keys) => change({list: only(keys)}), actions: listActions,
  });
  const isOn = Boolean(search.state || search.list || search.campaigns);
  return <Menu label={inbox.filter} groups={groups} trigger={<IconButton icon="filter" label={inbox.filter} isOn={isOn} />} />;
}

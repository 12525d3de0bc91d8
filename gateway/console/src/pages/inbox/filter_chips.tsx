import {useListById} from '../../api/lists.ts';
import {FilterBar, FilterChip} from '../../design/filter_bar.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import {useMemberName} from './names.ts';
import type {Place} from './place.ts';

/** What the list is narrowed to; each goes by a press. */
export function FilterChips({place: {search, change, conversationId}}: {place: Place}) {
  const {inbox} = useTexts();
  const {whose, state, list, campaigns, within} = search;
  const memberId = whose && whose !== 'mine' && whose !== 'none' ? whose : null;
  const member = useMemberName(memberId);
  const listName = useListName(list);
  const states = {awaiting: inbox.stateAwaiting, unread: inbox.stateUnread, closed: inbox.stateClosed};
  const chips = [
    state && {name: inbox.state, value: states[state], remove: () => change({state: undefined})},
    memberId && {name: inbox.member, value: member, remove: () => change({whose: undefined})},
    list && {name: inbox.list, value: listName, remove: () => change({list: undefined})},
    campaigns && {name: inbox.begun, value: inbox.withCampaigns, remove: () => change({campaigns: undefined})},
    within && conversationId && {name: inbox.search, value: inbox.inThisOnly, remove: () => change({within: undefined})},
  ].filter((each) => typeof each === 'object' && each !== null);
  if (chips.length === 0) return null;
  return (
    <FilterBar label={inbox.filters}>
      {chips.map(({name, value, remove}) => <FilterChip key={name} name={name} value={value} remove={inbox.removeFilter(name)} onRemove={remove} />)}
    </FilterBar>
  );
}

function useListName(id: string | undefined): string {
  const {inbox} = useTexts();
  const mayRead = useHeld('Get:List') ?? false;
  const {value, isLoading} = useListById(mayRead && id ? id : null);
  return isLoading ? '…' : value?.name ?? inbox.unknown;
}

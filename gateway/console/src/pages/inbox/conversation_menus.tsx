import {useState} from 'react';
import {useAssignConversation, useReadConversation, useUnassignConversation} from '../../api/conversations.ts';
import type {Conversation} from '../../api/entities.ts';
import {useSearchedMembers} from '../../api/members.ts';
import {useScope} from '../../api/scope.tsx';
import {Avatar} from '../../design/avatar.tsx';
import {Button, IconButton} from '../../design/button.tsx';
import {Menu, type MenuGroup} from '../../design/menu.tsx';
import {SearchMenu} from '../../design/search_menu.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {useMemberName} from './names.ts';
import {startingWith} from './suggestions.ts';
import {useTellProblem} from './tell_problem.ts';

const kMostMembers = 20;

/** Who is in charge: oneself, somebody else, or nobody. */
export function Assign({conversation, isOpen, onOpenChange}: {conversation: Conversation; isOpen: boolean; onOpenChange: (open: boolean) => void}) {
  const {inbox} = useTexts();
  const {store, memberId} = useScope();
  const {uniqueId: id, assignedMemberId: assigned} = conversation;
  const mayAssign = useHeld('Assign:Conversation') ?? false;
  const mayUnassign = useHeld('Unassign:Conversation') ?? false;
  const [typed, setTyped] = useState('');
  const members = useSearchedMembers(typed, useHeld('Get:OrganizationMember') ?? false);
  const name = useMemberName(assigned);
  const assign = useAssignConversation();
  const unassign = useUnassignConversation();
  const tell = useTellProblem();
  const words = assigned === undefined ? inbox.unknown : assigned === null ? inbox.assign : assigned === memberId ? inbox.assignedToYou : name;
  const quick = [
    ...(mayAssign && assigned !== memberId ? [{id: memberId, text: inbox.takeIt, icon: 'user' as const}] : []),
    ...(mayUnassign && assigned ? [{id: 'none', text: inbox.giveBack, icon: 'close' as const}] : []),
  ];
  const others = members.ids.filter((each) => mayAssign && each !== memberId && each !== assigned).flatMap((each) => store.get('member', each) ?? []);
  const groups: MenuGroup[] = [
    {id: 'quick', label: inbox.assign, actions: typed ? [] : quick},
    {id: 'members', text: inbox.colleagues, actions: startingWith(others, typed, kMostMembers).map(({uniqueId, name}) => ({id: uniqueId, text: name, picture: <Avatar name={name} size="s" />}))},
  ];
  const trigger = <Button size="s" kind="quiet" icon={assigned ? 'user' : 'user_add'} aria-label={assigned === memberId ? words : assigned ? inbox.assignedTo(words) : inbox.assign}><span className={s.wide_only}><bdi>{words}</bdi></span></Button>;
  const act = (key: React.Key) => {
    const done = key === 'none' ? unassign.change({id}) : assign.change({id, memberId: String(key)});
    void done.catch(tell);
  };
  if (quick.length === 0 && !mayAssign) return assigned ? <span className={s.present}>{assigned === memberId ? words : inbox.assignedTo(words)}</span> : null;
  return <SearchMenu label={inbox.assign} trigger={trigger} groups={groups.filter((each) => each.actions.length > 0)} onAction={act} isOpen={isOpen} onOpenChange={onOpenChange}
                     onInput={setTyped} search={{label: inbox.searchMembers, clear: inbox.clearSearch}} empty={inbox.noMembers} />;
}

interface MoreProps {
  conversation: Conversation;
  onSide: () => void;
  isSideOpen: boolean;
  onFind: () => void;
  toggle: () => void;
  mayUpdate: boolean;
}

/** What is done more rarely. */
export function More({conversation: {uniqueId: id, status, numberOfUnreadMessages}, onSide, isSideOpen, onFind, toggle, mayUpdate}: MoreProps) {
  const {inbox} = useTexts();
  const to = useAddress();
  const read = useReadConversation();
  const tell = useTellProblem();
  const act = (key: React.Key) => {
    if (key === 'side') onSide();
    if (key === 'find') onFind();
    if (key === 'close') toggle();
    if (key === 'read') void read.change({id}).catch(tell);
    if (key === 'copy') void navigator.clipboard?.writeText(location.origin + to('inbox/' + id)).then(() => toasts.add({title: inbox.copied}, {timeout: 3000}), () => undefined);
  };
  return (
    <Menu label={inbox.more} onAction={act} trigger={<IconButton icon="more" label={inbox.more} />} groups={[
      {id: 'conversation', label: inbox.panes.main, actions: [
        ...(mayUpdate ? [{id: 'close', text: status === 'Active' ? inbox.closeIt : inbox.reopen, icon: status === 'Active' ? 'check' as const : 'retry' as const, keys: 'e'}] : []),
        ...(mayUpdate && numberOfUnreadMessages > 0 ? [{id: 'read', text: inbox.markRead, icon: 'check_double' as const}] : []),
        {id: 'find', text: inbox.searchHere, icon: 'search'},
        {id: 'copy', text: inbox.copyLink, icon: 'link'},
      ]},
      {id: 'contact', label: inbox.contact, actions: [{id: 'side', text: isSideOpen ? inbox.hideContact : inbox.showContact, icon: 'user'}]},
    ]} />
  );
}

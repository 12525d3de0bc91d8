import {useAssignConversation, useReadConversation, useUnassignConversation, useUpdateConversation} from '../../api/conversations.ts';
import type {Contact, Conversation} from '../../api/entities.ts';
import {useMembers} from '../../api/members.ts';
import {useScope} from '../../api/scope.tsx';
import {Avatar, Avatars} from '../../design/avatar.tsx';
import {Button, IconButton} from '../../design/button.tsx';
import {Menu, type MenuGroup} from '../../design/menu.tsx';
import {Stack} from '../../design/page.tsx';
import {PaneBar} from '../../design/panes.tsx';
import {Spoken} from '../../design/spoken.tsx';
import {usePresence} from '../../live/provider.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {toasts} from '../../shell/toasts.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {nameOfContact, useMemberName} from './names.ts';
import type {Place} from './place.ts';
import {TagsPopover} from './tags_popover.tsx';
import {useTellProblem} from './tell_problem.ts';

export interface ConversationBarProps {
  conversation: Conversation;
  contact: Contact | null | undefined;
  place: Place;
  opened: 'assign' | 'tags' | null;
  onOpened: (opened: 'assign' | 'tags' | null) => void;
  isSideOpen: boolean;
  onSide: () => void;
  onFind: () => void;
}

/** Whom one talks to, who else is here, and what can be done with the conversation. */
export function ConversationBar({conversation, contact, place, opened, onOpened, isSideOpen, onSide, onFind}: ConversationBarProps) {
  const {inbox} = useTexts();
  const {uniqueId: id, status} = conversation;
  const name = nameOfContact(contact, inbox);
  const toggle = useToggleClosed(conversation);
  const mayUpdate = useHeld('Update:Conversation') ?? false;
  const back = <IconButton icon="arrow_back" label={inbox.toList} onPress={() => place.go(place.hrefOf(null))} />;
  return (
    <PaneBar back={back} actions={
      <>
        <Present conversationId={id} />
        <Assign conversation={conversation} isOpen={opened === 'assign'} onOpenChange={(open) => onOpened(open ? 'assign' : null)} />
        {mayUpdate && <TagsPopover conversation={conversation} isOpen={opened === 'tags'} onOpenChange={(open) => onOpened(open ? 'tags' : null)} />}
        {mayUpdate && (
          <span className={s.wide_only}>
            <Button size="s" icon={status === 'Active' ? 'check' : 'retry'} isPending={toggle.isUnderWay} onPress={toggle.run}>{status === 'Active' ? inbox.closeIt : inbox.reopen}</Button>
          </span>
        )}
        <More conversation={conversation} onSide={onSide} isSideOpen={isSideOpen} onFind={onFind} toggle={toggle.run} mayUpdate={mayUpdate} />
      </>
    }>
      <Stack row gap={2}><Avatar name={name} seed={conversation.contactId} size="s" /><span className={s.bar_name}><bdi>{name}</bdi></span></Stack>
    </PaneBar>
  );
}

/** Closes what is open and the other way round, with a way back for a moment. */
export function useToggleClosed(conversation: Conversation | null | undefined): {run: () => void; isUnderWay: boolean} {
  const {inbox} = useTexts();
  const update = useUpdateConversation();
  const tell = useTellProblem();
  const run = () => {
    if (!conversation) return;
    const {uniqueId: id, status} = conversation;
    const next = status === 'Active' ? 'Closed' : 'Active';
    const undo = {text: inbox.undo, onPress: () => void update.change({id, status: next === 'Closed' ? 'Active' : 'Closed'}).catch(tell)};
    update.change({id, status: next}).then(
      () => toasts.add({title: next === 'Closed' ? inbox.closedNow : inbox.reopenedNow, action: undo}, {timeout: 6000}), tell);
  };
  return {run, isUnderWay: update.isUnderWay};
}

function Assign({conversation, isOpen, onOpenChange}: {conversation: Conversation; isOpen: boolean; onOpenChange: (open: boolean) => void}) {
  const {inbox} = useTexts();
  const {store, memberId} = useScope();
  const {uniqueId: id, assignedMemberId: assigned} = conversation;
  const mayAssign = useHeld('Assign:Conversation') ?? false;
  const mayUnassign = useHeld('Unassign:Conversation') ?? false;
  const members = useMembers({}, useHeld('Get:OrganizationMember') ?? false);
  const name = useMemberName(assigned);
  const assign = useAssignConversation();
  const unassign = useUnassignConversation();
  const tell = useTellProblem();
  const words = assigned === undefined ? inbox.unknown : assigned === null ? inbox.assign : assigned === memberId ? inbox.assignedToYou : name;
  const groups: MenuGroup[] = [{
    id: 'quick', label: inbox.assign, actions: [
      ...(mayAssign && assigned !== memberId ? [{id: memberId, text: inbox.takeIt, icon: 'user' as const}] : []),
      ...(mayUnassign && assigned ? [{id: 'none', text: inbox.giveBack, icon: 'close' as const}] : []),
    ],
  }];
  const others = members.ids.filter((each) => each !== memberId && each !== assigned).flatMap((each) => store.get('member', each) ?? []);
  if (mayAssign && others.length > 0) groups.push({id: 'members', text: inbox.colleagues, actions: others.map((each) => ({id: each.uniqueId, text: each.name, picture: <Avatar name={each.name} size="s" />}))});
  const some = groups.filter((each) => each.actions.length > 0);
  const trigger = <Button size="s" kind="quiet" icon={assigned ? 'user' : 'user_add'} isDisabled={some.length === 0} aria-label={assigned ? inbox.assignedTo(words) : inbox.assign}><span className={s.wide_only}><bdi>{words}</bdi></span></Button>;
  const act = (key: React.Key) => {
    const done = key === 'none' ? unassign.change({id}) : assign.change({id, memberId: String(key)});
    void done.catch(tell);
  };
  return <Menu label={inbox.assign} trigger={trigger} groups={some} onAction={act} isOpen={isOpen && some.length > 0} onOpenChange={onOpenChange} />;
}

interface MoreProps {
  conversation: Conversation;
  onSide: () => void;
  isSideOpen: boolean;
  onFind: () => void;
  toggle: () => void;
  mayUpdate: boolean;
}

function More({conversation: {uniqueId: id, status, numberOfUnreadMessages}, onSide, isSideOpen, onFind, toggle, mayUpdate}: MoreProps) {
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
        ...(mayUpdate ? [{id: 'close', text: status === 'Active' ? inbox.closeIt : inbox.reopen, icon: status === 'Active' ? 'check' as const : 'retry' as const, keys: 'E'}] : []),
        ...(mayUpdate && numberOfUnreadMessages > 0 ? [{id: 'read', text: inbox.markRead, icon: 'check_double' as const}] : []),
        {id: 'find', text: inbox.searchHere, icon: 'search'},
        {id: 'copy', text: inbox.copyLink, icon: 'link'},
      ]},
      {id: 'contact', label: inbox.contact, actions: [{id: 'side', text: isSideOpen ? inbox.hideContact : inbox.showContact, icon: 'user'}]},
    ]} />
  );
}

/** Which other members look at it, or type, just now. */
function Present({conversationId}: {conversationId: string}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {store, memberId} = useScope();
  const present = usePresence(conversationId).filter((each) => each.memberId !== memberId);
  useMembers({}, (useHeld('Get:OrganizationMember') ?? false) && present.length > 0);
  if (present.length === 0) return null;
  const typing = present.filter((each) => each.state === 'typing');
  const names = (typing.length > 0 ? typing : present).map((each) => store.get('member', each.memberId)?.name ?? inbox.authors.member);
  const said = format.list(names);
  const words = typing.length > 0 ? (names.length > 1 ? inbox.typingMany(said) : inbox.typing(said)) : names.length > 1 ? inbox.lookingMany(said) : inbox.looking(said);
  return (
    <span className={s.present} title={words}>
      <Avatars names={names.slice(0, 3)} label={words} />
      {typing.length > 0 && <span className={s.wide_only} aria-hidden="true">{words}</span>}
      <span role="status"><Spoken>{words}</Spoken></span>
    </span>
  );
}

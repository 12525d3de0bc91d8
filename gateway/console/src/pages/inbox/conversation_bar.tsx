import {Suspense} from 'react';
import {useUpdateConversation} from '../../api/conversations.ts';
import type {Contact, Conversation} from '../../api/entities.ts';
import {useMembers} from '../../api/members.ts';
import {useScope} from '../../api/scope.tsx';
import {Avatar, Avatars} from '../../design/avatar.tsx';
import {Button, IconButton} from '../../design/button.tsx';
import {PaneBar} from '../../design/panes.tsx';
import {Spoken} from '../../design/spoken.tsx';
import {usePresence} from '../../live/provider.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {nameOfContact} from './names.ts';
import type {Place} from './place.ts';
import {useTellProblem} from './tell_problem.ts';

// Menus are large: the words are there before them.
const Assign = part(() => import('./conversation_menus.tsx'), (file) => file.Assign);
const More = part(() => import('./conversation_menus.tsx'), (file) => file.More);
const TagsPopover = part(() => import('./tags_popover.tsx'), (file) => file.TagsPopover);

export interface ConversationBarProps {
  conversation: Conversation;
  contact: Contact | null | undefined;
  place: Place;
  opened: 'assign' | 'tags' | null;
  onOpened: (opened: 'assign' | 'tags' | null) => void;
  toggle: {run: () => void; isUnderWay: boolean};
  isSideOpen: boolean;
  onSide: () => void;
  onFind: () => void;
}

/** Whom one talks to, who else is here, and what can be done with the conversation. */
export function ConversationBar({conversation, contact, place, opened, onOpened, toggle, isSideOpen, onSide, onFind}: ConversationBarProps) {
  const {inbox} = useTexts();
  const {uniqueId: id, status} = conversation;
  const name = nameOfContact(contact, inbox);
  const mayUpdate = useHeld('Update:Conversation') ?? false;
  const mayAssign = useHeld('Assign:Conversation') ?? false;
  const back = <IconButton icon="arrow_back" label={inbox.toList} onPress={() => place.go(place.hrefOf(null))} />;
  return (
    <PaneBar back={back} actions={
      <>
        <Present conversationId={id} />
        <Suspense fallback={
          <>
            {mayAssign && <Button size="s" kind="quiet" icon="user_add" isDisabled aria-label={inbox.assign}><span className={s.wide_only}>{inbox.assign}</span></Button>}
            {mayUpdate && <IconButton icon="tag" label={inbox.tags} />}
          </>
        }>
          <Assign conversation={conversation} isOpen={opened === 'assign'} onOpenChange={(open) => onOpened(open ? 'assign' : null)} />
          {mayUpdate && <TagsPopover conversation={conversation} isOpen={opened === 'tags'} onOpenChange={(open) => onOpened(open ? 'tags' : null)} />}
        </Suspense>
        {mayUpdate && (
          <span className={s.wide_only}>
            <Button size="s" icon={status === 'Active' ? 'check' : 'retry'} isPending={toggle.isUnderWay} onPress={toggle.run}>{status === 'Active' ? inbox.closeIt : inbox.reopen}</Button>
          </span>
        )}
        <Suspense fallback={<IconButton icon="more" label={inbox.more} />}>
          <More conversation={conversation} onSide={onSide} isSideOpen={isSideOpen} onFind={onFind} toggle={toggle.run} mayUpdate={mayUpdate} />
        </Suspense>
      </>
    }>
      <span className={s.who}><Avatar name={name} seed={conversation.contactId} size="s" /><span className="clipped" dir="auto">{name}</span></span>
    </PaneBar>
  );
}

/** Closes what is open and the other way round, with a way back for a moment. */
export function useToggleClosed(conversation: Conversation | null | undefined): ConversationBarProps['toggle'] {
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
    <span className={s.present} data-tooltip={words}>
      <Avatars names={names.slice(0, 3)} label={words} />
      {typing.length > 0 && <span className={s.wide_only} aria-hidden="true">{words}</span>}
      <span role="status"><Spoken>{words}</Spoken></span>
    </span>
  );
}

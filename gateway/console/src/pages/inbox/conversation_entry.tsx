import {memo} from 'react';
import {useConversation} from '../../api/conversations.ts';
import type {Message} from '../../api/entities.ts';
import {useMessage} from '../../api/messages.ts';
import {useScope} from '../../api/scope.tsx';
import {useContactOf} from './contact_of.ts';
import {Avatar} from '../../design/avatar.tsx';
import {Count} from '../../design/badge.tsx';
import {Icon, type IconName} from '../../design/icon.tsx';
import {ListEntry} from '../../design/list.tsx';
import {Spoken} from '../../design/spoken.tsx';
import {useHasDraft} from '../../live/provider.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {saidOf, summaryOf} from './message_words.ts';
import {nameOfContact} from './names.ts';
import {roughlyLeft, serviceWindow} from './service_window.ts';
import {partsOf} from './template_values.ts';
import {useTemplateOf, wordsOfPart} from './template_words.tsx';

export interface EntryProps {
  id: string;
  href: string;
  isCurrent: boolean;
  place: number;
  of: number;
  offset: number;
  now: number;
}

const kSigns: Readonly<Partial<Record<Message['status'], IconName>>> = {
  Queued: 'clock', Sent: 'check', Delivered: 'check_double', Read: 'check_double', Failed: 'danger', UnDelivered: 'danger',
};

/** One conversation of the list, as it is now. */
export const ConversationEntry = memo(function ConversationEntry({id, href, isCurrent, place, of, offset, now}: EntryProps) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {memberId} = useScope();
  const {value: conversation} = useConversation(id);
  const contact = useContactOf(conversation);
  const {value: newest} = useMessage(conversation?.newestMessageId ?? null);
  const ofTemplate = useTemplateText(newest);
  const hasDraft = useHasDraft(id);
  const unread = conversation?.numberOfUnreadMessages ?? 0;
  const name = conversation === null ? inbox.gone : nameOfContact(contact, inbox);
  const left = serviceWindow(conversation?.serviceWindowEndsAt ?? null, now);
  const isShort = left.kind === 'open' && left.isShort && conversation?.status === 'Active' && newest?.direction === 'InBound';
  const leftWords = isShort ? inbox.leftBadge(format.duration(roughlyLeft(left.left))) : '';
  const sign = newest?.direction === 'OutBound' ? kSigns[newest.status] : undefined;
  const isOwn = newest?.sentBy.type === 'Member' && newest.sentBy.memberId === memberId;
  const before = sign && newest
    ? <><Icon name={sign} size={14} /><Spoken>{inbox.states[newest.status]}</Spoken>{isOwn && <>&nbsp;{inbox.you}</>}</>
    : undefined;
  const end = (isShort || hasDraft || unread > 0) && (
    <>
      {hasDraft && <><Icon name="edit" size={14} /><Spoken>{inbox.draft}</Spoken></>}
      {isShort && <span data-tooltip={leftWords}><Icon name="clock" size={14} /><Spoken>{leftWords}</Spoken></span>}
      {unread > 0 && <Count strong label={inbox.unreadCount(unread)}>{format.number(unread)}</Count>}
    </>
  );
  const at = newest?.createdAt ?? conversation?.createdAt;
  return (
    <ListEntry href={href} title={name} picture={<Avatar name={name} seed={conversation?.contactId ?? id} />}
               text={newest ? (ofTemplate ?? summaryOf(newest, inbox)).slice(0, 200) : ' '} isUnread={unread > 0} isCurrent={isCurrent}
               place={place} of={of} offset={offset}
               {...(at && {time: <time dateTime={at}>{format.short(at, now)}</time>})} {...(before && {before})} {...(end && {end})} />
  );
});

function useTemplateText(message: Message | null | undefined): string | undefined {
  const {template, values} = useTemplateOf(message?.messageType === 'Template' ? saidOf(message) : null);
  return template && wordsOfPart(partsOf(template).body?.text, 'body', values);
}

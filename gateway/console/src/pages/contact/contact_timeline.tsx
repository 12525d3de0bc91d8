import {useEffect, useRef, type ReactNode} from 'react';
import {useCampaign} from '../../api/campaigns.ts';
import {useConversations} from '../../api/conversations.ts';
import type {Contact, Message, Note} from '../../api/entities.ts';
import {usePart} from '../../api/hooks.ts';
import {useMembers} from '../../api/members.ts';
import {useMessages} from '../../api/messages.ts';
import {notesFamily} from '../../api/notes.ts';
import {useScope} from '../../api/scope.tsx';
import type {Tone} from '../../design/badge.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import type {IconName} from '../../design/icon.tsx';
import {Link} from '../../design/link.tsx';
import {Timeline, TimelineEntry} from '../../design/list.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import s from './contact.module.css';

const kMostConversations = 10;

/** Messages of all conversations and campaigns, and notes, in one line of time. */
export function ContactTimeline({contact}: {contact: Contact}) {
  const {contact: words} = useTexts();
  const format = useFormat();
  const {store} = useScope();
  const mayRead = useHeld('Get:Message') === true;
  const maySee = useHeld('Get:Conversation') === true;
  useMembers({}, useHeld('Get:OrganizationMember') === true);
  const messages = useMessages({contact_id: contact.uniqueId}, mayRead);
  const conversations = useConversations({contact_id: contact.uniqueId}, maySee);
  const notes = useNotesOf(conversations.ids.slice(0, kMostConversations), maySee);
  const newest = conversations.ids.map((id) => store.get('conversation', id)?.newestMessageId ?? '').join();
  const seen = useRef(newest);
  useEffect(() => { // a message came
    if (seen.current !== '' && seen.current !== newest) void messages.refresh();
    seen.current = newest;
  });
  const known = messages.ids.flatMap((id) => store.get('message', id) ?? []);
  const oldest = messages.hasMore ? known.at(-1)?.createdAt ?? '' : '';
  const entries = [
    ...known.map((message) => ({at: message.createdAt, id: message.uniqueId, entry: <MessageEntry message={message} />})),
    ...notes.filter((note) => note.createdAt >= oldest).map((note) => ({at: note.createdAt, id: note.uniqueId, entry: <NoteEntry note={note} />})),
  ].sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <Card title={words.timeline}>
      {conversations.problem && <Banner kind="degraded">{words.timelineUnknown}</Banner>}
      {messages.problem ? <ProblemState problem={messages.problem} retry={messages.retry} small level={3} />
        : messages.isLoading ? <Loading label={words.timelineLoading}><Skeleton kind="row" lines={5} /></Loading> : (
          <>
            <Timeline label={words.timeline}>
              {entries.map(({id, entry}) => <Slot key={id}>{entry}</Slot>)}
              {!messages.hasMore && <TimelineEntry icon="user_add" time={format.short(contact.createdAt)} at={contact.createdAt}>{words.timelineEnd(format.date(contact.createdAt))}</TimelineEntry>}
            </Timeline>
            {messages.hasMore && <Button size="s" isPending={messages.isLoadingMore} onPress={messages.more}>{words.timelineMore}</Button>}
          </>
        )}
    </Card>
  );
}

const Slot = ({children}: {children: ReactNode}) => children;

function useNotesOf(ids: readonly string[], enabled: boolean): Note[] {
  const {value} = usePart(['contact notes', ...ids], async (scope, signal) => {
    const into = scope.store.asking();
    const all = await Promise.all(ids.map((conversationId) => notesFamily.load(scope, {conversationId}, {per_page: 50}, into, signal)));
    return {data: all.flatMap((each) => each.ids), degraded: [], version: null};
  }, {enabled: enabled && ids.length > 0});
  const {store} = useScope();
  return (value ?? []).flatMap((id) => store.get('note', id) ?? []);
}

function MessageEntry({message}: {message: Message}) {
  const {contact: words} = useTexts();
  const format = useFormat();
  const to = useAddress();
  const {store} = useScope();
  const common = {time: format.short(message.createdAt), at: message.createdAt};
  const text = wordsOfMessage(message) ?? words.kinds[message.messageType] ?? words.kinds.Unsupported;
  const detail = <span className={s.text}>{text}</span>;
  const href = to('inbox/' + message.conversationId);
  if (message.direction === 'InBound')
    return <TimelineEntry icon="reply" tone="ok" {...common} detail={detail}><Link quiet href={href}>{words.wrote}</Link></TimelineEntry>;
  const isLost = message.status === 'Failed' || message.status === 'UnDelivered';
  const state = isLost ? words.failed : words.states[message.status];
  const look: {icon: IconName; tone: Tone} = isLost ? {icon: 'danger', tone: 'danger'} : message.campaignId ? {icon: 'campaign', tone: 'accent'} : {icon: 'send', tone: 'information'};
  const member = message.sentBy?.memberId ? store.get('member', message.sentBy.memberId) : null;
  return (
    <TimelineEntry {...look} {...common} detail={detail}>
      {message.campaignId ? <>{words.campaign} <CampaignName id={message.campaignId} /></>
        : <Link quiet href={href}>{member ? words.sent(member.name) : words.sentByUs}</Link>}
      {' · '}{state}{isLost && message.errorText && <> (<bdi>{message.errorText}</bdi>)</>}
    </TimelineEntry>
  );
}

function CampaignName({id}: {id: string}) {
  const {contact: words} = useTexts();
  const {value} = useCampaign(useHeld('Get:Campaign') ? id : null);
  return <bdi>{value?.name ?? words.aCampaign}</bdi>;
}

function NoteEntry({note}: {note: Note}) {
  const {contact: words} = useTexts();
  const format = useFormat();
  const {store} = useScope();
  const author = note.writtenBy.memberId ? store.get('member', note.writtenBy.memberId) : null;
  return (
    <TimelineEntry icon="document" tone="warning" time={format.short(note.createdAt)} at={note.createdAt} detail={<span className={s.text}>{note.text}</span>}>
      {author ? words.note(author.name) : words.aNote}
    </TimelineEntry>
  );
}

function wordsOfMessage({messageData}: Message): string | undefined {
  const data = messageData as Readonly<Record<string, unknown>>;
  const found = [data.text, data.caption, data.fileName, data.reaction, data.name].find((each) => typeof each === 'string' && each !== '');
  return found as string | undefined;
}

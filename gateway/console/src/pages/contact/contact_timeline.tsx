import {useEffect, useRef, type ReactNode} from 'react';
import {useCampaign} from '../../api/campaigns.ts';
import {useConversation, useConversations} from '../../api/conversations.ts';
import type {Contact, Note} from '../../api/entities.ts';
import {usePart} from '../../api/hooks.ts';
import {useMembers} from '../../api/members.ts';
import {useMessage, useMessages} from '../../api/messages.ts';
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
import {ForbiddenState} from '../../design/state.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {useRefreshed} from '../audience/use_refreshed.ts';
import {failureOf, summaryOf} from '../inbox/message_words.ts';
import s from './contact.module.css';

const kMostConversations = 10;

/** Messages of all conversations and campaigns, and notes, in one line of time. */
export function ContactTimeline({contact}: {contact: Contact}) {
  const {contact: words, shell} = useTexts();
  const format = useFormat();
  const {store} = useScope();
  const [mayRead, maySee] = [useHeld('Get:Message'), useHeld('Get:Conversation') === true];
  useMembers({}, useHeld('Get:OrganizationMember') === true);
  const messages = useMessages({contact_id: contact.uniqueId}, mayRead === true);
  const conversations = useConversations({contact_id: contact.uniqueId}, maySee);
  useRefreshed(messages);
  useRefreshed(conversations);
  const shown = conversations.ids.slice(0, kMostConversations);
  const {notes, isLoading: isLoadingNotes} = useNotesOf(shown, maySee);
  // An entry that came later would push the others away.
  const isLoading = messages.isLoading || conversations.isLoading || isLoadingNotes;
  const isNewer = conversations.newer.ids.length > 0;
  useEffect(() => {
    if (isNewer) void conversations.refresh();
  }, [isNewer]);
  const known = messages.ids.flatMap((id) => store.get('message', id) ?? []);
  const oldest = messages.hasMore ? known.at(-1)?.createdAt ?? '' : '';
  const entries = [
    ...known.map(({createdAt: at, uniqueId: id}) => ({at, id, entry: <MessageEntry id={id} />})),
    ...notes.filter((note) => note.createdAt >= oldest).map((note) => ({at: note.createdAt, id: note.uniqueId, entry: <NoteEntry note={note} />})),
  ].sort((a, b) => (a.at < b.at ? 1 : -1));
  return (
    <Card title={words.timeline}>
      {shown.map((id) => <Heard key={id} id={id} onMessage={() => void messages.refresh()} />)}
      {conversations.problem && <Banner kind="degraded">{words.timelineUnknown}</Banner>}
      {messages.problem ? <ProblemState problem={messages.problem} retry={messages.retry} small level={3} />
        : mayRead === false ? <ForbiddenState small level={3} title={shell.forbidden} permission="Get:Message">{shell.forbiddenText}</ForbiddenState>
          : mayRead === undefined || isLoading ? <Loading label={words.timelineLoading}><Skeleton kind="row" lines={5} /></Loading> : (
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

/** Hears of messages that come to a conversation while the contact is looked at. */
function Heard({id, onMessage}: {id: string; onMessage: () => void}) {
  const newest = useConversation(id).value?.newestMessageId;
  const seen = useRef(newest);
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== newest) onMessage();
    seen.current = newest;
  }, [newest]);
  return null;
}

const Slot = ({children}: {children: ReactNode}) => children;

function useNotesOf(ids: readonly string[], enabled: boolean): {notes: Note[]; isLoading: boolean} {
  const {value, isLoading} = usePart(['contact notes', ...ids], async (scope, signal) => {
    const into = scope.store.asking();
    const all = await Promise.all(ids.map((conversationId) => notesFamily.load(scope, {conversationId}, {per_page: 50}, into, signal)));
    return {data: all.flatMap((each) => each.ids), degraded: [], version: null};
  }, {enabled: enabled && ids.length > 0, isFresh: true});
  const {store} = useScope();
  return {notes: (value ?? []).flatMap((id) => store.get('note', id) ?? []), isLoading};
}

/** Reads its message itself: events tell how far that is. */
function MessageEntry({id}: {id: string}) {
  const {contact: words, inbox} = useTexts();
  const format = useFormat();
  const to = useAddress();
  const {store} = useScope();
  const {value: message} = useMessage(id);
  if (!message) return null;
  const common = {time: format.short(message.createdAt), at: message.createdAt, detail: <span className={s.text}>{summaryOf(message, inbox)}</span>};
  const href = to('inbox/' + message.conversationId);
  if (message.direction === 'InBound')
    return <TimelineEntry icon="reply" tone="ok" {...common}><Link quiet href={href}>{words.wrote}</Link></TimelineEntry>;
  const isLost = message.status === 'Failed' || message.status === 'UnDelivered';
  const look: {icon: IconName; tone: Tone} = isLost ? {icon: 'danger', tone: 'danger'} : message.campaignId ? {icon: 'campaign', tone: 'accent'} : {icon: 'send', tone: 'information'};
  const member = message.sentBy?.memberId ? store.get('member', message.sentBy.memberId) : null;
  return (
    <TimelineEntry {...look} {...common}>
      {message.campaignId ? <>{words.campaign} <CampaignName id={message.campaignId} /></>
        : <Link quiet href={href}>{member ? words.sent(member.name) : words.sentByUs}</Link>}
      {' · '}{isLost ? <>{words.failed}: <bdi>{failureOf(message.errorCode, message.errorText, inbox)}</bdi></> : words.states[message.status]}
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

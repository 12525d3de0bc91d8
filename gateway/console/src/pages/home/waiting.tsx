import {useConversation} from '../../api/conversations.ts';
import type {Conversation} from '../../api/entities.ts';
import {isOpen} from '../../api/home.ts';
import {useMessage} from '../../api/messages.ts';
import {Avatar} from '../../design/avatar.tsx';
import {Badge, Count} from '../../design/badge.tsx';
import {ButtonLink} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {List, ListEntry} from '../../design/list.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {useAddress} from '../../shell/address.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {useContactOf} from '../inbox/contact_of.ts';
import {summaryOf} from '../inbox/message_words.ts';
import {roughlyLeft, serviceWindow} from '../inbox/service_window.ts';
import type {HomeData} from './data.ts';
import s from './home.module.css';

const kMostShown = 5;

/** Who waits for an answer of mine or of anybody: those first whose windows end first. */
export function Waiting({data: {mine, nobodys}, now}: {data: HomeData; now: number}) {
  const {home: {awaiting}, shell} = useTexts();
  const to = useAddress();
  const isKnown = mine.value !== undefined && nobodys.value !== undefined;
  const all = [...(mine.value?.some ?? []), ...(nobodys.value?.some ?? [])];
  const problem = mine.problem ?? nobodys.problem;
  return (
    <Card title={awaiting.title} flush actions={<ButtonLink kind="quiet" size="s" href={to('inbox', {state: 'awaiting'})}>{awaiting.all}</ButtonLink>}>
      {all.length > 0 ? (
        <List label={awaiting.title}>
          {ordered(all, now).slice(0, kMostShown).map(({uniqueId}) => <Entry key={uniqueId} id={uniqueId} isMine={Boolean(mine.value?.some.some((each) => each.uniqueId === uniqueId))} now={now} />)}
        </List>
      ) : problem ? <ProblemState small level={3} problem={problem} retry={() => { mine.retry(); nobodys.retry(); }} />
        : isKnown ? <EmptyState small level={3} icon="inbox" title={awaiting.empty}>{awaiting.emptyText}</EmptyState>
          : <Loading label={shell.loading}><div className={s.waiting}><Skeleton kind="row" lines={3} /></div></Loading>}
    </Card>
  );
}

/** Open windows first, those that end soonest before the others; then those that have ended, the latest first. */
function ordered(all: readonly Conversation[], now: number): Conversation[] {
  const end = (each: Conversation) => (each.serviceWindowEndsAt ? Date.parse(each.serviceWindowEndsAt) : 0);
  return [...all].sort((a, b) => {
    const open = Number(isOpen(b, now)) - Number(isOpen(a, now));
    return open !== 0 ? open : isOpen(a, now) ? end(a) - end(b) : end(b) - end(a);
  });
}

function Entry({id, isMine, now}: {id: string; isMine: boolean; now: number}) {
  const {home: {awaiting}, inbox, shell} = useTexts();
  const format = useFormat();
  const to = useAddress();
  const {value: conversation} = useConversation(id);
  const contact = useContactOf(conversation);
  const {value: message} = useMessage(conversation?.newestMessageId ?? null);
  if (!conversation) return null;
  const name = contact?.name || contact?.phone || awaiting.unknownContact;
  const unread = conversation.numberOfUnreadMessages;
  const window = serviceWindow(conversation.serviceWindowEndsAt, now);
  return (
    <ListEntry
      href={to('inbox/' + id)} title={name} picture={<Avatar name={name} seed={conversation.contactId} />} isUnread={unread > 0}
      {...(message && {time: format.short(message.createdAt, now), text: summaryOf(message, inbox)})} {...(unread > 0 && {end: <Count strong label={shell.unread(unread)}>{format.number(unread)}</Count>})}
    >
      {isMine && <Badge tone="accent" icon="user">{awaiting.mine}</Badge>}
      {window.kind === 'open' ? <Badge tone={window.isShort ? 'warning' : 'neutral'} icon="clock">{awaiting.left(format.duration(roughlyLeft(window.left)))}</Badge>
        : <Badge icon="clock">{awaiting.over}</Badge>}
    </ListEntry>
  );
}

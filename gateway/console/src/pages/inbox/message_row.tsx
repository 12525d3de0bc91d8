import {useState, type ReactNode} from 'react';
import type {Contact, Message as MessageEntity} from '../../api/entities.ts';
import {useMessage} from '../../api/messages.ts';
import {useScope} from '../../api/scope.tsx';
import {Button} from '../../design/button.tsx';
import {cx} from '../../design/cx.ts';
import {Link} from '../../design/link.tsx';
import {Message, type MessageKind, type MessageState} from '../../design/message.tsx';
import {Skeleton} from '../../design/progress.tsx';
import type {SendBody} from '../../live/outbox.ts';
import {usePlaces} from '../../shell/places.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {bodyAgain} from './again.ts';
import s from './inbox.module.css';
import {mediaOfMessage} from './message_media.tsx';
import {failureOf, interactiveWords, saidOf, summaryOf} from './message_words.ts';
import {QuickButton} from './quick_button.tsx';
import {useAuthor, useCampaignName} from './names.ts';
import {TemplateWords} from './template_words.tsx';
import type {RowActions} from './thread_row.tsx';
import {Linked} from './linked.tsx';

const kStates: Readonly<Partial<Record<MessageEntity['status'], MessageState>>> = {
  Queued: 'queued', Sent: 'sent', Delivered: 'delivered', Read: 'read', Failed: 'failed', UnDelivered: 'failed',
};

export interface MessageRowProps {
  id: string;
  follows: boolean;
  reactions: readonly string[];
  contact: Contact | null | undefined;
  actions: RowActions;
}

export function MessageRow(props: MessageRowProps) {
  const {value: message} = useMessage(props.id);
  if (message === undefined) return <div className={s.waiting}><Skeleton kind="row" /></div>;
  return message && <Known {...props} message={message} />;
}

function Known({message, follows, reactions, contact, actions}: MessageRowProps & {message: MessageEntity}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const author = useAuthor(message.sentBy, contact);
  const isOurs = message.direction === 'OutBound';
  const isCampaign = message.campaignId !== null || message.sentBy.type === 'Campaign';
  const kind: MessageKind = !isOurs ? 'inbound' : isCampaign ? 'campaign' : 'outbound';
  const said = saidOf(message);
  const state = isOurs ? kStates[message.status] : undefined;
  const quote = useQuote(message.replyToMessageId, contact);
  const stateText = inbox.states[message.status];
  const time = format.time(message.createdAt) + (said.editedAt && !said.revoked ? ' · ' + inbox.edited : '');
  return (
    <Message kind={kind} author={author} showsAuthor={isOurs && !isCampaign && !follows} follows={follows} time={time} at={message.createdAt}
             text={<Words message={message} />} media={mediaOfMessage(message)}
             {...(isCampaign && {head: <CampaignHead id={message.campaignId} />})} {...(quote && {quote})}
             {...(state && {state, stateText})} {...(state === 'failed' && {failure: <>{stateText}. {failureOf(message.errorCode, message.errorText, inbox)}</>})}
             actions={<RowFoot message={message} reactions={reactions} actions={actions} author={author} isFailed={state === 'failed'} />} />
  );
}

function CampaignHead({id}: {id: string | null}) {
  const {inbox} = useTexts();
  const name = useCampaignName(id);
  const href = usePlaces()('campaigns/' + id, {}, 'campaigns/$campaign');
  if (!name) return inbox.authors.campaign;
  return href ? <Link href={href}><bdi>{name}</bdi></Link> : <bdi>{name}</bdi>;
}

/** What it says, besides a file. */
function Words({message}: {message: MessageEntity}): ReactNode {
  const {inbox} = useTexts();
  const said = saidOf(message);
  if (said.revoked) return <em>{inbox.revoked}</em>;
  switch (message.messageType) {
    case 'Text': return <Linked text={said.text ?? ''} />;
    case 'Image':
    case 'Video':
    case 'Document': return said.caption ? <Linked text={said.caption} /> : null;
    case 'Audio':
    case 'Sticker':
    case 'Location':
    case 'Contacts': return null;
    case 'Template': return <TemplateWords said={said} />;
    case 'Interactive': return interactiveWords(said, inbox);
    default: return <em>{inbox.types.Unsupported}. {inbox.unsupportedHint}</em>;
  }
}

function useQuote(id: string | null, contact: Contact | null | undefined): {author: string; text: string} | null {
  const {inbox} = useTexts();
  const {value: message} = useMessage(id);
  const author = useAuthor(message?.sentBy ?? {type: 'Unknown', uniqueId: null, memberId: null}, contact);
  return message ? {author, text: summaryOf(message, inbox).slice(0, 200)} : null;
}

interface FootProps {
  message: MessageEntity;
  reactions: readonly string[];
  actions: RowActions;
  author: string;
  isFailed: boolean;
}

function RowFoot({message, reactions, actions, author, isFailed}: FootProps) {
  const {inbox} = useTexts();
  const [isSentAgain, setSentAgain] = useState(false);
  const again = isFailed && actions.mayWrite ? bodyAgain(message) : null;
  const resend = (body: SendBody) => {
    setSentAgain(true);
    actions.resend(body).catch(() => setSentAgain(false));
  };
  return (
    <>
      {reactions.length > 0 && <Reactions ids={reactions} />}
      {again && <Button size="s" icon="retry" isDisabled={isSentAgain} onPress={() => resend(again)}>{inbox.sendAgain}</Button>}
      {actions.mayWrite && !isFailed && message.messagingMessageId && (
        <span className={cx(s.on_hover, message.direction === 'OutBound' && s.ours)}><QuickButton icon="reply" label={`${inbox.replyTo}: ${author}`} onPress={() => actions.reply(message.uniqueId)} /></span>
      )}
    </>
  );
}

function Reactions({ids}: {ids: readonly string[]}) {
  const {inbox} = useTexts();
  const {store} = useScope();
  // The last one of each sender counts; an empty one takes it back.
  const signs = new Map<string, string>();
  for (const id of ids) {
    const message = store.get('message', id);
    if (message) signs.set(message.sentBy.type + message.sentBy.uniqueId, saidOf(message).reaction ?? '');
  }
  const shown = [...signs.values()].filter(Boolean);
  return shown.length > 0 && <span className={s.reactions} role="img" aria-label={`${inbox.reactions}: ${shown.join(' ')}`}>{shown.join(' ')}</span>;
}

import {Button} from '../../design/button.tsx';
import {ImageMedia, Message} from '../../design/message.tsx';
import type {Send} from '../../live/outbox.ts';
import {useLiveState, useUploaded} from '../../live/provider.tsx';
import {useNow} from '../../shell/clock.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {ChosenFile, usePicture} from './chosen_file.tsx';
import s from './inbox.module.css';
import {failureOf, type Said} from './message_words.ts';
import type {RowActions} from './thread_row.tsx';
import {TemplateWords} from './template_words.tsx';

/** A message that waits, failed or asks. It is not in the thread of the service yet. */
export function SendRow({send, follows, actions}: {send: Send; follows: boolean; actions: RowActions}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const said = send.body.messageData as Said;
  const uploaded = useUploaded(send.key);
  const isOver = send.state !== 'waits';
  const words = send.body.messageType === 'Template' ? <TemplateWords said={said} /> : said.text ?? said.caption;
  const picture = usePicture(send.file?.blob ?? null);
  const file = send.file
    ? <ChosenFile file={null} name={send.file.name} note={uploaded === null ? format.bytes(send.file.blob.size) : inbox.uploading(format.percent(uploaded, 0))} />
    : !words && inbox.types[send.body.messageType];
  const media = (picture || file) && <>{picture && <ImageMedia src={picture} alt={inbox.picture} />}<div className={s.above}>{file}</div></>;
  return (
    <Message kind="outbound" author={inbox.authors.you} follows={follows} time={format.time(send.createdAt)} at={new Date(send.createdAt).toISOString()}
             {...(words && {text: words})} {...(media && {media})} state={isOver ? 'failed' : 'queued'} stateText={inbox.waits}
             {...(isOver && {failure: <Why send={send} />})}
             actions={isOver
               ? <><Button size="s" icon="retry" onPress={() => actions.again(send)}>{inbox.sendAgain}</Button><Button size="s" kind="quiet" onPress={() => actions.discard(send)}>{inbox.discard}</Button></>
               : <Waits send={send} />} />
  );
}

function Why({send}: {send: Send}) {
  const {inbox} = useTexts();
  if (send.state === 'asks') return <>{inbox.asks} {send.isTried && inbox.asksTried}</>;
  if (send.problem?.status === 403) return inbox.sendForbidden;
  const words = send.problem?.detail || send.problem?.title;
  return words ? <bdi>{inbox.sendFailed(words)}</bdi> : failureOf(null, null, inbox);
}

/** Why it is not gone yet, if that takes longer. */
function Waits({send}: {send: Send}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const live = useLiveState();
  const now = useNow(1000);
  const words = live.kind === 'offline' || send.problem?.status === 0 ? inbox.waitsOffline
    : send.nextAt !== null && send.nextAt - now > 1500 ? inbox.waitsUntil(format.number(Math.ceil((send.nextAt - now) / 1000)))
    : now - send.createdAt > 3000 ? inbox.waits : null;
  return words && <span className={s.waits}>{words}</span>;
}

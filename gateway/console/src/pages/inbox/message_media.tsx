import {Suspense, useState, type ReactNode} from 'react';
import {useQuery} from '@tanstack/react-query';
import {mediaAddress} from '../../api/messages.ts';
import {keys} from '../../api/store.ts';
import {useScope, type Scope} from '../../api/scope.tsx';
import type {Message} from '../../api/entities.ts';
import {Icon} from '../../design/icon.tsx';
import {Link} from '../../design/link.tsx';
import {AudioMedia, DocumentMedia, ImageMedia} from '../../design/message.tsx';
import {part} from '../../parts.ts';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {saidOf, timeOfSeconds, type Said} from './message_words.ts';

const LargePicture = part(() => import('./large_picture.tsx'), (file) => file.LargePicture);

/** What stands above the words of a message, if anything does. */
export function mediaOfMessage(message: Message): ReactNode {
  const said = saidOf(message);
  if (said.revoked) return undefined;
  switch (message.messageType) {
    case 'Image':
    case 'Sticker':
    case 'Video':
    case 'Audio':
    case 'Document':
      return !said.id && said.link ? <Foreign said={said} /> : <Own message={message} said={said} />;
    case 'Location': return <Place said={said} />;
    case 'Contacts': return <Cards said={said} />;
    default: return undefined;
  }
}

/** A file elsewhere is never loaded: that would tell its host who reads. */
function Foreign({said}: {said: Said}) {
  const {inbox} = useTexts();
  return <p className={s.place}><Icon name="link" /><span>{inbox.foreignFile}: <Link href={said.link ?? ''} external={inbox.openForeign}><bdi>{said.fileName ?? hostOf(said.link)}</bdi></Link></span></p>;
}

function hostOf(link: string | undefined): string {
  return link && URL.canParse(link) ? new URL(link).host : link ?? '';
}

function Own({message, said}: {message: Message; said: Said}) {
  const {inbox} = useTexts();
  const scope = useScope();
  const [isBroken, setBroken] = useState(false);
  const src = mediaAddress(scope, message.uniqueId);
  const isGone = useIsGone(message.uniqueId, src, isBroken);
  if (isBroken) return <ImageMedia alt="" missing={<span>{isGone ? inbox.fileGone : inbox.fileFailed}</span>} />;
  switch (message.messageType) {
    case 'Image': return <Picture src={src} onBroken={() => setBroken(true)} caption={said.caption} />;
    case 'Sticker': return <img className={s.sticker} src={src} alt={inbox.types.Sticker} width={128} height={128} loading="lazy" onError={() => setBroken(true)} />;
    case 'Video': return <video className={s.video} src={src} controls preload="none" aria-label={said.caption || inbox.video} onError={() => setBroken(true)} />;
    case 'Audio': return <span onError={() => setBroken(true)}><Sound src={src} /></span>;
    default: return <Document src={src} said={said} onBroken={() => setBroken(true)} />;
  }
}

/** Why a file does not come: only an answer tells. */
function useIsGone(id: string, src: string, isBroken: boolean): boolean {
  const scope = useScope();
  const {data} = useQuery({
    queryKey: keys.part(scope.organization, 'media', id),
    enabled: isBroken,
    queryFn: ({signal}) => statusOf(scope, src, signal),
  });
  return data === 410 || data === 404;
}

/** How a file is answered, without having it. */
async function statusOf(scope: Scope, src: string, signal?: AbortSignal): Promise<number> {
  const inTime = AbortSignal.any([AbortSignal.timeout(30_000), ...(signal ? [signal] : [])]);
  const answer = await scope.wire.fetch(new Request(src, {signal: inTime, credentials: 'same-origin', headers: {Range: 'bytes=0-0'}}));
  await answer.body?.cancel();
  return answer.status;
}

function Picture({src, onBroken, caption}: {src: string; onBroken: () => void; caption: string | undefined}) {
  const {inbox} = useTexts();
  const [isOpen, setOpen] = useState(false);
  const alt = caption || inbox.picture;
  return (
    <span onError={onBroken}>
      <ImageMedia src={src} alt={alt} open={`${inbox.openPicture}: ${alt}`} onOpen={() => setOpen(true)} />
      {isOpen && <Suspense fallback={null}><LargePicture src={src} alt={alt} onClose={() => setOpen(false)} /></Suspense>}
    </span>
  );
}

/** It is loaded when somebody wants to hear it. */
function Sound({src}: {src: string}) {
  const {inbox} = useTexts();
  const [isWanted, setWanted] = useState(false);
  return <AudioMedia {...(isWanted && {src})} labels={inbox} format={timeOfSeconds} onWant={() => setWanted(true)} />;
}

function Document({src, said, onBroken}: {src: string; said: Said; onBroken: () => void}) {
  const {inbox} = useTexts();
  const scope = useScope();
  const [isPending, setPending] = useState(false);
  const name = said.fileName || inbox.types.Document;
  const kind = said.mimeType?.split('/').at(-1)?.toUpperCase() ?? '';
  // The browser would save what is answered in place of a file that is not there.
  const save = async () => {
    setPending(true);
    const status = await statusOf(scope, src).catch(() => 0);
    setPending(false);
    if (status < 200 || status >= 300) return onBroken();
    const link = document.createElement('a');
    link.href = src;
    link.download = name;
    link.click();
  };
  return <DocumentMedia name={name} note={kind.length > 0 && kind.length <= 5 ? kind : inbox.file} download={`${inbox.download}: ${name}`} onDownload={() => void save()} isPending={isPending} />;
}

function Place({said}: {said: Said}) {
  const {inbox} = useTexts();
  const {latitude, longitude, name, address} = said;
  const at = latitude !== undefined && longitude !== undefined ? `${latitude.toFixed(5)}, ${longitude.toFixed(5)}` : '';
  const href = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <div className={s.place}>
      <Icon name="location" size={20} />
      <div>
        <p><strong><bdi>{name || inbox.types.Location}</bdi></strong></p>
        {address && <p><bdi>{address}</bdi></p>}
        {at && <p><span dir="ltr">{at}</span></p>}
        {at && <Link href={href} external={inbox.openForeign}>{inbox.openMap}</Link>}
      </div>
    </div>
  );
}

function Cards({said}: {said: Said}) {
  const {inbox} = useTexts();
  return (said.contacts ?? []).map((card, place) => (
    <div className={s.place} key={place}>
      <Icon name="user" size={20} />
      <div>
        <p><strong><bdi>{card.name?.formatted_name || inbox.types.Contacts}</bdi></strong></p>
        {card.phones?.map((each, at) => <p key={at}><span dir="ltr">{each.phone}</span></p>)}
      </div>
    </div>
  ));
}

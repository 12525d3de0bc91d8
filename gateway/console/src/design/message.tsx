import {useRef, useState, type ReactNode} from 'react';
import {Button} from 'react-aria-components/Button';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import {Spinner} from './spinner.tsx';
import {Spoken} from './spoken.tsx';
import s from './message.module.css';

export type MessageKind = 'inbound' | 'outbound' | 'campaign' | 'note';
export type MessageState = 'queued' | 'sent' | 'delivered' | 'read' | 'failed';

const stateIcons: Readonly<Record<MessageState, IconName>> = {
  queued: 'clock', sent: 'check', delivered: 'check_double', read: 'check_double', failed: 'danger',
};

export interface MessageProps {
  kind: MessageKind;
  /** Who: spoken before the words, and shown above them where `showsAuthor`. */
  author: string;
  showsAuthor?: boolean;
  /** What it is, above the words: "Note", or the campaign's name as a link. */
  head?: ReactNode;
  /** People's words, which keep their direction and their line breaks; addresses in them may be links. */
  text?: ReactNode;
  /** A picture, sound or document, above the words. */
  media?: ReactNode;
  /** The message this one answers. */
  quote?: {author: string; text: string};
  time: string;
  /** For machines: ISO 8601. */
  at?: string;
  state?: MessageState;
  stateText?: string;
  /** Of a failed one: why, in words, and what can be done. */
  failure?: ReactNode;
  actions?: ReactNode;
  /** The one before is by the same person: it stands closer. */
  follows?: boolean;
}

export function Message({
  kind, author, showsAuthor, head, text, media, quote, time, at, state, stateText, failure, actions, follows,
}: MessageProps) {
  return (
    <article className={cx(s.message, s[kind], follows && s.follows, state === 'failed' && s.failed)}>
      {showsAuthor ? <p className={s.author}><bdi>{author}</bdi></p> : <Spoken>{author}</Spoken>}
      <div className={s.bubble}>
        {head && <p className={s.head}><Icon name={kind === 'note' ? 'edit' : 'campaign'} size={14} />{head}</p>}
        {quote && <blockquote className={s.quote}><b><bdi>{quote.author}</bdi></b><span><bdi>{quote.text}</bdi></span></blockquote>}
        {media}
        <div className={s.foot}>
          {text && <p className={s.text} dir="auto">{text}</p>}
          <p className={s.meta}>
            <time {...(at && {dateTime: at})}>{time}</time>
            {state && <span className={cx(s.state, state === 'read' && s.read)}><Icon name={stateIcons[state]} size={14} /><Spoken>{stateText}</Spoken></span>}
          </p>
        </div>
      </div>
      {failure && <div className={s.failure}><Icon name="danger" size={14} /><span>{failure}</span></div>}
      {actions && <div className={s.actions}>{actions}</div>}
    </article>
  );
}

/** What happened between the messages: assigned, closed, opted out. */
export function SystemLine({icon, children, time}: {icon?: IconName; children: ReactNode; time?: string}) {
  return <p className={s.system}>{icon && <Icon name={icon} size={14} />}<span>{children}</span>{time && <time>{time}</time>}</p>;
}

export function DayLine({children}: {children: ReactNode}) {
  return <div className={s.day}><h2>{children}</h2></div>;
}

/** Where what is new begins. */
export function UnreadLine({children}: {children: ReactNode}) {
  return <div className={s.unread}><span>{children}</span></div>;
}

export interface ImageProps {
  /** A blob: address; absent while it is loaded. */
  src?: string;
  /** The caption is shown as text; this names the picture for those who do not see it. */
  alt: string;
  width?: number;
  height?: number;
  open?: string;
  onOpen?: () => void;
  /** Why it cannot be shown. */
  missing?: ReactNode;
}

export function ImageMedia({src, alt, width = 4, height = 3, open, onOpen, missing}: ImageProps) {
  if (missing) return <div className={s.missing}><Icon name="photo" size={20} />{missing}</div>;
  const picture = src
    ? <img className={s.image} src={src} alt={alt} width={width} height={height} />
    : <span className={s.image_wait} style={{aspectRatio: `${width} / ${height}`}}><Spinner label={alt} size={20} /></span>;
  return src && onOpen ? <Button className={s.image_button ?? ''} aria-label={open ?? alt} onPress={onOpen}>{picture}</Button> : picture;
}

export interface AudioProps {
  src?: string;
  labels: {play: string; pause: string; position: string};
  /** Writes seconds: "1:05". Also spoken as the position. */
  format: (seconds: number) => string;
  /** In seconds, where it is known before it is loaded. */
  duration?: number;
  /** Asked to play before there is a `src`: the page loads it. */
  onWant?: () => void;
}

/** Space and Enter play and pause on the button; arrow keys move on the line. */
export function AudioMedia({src, labels, format, duration = 0, onWant}: AudioProps) {
  const sound = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [wanted, setWanted] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState(duration);
  const press = () => {
    if (!src) { setWanted(true); onWant?.(); return; }
    if (isPlaying) sound.current?.pause(); else void sound.current?.play().catch(() => setPlaying(false));
  };
  return (
    <div className={s.audio}>
      <Button className={s.play ?? ''} aria-label={isPlaying ? labels.pause : labels.play} onPress={press}>
        {wanted && !src ? <Spinner /> : <Icon name={isPlaying ? 'pause' : 'play'} />}
      </Button>
      <input
        type="range" className={s.line} aria-label={labels.position} aria-valuetext={format(at)} min={0} max={length || 1} step={0.1} value={at} disabled={!src}
        onChange={(event) => { const to = event.target.valueAsNumber; setAt(to); if (sound.current) sound.current.currentTime = to; }}
      />
      <span className={s.length}>{format(isPlaying || at > 0 ? at : length)}</span>
      {src && (
        <audio
          ref={sound} src={src} preload="metadata" autoPlay={wanted} onPlay={() => setPlaying(true)} onPause={() => setPlaying(false)}
          onEnded={() => setAt(0)} onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
          onLoadedMetadata={(event) => { if (Number.isFinite(event.currentTarget.duration)) setLength(event.currentTarget.duration); }}
        />
      )}
    </div>
  );
}

export interface DocumentProps {
  name: string;
  /** Kind and size: "PDF, 1.2 MB". */
  note: string;
  download: string;
  onDownload: () => void;
  isPending?: boolean;
}

export function DocumentMedia({name, note, download, onDownload, isPending}: DocumentProps) {
  return (
    <Button className={s.document ?? ''} onPress={onDownload} {...(isPending && {isPending})}>
      <span className={s.document_sign}><Icon name="document" size={20} /></span>
      <span className={s.document_words}><span className={cx(s.document_name, 'clipped')} dir="auto">{name}</span><span className={s.document_note}>{note}</span></span>
      {isPending ? <Spinner /> : <Icon name="download" />}<Spoken>{download}</Spoken>
    </Button>
  );
}

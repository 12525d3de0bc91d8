import type {ReactNode} from 'react';
import {Link} from 'react-aria-components/Link';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import type {Tone} from './badge.tsx';
import s from './list.module.css';

export interface ListEntryProps {
  href: string;
  /** An Avatar or icon. */
  picture?: ReactNode;
  title: string;
  /** At the end of the title's line: when. */
  time?: ReactNode;
  /** People's words: the last message, or what was found in it, in `mark`. */
  text?: ReactNode;
  /** Before the text: who wrote it, or the state of one's own message. */
  before?: ReactNode;
  /** At the end of the text's line: Count, StatusDot. */
  end?: ReactNode;
  /** A third line: Tags, Badge. */
  children?: ReactNode;
  isUnread?: boolean;
  isCurrent?: boolean;
  /** Its place among all and how many there are, where the page draws those in view alone. */
  place?: number;
  of?: number;
  /** Pixels from the top, where the page places it. */
  offset?: number;
}

/** One of a list that one walks through: a conversation, a campaign. It stands in a List. */
export function ListEntry({href, picture, title, time, text, before, end, children, isUnread, isCurrent, place, of, offset}: ListEntryProps) {
  return (
    <li
      className={cx(s.item, offset !== undefined && s.placed)} {...(place !== undefined && {'aria-posinset': place, 'aria-setsize': of ?? -1})}
      {...(offset !== undefined && {style: {transform: `translateY(${offset}px)`}})}
    >
      <Link href={href} className={cx(s.entry, isUnread && s.unread, isCurrent && s.current)} {...(isCurrent && {'aria-current': 'true'})}>
        {picture}
        <span className={s.body}>
          <span className={s.line}><span className={cx(s.title, 'clipped')} dir="auto">{title}</span>{time && <span className={s.time}>{time}</span>}</span>
          {(text || before || end) && <span className={s.line}>{before && <span className={s.before}>{before}</span>}<span className={cx(s.text, 'clipped')} dir="auto">{text}</span>{end}</span>}
          {children && <span className={s.more}>{children}</span>}
        </span>
      </Link>
    </li>
  );
}

/** `height`: of all entries in pixels, where the page places those in view. */
export function List({label, height, children}: {label: string; height?: number; children: ReactNode}) {
  return <ul className={s.list} aria-label={label} {...(height !== undefined && {style: {blockSize: height}})}>{children}</ul>;
}

export interface TimelineEntryProps {
  icon: IconName;
  tone?: Tone;
  /** One sentence; names in it may be links. */
  children: ReactNode;
  time: string;
  at?: string;
  /** What was written or changed. */
  detail?: ReactNode;
}

/** What happened with someone or something, one after the other. It stands in a Timeline. */
export function TimelineEntry({icon, tone = 'neutral', children, time, at, detail}: TimelineEntryProps) {
  return (
    <li className={s.event}>
      <span className={cx(s.event_sign, s[tone])}><Icon name={icon} size={14} /></span>
      <div className={s.event_body}>
        <p className={s.event_line}><span>{children}</span><time {...(at && {dateTime: at})}>{time}</time></p>
        {detail && <div className={s.detail} dir="auto">{detail}</div>}
      </div>
    </li>
  );
}

export function Timeline({label, children}: {label: string; children: ReactNode}) {
  return <ol className={s.timeline} aria-label={label}>{children}</ol>;
}

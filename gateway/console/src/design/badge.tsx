import type {ReactNode} from 'react';
import {Button} from 'react-aria-components/Button';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import {Spoken} from './spoken.tsx';
import s from './badge.module.css';

/** What something means, never by its colour alone: each tone has a sign of its own. */
export type Tone = 'neutral' | 'accent' | 'ok' | 'warning' | 'danger' | 'information';

export const toneIcons: Readonly<Record<Exclude<Tone, 'neutral' | 'accent'>, IconName>> = {
  ok: 'ok', warning: 'warning', danger: 'danger', information: 'information',
};

export interface BadgeProps {
  tone?: Tone;
  /** Replaces the sign of the tone. */
  icon?: IconName;
  children: ReactNode;
}

/** A state in a word or two. */
export function Badge({tone = 'neutral', icon, children}: BadgeProps) {
  const sign = icon ?? (tone === 'neutral' || tone === 'accent' ? undefined : toneIcons[tone]);
  return <span className={cx(s.badge, s[tone])}>{sign && <Icon name={sign} size={14} />}{children}</span>;
}

export interface StatusDotProps {
  tone?: Tone;
  /** Moves gently: it is going on now. */
  live?: boolean;
  children: ReactNode;
  /** The words are spoken, not shown; only beside words that say the same. */
  wordsHidden?: boolean;
}

/** A state in a dense list: filled is well, a ring is neutral, a triangle warns, a square is wrong. */
export function StatusDot({tone = 'neutral', live, wordsHidden, children}: StatusDotProps) {
  return (
    <span className={s.status}>
      <span className={cx(s.dot, s[`dot_${tone}`], live && s.live)} aria-hidden="true" />
      {wordsHidden ? <Spoken>{children}</Spoken> : children}
    </span>
  );
}

/** A number beside a word. `strong` for what is unread. */
export function Count({children, strong, label}: {children: ReactNode; strong?: boolean; label?: string}) {
  return (
    <span className={cx(s.count, strong && s.strong)} {...(label && {'data-tooltip': label})}>
      {label ? <><span aria-hidden="true">{children}</span><Spoken>{label}</Spoken></> : children}
    </span>
  );
}

export interface TagProps {
  children: string;
  /** The label of the button that takes it away. */
  remove?: string;
  onRemove?: () => void;
  icon?: IconName;
}

/** A tag of an organization: people's own word. */
export function Tag({children, remove, onRemove, icon}: TagProps) {
  return (
    <span className={s.tag}>
      {icon && <Icon name={icon} size={14} />}
      <span className="clipped" dir="auto">{children}</span>
      {onRemove && remove && <Button aria-label={remove} className={s.remove ?? ''} onPress={onRemove}><Icon name="close" size={14} /></Button>}
    </span>
  );
}

/** Tags in a row that wraps. */
export function Tags({label, children}: {label?: string; children: readonly ReactNode[]}) {
  return <ul className={s.tags} {...(label && {'aria-label': label})}>{children.map((tag, place) => <li key={place}>{tag}</li>)}</ul>;
}

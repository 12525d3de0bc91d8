import {cx} from './cx.ts';
import s from './avatar.module.css';

export interface AvatarProps {
  /** Whose it is; the initials come from it. */
  name: string;
  /** What the colour is made from, so that a new name keeps it: an id or a phone number. */
  seed?: string;
  size?: 's' | 'm' | 'l';
}

const hues = ['hue_1', 'hue_2', 'hue_3', 'hue_4', 'hue_5', 'hue_6', 'hue_7', 'hue_8'] as const;

function stablePlace(seed: string, places: number): number {
  let hash = 2166136261;
  for (const letter of seed) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0) % places;
}

/** The first letters of the first and last word; of a number or an emoji alone, the first sign. */
function initials(name: string): string {
  const words = name.split(/[\s\-._@]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const first = /[\p{L}\p{N}]/u.exec(words[0] ?? name)?.[0] ?? [...name.trim()][0] ?? '?';
  const last = words.length > 1 ? /\p{L}/u.exec(words[words.length - 1] ?? '')?.[0] ?? '' : '';
  return (/\p{L}/u.test(first) ? first + last : first).toLocaleUpperCase();
}

/** Several who are here, such as members who look at the same conversation. `label` names them all. */
export function Avatars({names, label}: {names: readonly string[]; label: string}) {
  return <span className={s.several} role="img" aria-label={label}>{names.map((name, place) => <Avatar key={place} name={name} size="s" />)}</span>;
}

/** Stands beside the name, so it is never spoken. */
export function Avatar({name, seed = name, size = 'm'}: AvatarProps) {
  return (
    <span className={cx(s.avatar, s[hues[stablePlace(seed, hues.length)] ?? 'hue_1'], size !== 'm' && s[size])} aria-hidden="true">{initials(name)}</span>
  );
}

import {cx} from './cx.ts';
import {outline, solid} from './icons.ts';
import s from './icon.module.css';

export type IconName = keyof typeof outline | keyof typeof solid;

export interface IconProps {
  name: IconName;
  /** In pixels: 16 beside text, 20 in navigation, 24 or more on its own. */
  size?: 14 | 16 | 20 | 24 | 32;
  className?: string | undefined;
}

/** These point along the text, so they turn with its direction. */
const pointing: ReadonlySet<string> = new Set([
  'arrow_back', 'chevron_back', 'chevron_forward', 'external', 'reply', 'send', 'sign_out', 'list',
]);

/** A picture beside words. It is never spoken; what stands alone needs a label on its button. */
export function Icon({name, size = 16, className}: IconProps) {
  const filled = Object.hasOwn(solid, name);
  const path = filled ? solid[name as keyof typeof solid] : outline[name as keyof typeof outline];
  return (
    <svg
      className={cx(filled ? s.solid : s.outline, pointing.has(name) && s.pointing, className)}
      width={size} height={size} viewBox={filled ? '0 0 20 20' : '0 0 24 24'}
      strokeWidth={filled ? undefined : size < 20 ? 1.9 : size > 24 ? 1.25 : 1.6} aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

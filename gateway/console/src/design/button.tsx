import type {ReactNode, RefAttributes} from 'react';
import {Button as AriaButton, type ButtonProps as AriaButtonProps} from 'react-aria-components/Button';
import {Link as AriaLink, type LinkProps as AriaLinkProps} from 'react-aria-components/Link';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import {Spinner} from './spinner.tsx';
import s from './button.module.css';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Look {
  /** One primary button a view. Danger only where it is decided, not where it is begun. */
  kind?: ButtonKind;
  size?: 's' | 'm' | 'l';
  icon?: IconName | undefined;
  /** As wide as what holds it. */
  wide?: boolean;
  /** Its words begin at the start, as in navigation; otherwise they are in the middle. */
  align?: 'start';
  /** Before its words, in place of an icon: a Mark, an Avatar. */
  start?: ReactNode;
  /** At its end: Keys, a Count. */
  end?: ReactNode;
  children: ReactNode;
}

export interface ButtonProps
  extends Look, Omit<AriaButtonProps, 'children' | 'className' | 'style' | 'render'>, RefAttributes<HTMLButtonElement> {}

function look({kind = 'secondary', size = 'm', wide, align}: {[name in keyof Look]?: Look[name] | undefined}): string {
  return cx(s.button, s[kind], size !== 'm' && s[size], wide && s.wide, align && s.start);
}

/** While `isPending` it keeps its width and focus and does nothing more. */
export function Button({kind, size, icon, wide, align, start, end, children, ...rest}: ButtonProps) {
  return (
    <AriaButton {...rest} className={look({kind, size, wide, align})}>
      {({isPending}) => (
        <>
          {icon ? <Icon name={icon} /> : start}
          <span className={s.text}>{children}</span>
          {end}
          {isPending && <span className={s.pending}><Spinner /></span>}
        </>
      )}
    </AriaButton>
  );
}

export interface ButtonLinkProps
  extends Look, Omit<AriaLinkProps, 'children' | 'className' | 'style' | 'render'>, RefAttributes<HTMLAnchorElement> {}

/** Looks like a button, goes somewhere. */
export function ButtonLink({kind, size, icon, wide, align, start, end, children, ...rest}: ButtonLinkProps) {
  return (
    <AriaLink {...rest} className={look({kind, size, wide, align})}>
      {icon ? <Icon name={icon} /> : start}
      <span className={s.text}>{children}</span>
      {end}
    </AriaLink>
  );
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon' | 'wide' | 'align' | 'start' | 'end' | 'aria-label'> {
  icon: IconName;
  /** What it does. Spoken, and shown by the tooltip (tooltip.tsx). */
  label: string;
  /** Keys that do the same, shown in the tooltip. */
  keys?: string;
  /** Pressed, of a button that switches something. */
  isOn?: boolean;
}

export function IconButton({kind = 'quiet', size = 'm', icon, label, keys, isOn, ...rest}: IconButtonProps) {
  return (
    <AriaButton
      {...rest} aria-label={label} {...(isOn !== undefined && {'aria-pressed': isOn})} data-tooltip={label} data-tooltip-keys={keys}
      className={cx(look({kind, size}), s.square, isOn && s.on)}
    >
      {({isPending}) => isPending ? <span className={s.pending}><Spinner /></span> : <Icon name={icon} size={size === 'l' ? 20 : 16} />}
    </AriaButton>
  );
}

/** Buttons that belong together, with one gap. */
export function ButtonRow({children, end}: {children: ReactNode; end?: boolean}) {
  return <div className={cx(s.row, end && s.end)}>{children}</div>;
}

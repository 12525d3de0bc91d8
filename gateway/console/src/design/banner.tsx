import type {ReactNode} from 'react';
import {IconButton} from './button.tsx';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import s from './banner.module.css';

export type BannerKind = 'information' | 'ok' | 'warning' | 'danger' | 'degraded';

const icons: Readonly<Record<BannerKind, IconName>> = {
  information: 'information', ok: 'ok', warning: 'warning', danger: 'danger', degraded: 'offline',
};

export interface BannerProps {
  /** `degraded`: a part could not be asked. It names the part; the rest of the page is right. */
  kind?: BannerKind;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** The label of the button that closes it. */
  close?: string;
  onClose?: () => void;
  /** It appears because of what was just done: screen readers are told. */
  live?: boolean;
}

export function Banner({kind = 'information', title, children, actions, close, onClose, live}: BannerProps) {
  return (
    <div className={cx(s.banner, s[kind])}>
      <Icon name={icons[kind]} size={20} className={s.sign} />
      <div className={s.words} {...(live && {role: kind === 'danger' ? 'alert' : 'status'})}>
        {title && <p className={s.title}>{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {actions && <div className={s.actions}>{actions}</div>}
      {close && onClose && <IconButton icon="close" size="s" label={close} onPress={onClose} />}
    </div>
  );
}

/** Above the page: what concerns all of it, such as a lost connection. `end` may change by itself, so it is not spoken each time. */
export function Bar({icon, children, end}: {icon: IconName; children: ReactNode; end?: ReactNode}) {
  return <div className={s.bar}><Icon name={icon} /><span role="status">{children}</span>{end && <span>{end}</span>}</div>;
}

import type {ReactNode} from 'react';
import {Heading} from 'react-aria-components/Heading';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import s from './state.module.css';

interface StateProps {
  title: string;
  level?: 1 | 2 | 3;
  children?: ReactNode;
  actions?: ReactNode;
  /** In a pane or card rather than on a page. */
  small?: boolean;
}

function State({icon, title, level = 2, children, actions, small, tone, extra, role}: StateProps & {icon: IconName; tone?: string | undefined; extra?: ReactNode; role?: 'alert'}) {
  return (
    <div className={cx(s.state, small && s.small)}>
      <span className={cx(s.sign, tone)}><Icon name={icon} size={small ? 20 : 24} /></span>
      <div className={s.said} role={role}>
        <Heading level={level} className={s.title ?? ''}>{title}</Heading>
        {children && <div className={s.words}>{children}</div>}
      </div>
      {actions && <div className={s.actions}>{actions}</div>}
      {extra}
    </div>
  );
}

export interface EmptyStateProps extends StateProps {icon: IconName}

/** Nothing is here yet: says what to do next, with that button. */
export function EmptyState(props: EmptyStateProps) {
  return <State {...props} />;
}

export interface ErrorStateProps extends StateProps {
  /** What the page tells of it to whoever is asked for help: "Request", its number. */
  reference?: {label?: string; text: string};
}

/** It could not be loaded: the answer's detail as children, Retry in actions, which may count down: only the words are spoken by themselves. */
export function ErrorState({reference, ...rest}: ErrorStateProps) {
  return <State {...rest} role="alert" icon="danger" tone={s.danger} extra={reference && <p className={s.reference}>{reference.label} <code dir="ltr">{reference.text}</code></p>} />;
}

export interface ForbiddenStateProps extends StateProps {
  /** As it is written in roles: "Get:Campaign". */
  permission: string;
}

/** One may not see it: names the permission, so that one can ask for it. */
export function ForbiddenState({permission, ...rest}: ForbiddenStateProps) {
  return <State {...rest} icon="lock" extra={<p className={s.permission}><code dir="ltr">{permission}</code></p>} />;
}

import type {ReactNode, RefAttributes} from 'react';
import {cx} from './cx.ts';
import s from './panes.module.css';

export interface PanesProps {
  /** The heading of the page, spoken alone: the panes say what they are. */
  title: string;
  list: ReactNode;
  main: ReactNode;
  side?: ReactNode;
  /** The one that is seen where there is room for one. The page takes it from the address, so that Back works. */
  shown: 'list' | 'main' | 'side';
  /** The side pane is open where there is room. */
  isSideOpen?: boolean;
  labels: {list: string; main: string; side?: string};
}

/** List, what is chosen in it, and what is known about that. From 1,080 px three, from 640 two, below that one. */
export function Panes({title, list, main, side, shown, isSideOpen = true, labels}: PanesProps) {
  return (
    <div className={s.frame}>
      <h1 className="only-spoken">{title}</h1>
      <div className={cx(s.panes, s[`shows_${shown}`], Boolean(side) && isSideOpen && s.three)}>
        <section className={cx(s.pane, s.list)} aria-label={labels.list}>{list}</section>
        <section className={cx(s.pane, s.main)} aria-label={labels.main}>{main}</section>
        {side && (isSideOpen || shown === 'side') && <section className={cx(s.pane, s.side)} aria-label={labels.side ?? ''}>{side}</section>}
      </div>
    </div>
  );
}

/** The top of a pane, one height in all of them. */
export function PaneBar({children, actions, back}: {children: ReactNode; actions?: ReactNode; back?: ReactNode}) {
  return (
    <div className={s.bar}>
      {back && <span className={s.back}>{back}</span>}
      <div className={s.bar_words}>{children}</div>
      {actions && <div className={s.bar_actions}>{actions}</div>}
    </div>
  );
}

export interface PaneBodyProps extends RefAttributes<HTMLDivElement> {
  label: string;
  padded?: boolean;
  children: ReactNode;
}

/** The part of a pane that scrolls. It takes the focus, so that keys scroll it. */
export function PaneBody({children, label, padded, ref}: PaneBodyProps) {
  return <div className={cx(s.body, padded && s.padded)} {...(ref && {ref})} tabIndex={0} role="group" aria-label={label}>{children}</div>;
}

import type {ReactNode} from 'react';
import {Heading} from 'react-aria-components/Heading';
import {cx} from './cx.ts';
import {Icon} from './icon.tsx';
import {Link} from './link.tsx';
import s from './card.module.css';

export interface CardProps {
  title?: ReactNode;
  level?: 2 | 3;
  /** A sentence under the title. */
  description?: ReactNode;
  actions?: ReactNode;
  /** Its content goes to the edges: a table, a list. */
  flush?: boolean;
  children?: ReactNode;
}

export function Card({title, level = 2, description, actions, flush, children}: CardProps) {
  return (
    <section className={s.card}>
      {(title || actions) && (
        <div className={s.head}>
          <div className={s.words}>
            {title && <Heading level={level} className={s.title ?? ''}>{title}</Heading>}
            {description && <p className={s.description}>{description}</p>}
          </div>
          {actions && <div className={s.actions}>{actions}</div>}
        </div>
      )}
      {children && <div className={cx(s.body, flush && s.flush, title ? s.headed : undefined)}>{children}</div>}
    </section>
  );
}

export interface FigureProps {
  label: string;
  /** Written out by the page; a part that is not known says so in words, never 0. */
  value: ReactNode;
  isUnknown?: boolean;
  /** Beside it: a rate, the change to the span before. */
  note?: ReactNode;
  trend?: 'up' | 'down';
  /** Opens the people behind the number. */
  href?: string;
}

/** One number of a report. */
export function Figure({label, value, isUnknown, note, trend, href}: FigureProps) {
  return (
    <div className={s.figure}>
      <dt className={s.label}>{label}</dt>
      <dd className={cx(s.value, isUnknown && s.unknown)}>{href ? <Link quiet href={href}>{value}</Link> : value}</dd>
      {note && <dd className={s.note}>{trend && <Icon name={trend === 'up' ? 'arrow_up' : 'arrow_down'} size={14} />}{note}</dd>}
    </div>
  );
}

export function Figures({children}: {children: ReactNode}) {
  return <dl className={s.figures}>{children}</dl>;
}

export interface Fact {
  term: string;
  value: ReactNode;
}

/** Terms and values, such as the fields of a contact. `narrow` puts the term above, in a side pane. */
export function DescriptionList({facts, narrow}: {facts: readonly Fact[]; narrow?: boolean}) {
  return (
    <dl className={cx(s.facts, narrow && s.narrow)}>
      {facts.map(({term, value}) => <div key={term}><dt>{term}</dt><dd>{typeof value === 'string' ? <bdi>{value}</bdi> : value}</dd></div>)}
    </dl>
  );
}

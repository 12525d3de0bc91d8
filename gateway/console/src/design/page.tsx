import type {ReactNode} from 'react';
import {Heading} from 'react-aria-components/Heading';
import {cx} from './cx.ts';
import {Icon} from './icon.tsx';
import {Link} from './link.tsx';
import s from './page.module.css';

export interface PageProps {
  header?: ReactNode;
  /** As wide as the window: tables. Otherwise as wide as one reads: forms, settings. */
  wide?: boolean;
  /** Its content has the height of the window and scrolls by itself. */
  fills?: boolean;
  children: ReactNode;
}

export function Page({header, wide, fills, children}: PageProps) {
  return <div className={cx(s.page, wide && s.wide, fills && s.fills)}>{header}<div className={s.content}>{children}</div></div>;
}

export interface PageHeaderProps {
  title: ReactNode;
  /** A number beside the title. */
  count?: ReactNode;
  description?: ReactNode;
  /** Where the page belongs, above the title. */
  back?: {href: string; text: string};
  /** A picture before the title: an Avatar. */
  picture?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

export function PageHeader({title, count, description, back, picture, actions, children}: PageHeaderProps) {
  return (
    <header className={s.header}>
      {back && <div className={s.back}><Link quiet href={back.href}><Icon name="chevron_back" size={14} />{back.text}</Link></div>}
      <div className={s.top}>
        {picture}
        <div className={s.words}>
          <div className={s.line}><Heading level={1} className={s.title ?? ''}>{title}</Heading>{count !== undefined && <span className={s.count}>{count}</span>}</div>
          {description && <p className={s.description}>{description}</p>}
        </div>
        {actions && <div className={s.actions}>{actions}</div>}
      </div>
      {children}
    </header>
  );
}

/** A part of a form or page, with its title beside it where there is room. */
export function Section({title, description, children}: {title: string; description?: ReactNode; children: ReactNode}) {
  return (
    <section className={s.section}>
      <div><h2 className={s.section_title}>{title}</h2>{description && <p className={s.description}>{description}</p>}</div>
      <div className={s.section_body}>{children}</div>
    </section>
  );
}

/** Children under each other, or with `row` beside each other, with one gap. */
export function Stack({row, gap = 4, children}: {row?: boolean; gap?: 1 | 2 | 3 | 4 | 5; children: ReactNode}) {
  return <div className={cx(row ? s.across : s.down, s[`gap_${gap}`])}>{children}</div>;
}

/** Cards beside each other, as many as there is room for. */
export function Columns({children}: {children: ReactNode}) {
  return <div className={s.columns}>{children}</div>;
}

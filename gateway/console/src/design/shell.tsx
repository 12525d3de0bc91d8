import {Suspense, useState, type ReactNode} from 'react';
import {Button} from 'react-aria-components/Button';
import {Link} from 'react-aria-components/Link';
import {part} from '../parts.ts';
import {Count} from './badge.tsx';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import s from './shell.module.css';

// Dialogs and what they stand on are as large as the rest of the shell: they load when the drawer is opened.
const Drawer = part(() => import('./dialog.tsx'), (file) => file.Drawer);

export interface NavEntry {
  id: string;
  text: string;
  icon: IconName;
  href: string;
  count?: number | string;
  /** What the count means, spoken: "12 unread". */
  countText?: string;
  isCurrent?: boolean;
  /** Somebody is about to go there. */
  onIntent?: () => void;
  /** Also in the bar at the bottom at 390 px; four at most. */
  inBar?: boolean;
}

export interface NavGroup {
  id: string;
  text?: string;
  entries: readonly NavEntry[];
}

export interface ShellProps {
  /** Leads past the navigation: "To the content". */
  skip: string;
  navLabel: string;
  /** The bar at the bottom is another landmark, so it has another name. */
  barLabel: string;
  /** The label of what opens everything at 390 px. */
  more: string;
  /** At the top of the navigation: the mark, the organization. */
  brand: ReactNode;
  /** Under the brand: what opens the palette. */
  search?: ReactNode;
  groups: readonly NavGroup[];
  /** At the foot: the person. */
  foot?: ReactNode;
  /** Over everything: Bars. */
  notice?: ReactNode;
  /** What the navigation and the content will have is not known yet: they keep their places, so that nothing moves when it is. */
  isWaiting?: boolean;
  children: ReactNode;
}

/** Navigation at the side; at 390 px a bar at the bottom, and the rest in a drawer. */
export function Shell({skip, navLabel, barLabel, more, brand, search, groups, foot, notice, isWaiting, children}: ShellProps) {
  const [isOpen, setOpen] = useState<boolean>();
  const entries = groups.flatMap((group) => group.entries).filter((entry) => entry.inBar);
  return (
    <div className={cx(s.shell, isWaiting && s.waiting)}>
      <a className={s.skip} href="#content">{skip}</a>
      {notice && <div className={s.notice}>{notice}</div>}
      <header className={s.side}>
        <div className={s.brand}>{brand}</div>
        {search && <div className={s.search}>{search}</div>}
        <Nav label={navLabel} groups={groups} />
        {foot && <div className={s.foot}>{foot}</div>}
      </header>
      <main id="content" className={s.main} tabIndex={-1}>{children}</main>
      <nav className={s.bottom} aria-label={barLabel}>
        {entries.map((entry) => (
          <Link key={entry.id} href={entry.href} className={cx(s.bar_entry, entry.isCurrent && s.bar_current)} {...(entry.isCurrent && {'aria-current': 'page'})} {...intentOf(entry)}>
            <span className={s.bar_icon}><Icon name={entry.icon} size={20} />{entry.count !== undefined && <span className={s.bar_count}><Count strong {...(entry.countText && {label: entry.countText})}>{entry.count}</Count></span>}</span>
            <span className={s.bar_text}>{entry.text}</span>
          </Link>
        ))}
        <Button className={s.bar_entry ?? ''} aria-haspopup="dialog" aria-expanded={isOpen ?? false} onPress={() => setOpen(true)}>
          <span className={s.bar_icon}><Icon name="menu" size={20} /></span><span className={s.bar_text}>{more}</span>
        </Button>
        {isOpen !== undefined && (
          <Suspense>
            <Drawer label={navLabel} isOpen={isOpen} onOpenChange={setOpen}>
              <div className={s.brand}>{brand}</div>
              <Nav label={navLabel} groups={groups} onPress={() => setOpen(false)} />
              {foot && <div className={s.foot}>{foot}</div>}
            </Drawer>
          </Suspense>
        )}
      </nav>
    </div>
  );
}

const intentOf = ({onIntent}: NavEntry) => onIntent && {onHoverStart: onIntent, onFocus: onIntent};

function Nav({label, groups, onPress}: {label: string; groups: readonly NavGroup[]; onPress?: () => void}) {
  return (
    <nav className={s.nav} aria-label={label}>
      {groups.map((group) => (
        <div key={group.id} className={s.group}>
          {group.text && <p className={s.group_text} id={`nav-${group.id}`}>{group.text}</p>}
          <ul {...(group.text && {'aria-labelledby': `nav-${group.id}`})}>
            {group.entries.map((entry) => (
              <li key={entry.id}>
                <Link
                  href={entry.href} className={cx(s.entry, entry.isCurrent && s.current)} {...(entry.isCurrent && {'aria-current': 'page'})}
                  {...(onPress && {onPress})} {...intentOf(entry)}
                >
                  <Icon name={entry.icon} size={20} /><span className={s.entry_text}>{entry.text}</span>
                  {entry.count !== undefined && <Count {...(entry.countText && {label: entry.countText})}>{entry.count}</Count>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

export interface GateProps {
  brand: ReactNode;
  title: ReactNode;
  description?: ReactNode;
  foot?: ReactNode;
  children: ReactNode;
}

/** Before one is signed in: the mark, and one card. */
export function Gate({brand, title, description, foot, children}: GateProps) {
  return (
    <div className={s.gate}>
      <header className={s.gate_brand}>{brand}</header>
      <main className={s.gate_card}>
        <h1 className={s.gate_title}>{title}</h1>
        {description && <p className={s.gate_description}>{description}</p>}
        {children}
      </main>
      {foot && <footer className={s.gate_foot}>{foot}</footer>}
    </div>
  );
}

/** The mark: two voices that meet. Its name is beside it. */
export function Mark({size = 24}: {size?: number}) {
  return (
    <svg className={s.mark} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path className={s.mark_back} d="M10 3h8a4 4 0 0 1 4 4v5a4 4 0 0 1-4 4v4l-4-4h-4z" />
      <path className={s.mark_front} d="M14 3H6a4 4 0 0 0-4 4v5a4 4 0 0 0 4 4v4l4-4h4z" />
    </svg>
  );
}

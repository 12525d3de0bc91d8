import {memo, useEffect, useLayoutEffect, useRef, useState, type RefObject} from 'react';
import {useVirtualizer} from '@tanstack/react-virtual';
import {useRouter} from '@tanstack/react-router';
import type {Contact} from '../../api/entities.ts';
import {useScope} from '../../api/scope.tsx';
import {Avatar} from '../../design/avatar.tsx';
import {Tag, Tags} from '../../design/badge.tsx';
import {RowCheckbox} from '../../design/choice.tsx';
import {cx} from '../../design/cx.ts';
import {Skeleton} from '../../design/progress.tsx';
import {Cell, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {useAddress} from '../../shell/address.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import type {Rows} from './rows.ts';
import {useKeptPlace} from './kept_place.ts';
import {orderOf, sortedBy, type ContactsSearch} from './search.ts';
import {isSelected, type Selection} from './selection.ts';
import {StatusDotWords} from './status.tsx';
import {useVisible} from './use_visible.ts';
import s from './contacts.module.css';

const kMostDrawn = 58;
const kShownTags = 2;

export interface ContactsTableProps {
  rows: Rows;
  search: ContactsSearch;
  onSearch: (search: ContactsSearch) => void;
  /** Which part of the rows is shown. */
  from: number;
  count: number;
  selection: Selection;
  onToggle: (row: number, isRange: boolean) => void;
  onToggleAll: () => void;
  current: number | null;
  onCurrent: (row: number) => void;
  scrollTo: RefObject<((row: number) => void) | null>;
}

export function ContactsTable(props: ContactsTableProps) {
  const {rows, search, onSearch, from, count, selection, onToggle, onToggleAll, current, onCurrent, scrollTo} = props;
  const {contacts: words} = useTexts();
  const frame = useRef<HTMLDivElement>(null);
  const height = useRowHeight();
  const place = useKeptPlace();
  const {store} = useScope();
  const router = useRouter();
  const to = useAddress();
  const [overscan, setOverscan] = useState(8);
  const virtual = useVirtualizer({
    count, overscan, getScrollElement: () => frame.current, estimateSize: () => height, scrollPaddingStart: 33, initialOffset: place.offset,
    useFlushSync: false, // a frame may show the rows of the frame before: the scroll does not wait for them
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => virtual.measure(), [virtual, height]);
  useLayoutEffect(() => {
    const shown = Math.ceil((frame.current?.clientHeight ?? 0) / height) + 1;
    setOverscan(Math.max(1, Math.min(8, Math.floor((kMostDrawn - shown) / 2))));
  }, [height]);
  useWanted(rows, from + first, from + last + 1);
  useLayoutEffect(() => {
    if (frame.current && count > 0) frame.current.scrollTop = place.offset;
  }, [place, count > 0]);
  useEffect(() => {
    const element = frame.current;
    const keep = () => {
      place.offset = element?.scrollTop ?? 0;
    };
    element?.addEventListener('scroll', keep, {passive: true});
    return () => element?.removeEventListener('scroll', keep);
  }, [place]);
  useEffect(() => {
    scrollTo.current = (row) => virtual.scrollToIndex(row - from, {align: 'auto'});
  }, [virtual, scrollTo, from]);
  useVisible(rows, from + first, from + last + 1);
  const onClick = (event: React.MouseEvent) => {
    const target = event.target as Element;
    const box = target.closest<HTMLInputElement>('input[data-row]');
    if (box) return onToggle(Number(box.dataset.row), event.shiftKey);
    const link = target.closest('a');
    if (link) {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      return void router.navigate({href: link.getAttribute('href')!});
    }
    const place = Number(target.closest('[role=row]')?.getAttribute('aria-rowindex') ?? 0);
    if (place > 1 && !target.closest('label')) onCurrent(from + place - 2);
  };
  const sortOf = (column: 'name' | 'createdAt') =>
    (search.sort ?? 'createdAt') === column ? (orderOf(search) === 'asc' ? 'ascending' as const : 'descending' as const) : 'none' as const;
  return (
    <Table label={words.table} scrolls rows={count + 1} ref={frame} columns="1.5rem minmax(11rem, 2.2fr) minmax(9rem, 1.1fr) minmax(8rem, 1.6fr) minmax(4rem, .6fr) minmax(7rem, .8fr) minmax(6rem, .8fr)" narrow="1.5rem minmax(0, 1fr) auto">
      <TableHead>
        <HeaderCell>
          <RowCheckbox label={words.selectAll(rows.total)} isSelected={selection.kind === 'all'}
                       isIndeterminate={selection.kind === 'some' && selection.ids.size > 0} onChange={onToggleAll} />
        </HeaderCell>
        <HeaderCell sort={sortOf('name')} onSort={() => onSearch(sortedBy(search, 'name'))}>{words.columns.name}</HeaderCell>
        <HeaderCell wide>{words.columns.phone}</HeaderCell>
        <HeaderCell wide>{words.columns.tags}</HeaderCell>
        <HeaderCell wide>{words.columns.lists}</HeaderCell>
        <HeaderCell>{words.columns.status}</HeaderCell>
        <HeaderCell wide align="end" sort={sortOf('createdAt')} onSort={() => onSearch(sortedBy(search, 'createdAt'))}>{words.columns.created}</HeaderCell>
      </TableHead>
      <TableBody height={virtual.getTotalSize()} onClick={onClick}>
        {items.map(({index, start, key}, slot) => {
          const row = from + index;
          const id = rows.id(row);
          const common = {place: index + 2, offset: start};
          const contact = id === undefined ? undefined : store.get('contact', id);
          // A quick scroll passes many of these: their elements are moved, not made anew.
          if (contact === undefined || id === undefined) return <LoadingRow key={`loading ${slot}`} {...common} />;
          if (contact === null) return <GoneRow key={key} {...common} />;
          const labels = (contact.tagIds ?? []).flatMap((tag) => store.get('tag', tag)?.label ?? []);
          return (
            <ContactRow key={key} {...{contact, row, labels}} href={to('contacts/' + id)} isSelected={isSelected(selection, id)} isAll={selection.kind === 'all'}
                        isCurrent={row === current} {...common} />
          );
        })}
      </TableBody>
    </Table>
  );
}

/** Asks for the rows in view, but not for all that a quick scroll passes. */
function useWanted(rows: Rows, from: number, to: number) {
  const last = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, last.current + 80 - performance.now());
    const timer = setTimeout(() => {
      last.current = performance.now();
      rows.want(from, to);
    }, wait);
    return () => clearTimeout(timer);
  }, [rows, from, to]);
}

/** Of the tokens: rows are higher where a finger points. */
function useRowHeight(): number {
  const [height] = useState(() => {
    const style = getComputedStyle(document.documentElement);
    const value = style.getPropertyValue('--row').trim();
    return Number.parseFloat(value) * (value.endsWith('rem') ? Number.parseFloat(style.fontSize) : 1) || 36;
  });
  return height;
}

interface Placed {
  place: number;
  offset: number;
}

function GoneRow(placed: Placed) {
  const {contacts: words} = useTexts();
  return <Row {...placed}><Cell /><Cell isName isMuted>{words.gone}</Cell></Row>;
}

function LoadingRow(placed: Placed) {
  return <Row {...placed}><Cell /><Cell isName><Skeleton /></Cell><Cell wide><Skeleton /></Cell></Row>;
}

interface ContactRowProps extends Placed {
  contact: Contact;
  href: string;
  row: number;
  labels: readonly string[];
  isSelected: boolean;
  isAll: boolean;
  isCurrent: boolean;
}

/** Plain elements: many of them come and go in each frame of a quick scroll. What is pressed in them, the table hears. */
const ContactRow = memo(function ContactRow({contact, href, row, labels, isSelected, isAll, isCurrent, ...placed}: ContactRowProps) {
  const {contacts: words} = useTexts();
  const format = useFormat();
  const name = contact.name || contact.phone;
  const rest = labels.length - kShownTags;
  return (
    <Row {...placed} {...(isSelected && {isSelected})} {...(isCurrent && {isCurrent})}>
      <Cell>
        <label className={s.check}>
          <input type="checkbox" className={s.box} aria-label={words.selectRow(name)} checked={isSelected} disabled={isAll} data-row={row} readOnly />
        </label>
      </Cell>
      <Cell isName>
        <Avatar name={name} seed={contact.uniqueId} size="s" />
        <a className={cx(s.name, 'clipped')} href={href} dir="auto">{contact.name || <span dir="ltr">{contact.phone}</span>}</a>
      </Cell>
      <Cell wide isMuted><span dir="ltr">{contact.phone}</span></Cell>
      <Cell wide>
        {labels.length > 0 && (
          <Tags>{[...labels.slice(0, kShownTags).map((label) => <Tag key={label}>{label}</Tag>), ...(rest > 0 ? [<span key="more">{words.more(rest)}</span>] : [])]}</Tags>
        )}
      </Cell>
      <Cell wide isMuted>{contact.listIds?.length ? words.inLists(contact.listIds.length) : null}</Cell>
      <Cell><StatusDotWords status={contact.status} /></Cell>
      <Cell wide align="end" isMuted>{format.date(contact.createdAt)}</Cell>
    </Row>
  );
}, (a, b) => (Object.keys(b) as (keyof ContactRowProps)[]).every((name) => name === 'labels' ? a.labels.join('\n') === b.labels.join('\n') : a[name] === b[name]));

import type {CSSProperties, MouseEventHandler, ReactNode, RefAttributes} from 'react';
import {Button, type PressEvent} from 'react-aria-components/Button';
import {cx} from './cx.ts';
import {Icon} from './icon.tsx';
import {Spoken} from './spoken.tsx';
import s from './table.module.css';

/*
 * A table whose rows the page draws, so that it can draw those in view alone: the parts are divs with roles, and say by
 * `rows` and `place` how many there are and which each is. Links and checkboxes in it are reached by Tab.
 */

export interface TableProps extends RefAttributes<HTMLDivElement> {
  label: string;
  /** Widths of the columns, as of grid-template-columns. */
  columns: string;
  /** The same where the table is narrower than 600 px; without the cells that are `wide`. */
  narrow?: string;
  /** Of all there are, with the header; -1 while nobody knows. */
  rows?: number;
  /** It scrolls by itself and its header stays in view. */
  scrolls?: boolean;
  children: ReactNode;
}

export function Table({label, columns, narrow, rows, scrolls, children, ref}: TableProps) {
  return (
    <div className={cx(s.frame, scrolls && s.scrolls)} ref={ref} {...(scrolls && {tabIndex: 0, role: 'region', 'aria-label': label})}>
      <div
        role="table" aria-label={label} className={s.table} {...(rows !== undefined && {'aria-rowcount': rows})}
        style={{'--columns': columns, '--columns-narrow': narrow ?? columns} as CSSProperties}
      >{children}</div>
    </div>
  );
}

export function TableHead({children}: {children: ReactNode}) {
  return <div role="rowgroup" className={s.head}><div role="row" aria-rowindex={1} className={s.row}>{children}</div></div>;
}

export interface HeaderCellProps {
  children: ReactNode;
  /** Sorted by this column; `none`: it could be. Absent: it cannot. */
  sort?: 'ascending' | 'descending' | 'none';
  onSort?: () => void;
  align?: 'end';
  wide?: boolean;
  /** Its words are spoken alone: the column of checkboxes or menus. */
  isHidden?: boolean;
}

export function HeaderCell({children, sort, onSort, align, wide, isHidden}: HeaderCellProps) {
  return (
    <div role="columnheader" className={cx(s.cell, s.header, align && s.end, wide && s.wide)} {...(sort && {'aria-sort': sort})}>
      {sort && onSort ? (
        <Button className={cx(s.sort, sort !== 'none' && s.sorted)} onPress={onSort}>
          {children}<Icon name={sort === 'ascending' ? 'arrow_up' : sort === 'descending' ? 'arrow_down' : 'sort'} size={14} />
        </Button>
      ) : isHidden ? <Spoken>{children}</Spoken> : children}
    </div>
  );
}

/** Holds the rows. `height`: of all of them in pixels, where the page places those in view by `offset`. `onClick` hears them all. */
export function TableBody({height, onClick, children}: {height?: number; onClick?: MouseEventHandler; children: ReactNode}) {
  return <div role="rowgroup" className={s.body} {...(onClick && {onClick})} {...(height !== undefined && {style: {blockSize: height}})}>{children}</div>;
}

export interface RowProps extends RefAttributes<HTMLDivElement> {
  /** Its place among all, from 2, as the header is the first. */
  place?: number;
  /** Pixels from the top, in a body with a height. */
  offset?: number;
  isSelected?: boolean;
  /** Opened beside the table, or where `j` and `k` are. */
  isCurrent?: boolean;
  onPress?: () => void;
  children: ReactNode;
}

/** `onPress` is for the pointer alone: a link in the row does the same for all others. */
export function Row({place, offset, isSelected, isCurrent, onPress, children, ref}: RowProps) {
  return (
    <div
      role="row" ref={ref} className={cx(s.row, s.line, isSelected && s.selected, isCurrent && s.current, onPress && s.pressable, offset !== undefined && s.placed)}
      {...(place !== undefined && {'aria-rowindex': place})} {...(isCurrent && {'aria-current': true})}
      {...(offset !== undefined && {style: {transform: `translateY(${offset}px)`}})}
      onClick={onPress && ((event) => { if (!(event.target as Element).closest('a, button, input, label')) onPress(); })}
    >{children}</div>
  );
}

export interface CellProps {
  children?: ReactNode;
  /** The cell that names the row. */
  isName?: boolean;
  align?: 'end';
  /** Left out where the table is narrower than 600 px. */
  wide?: boolean;
  /** Less weight: what is seldom read. */
  isMuted?: boolean;
}

export function Cell({children, isName, align, wide, isMuted}: CellProps) {
  return (
    <div role={isName ? 'rowheader' : 'cell'} className={cx(s.cell, isName && s.name, align && s.end, wide && s.wide, isMuted && s.muted)}>{children}</div>
  );
}

/** People's words in one line, cut with an ellipsis. They keep their direction and begin where the column does. */
export function Clip({children}: {children: ReactNode}) {
  return <span className={cx(s.clip, 'clipped')} dir="auto">{children}</span>;
}

/** Over the rows while some are selected: how many, what can be done with them. */
export function SelectionBar({children, actions}: {children: ReactNode; actions: ReactNode}) {
  return <div className={s.selection}><span className={s.selection_words} role="status">{children}</span>{actions}</div>;
}

/** The pill goes: who presses it by keys is in the list then, which comes after it or holds it. */
function enterList({target}: PressEvent): void {
  if (!target.matches(':focus-visible')) return;
  const next = target.parentElement?.nextElementSibling;
  const list = next?.matches('[tabindex]') ? next : target.parentElement?.closest('[tabindex]');
  (list as HTMLElement | null | undefined)?.focus({preventScroll: true});
}

/** Above a list that has newer entries: the list does not move under the pointer. */
export function NewerPill({children, onPress}: {children: ReactNode; onPress: () => void}) {
  const press = (event: PressEvent) => { enterList(event); onPress(); };
  return <div className={s.newer}><Button className={s.pill ?? ''} onPress={press}><Icon name="arrow_up" size={14} />{children}</Button></div>;
}

import type {ReactNode} from 'react';
import {Button, type PressEvent} from 'react-aria-components/Button';
import {Toolbar} from 'react-aria-components/Toolbar';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import s from './filter_bar.module.css';

export interface FilterBarProps {
  label: string;
  /** A SearchField. */
  search?: ReactNode;
  /** FilterChips, and the menu that adds one. */
  children?: ReactNode;
  end?: ReactNode;
}

export function FilterBar({label, search, children, end}: FilterBarProps) {
  return (
    <div className={s.filters}>
      {search && <div className={s.search}>{search}</div>}
      <Toolbar aria-label={label} className={s.chips ?? ''}>{children}</Toolbar>
      {end && <div className={s.filters_end}>{end}</div>}
    </div>
  );
}

export interface FilterChipProps {
  /** What it filters by: "Tag". */
  name: string;
  /** What it must be; people's own words keep their direction. */
  value: string;
  icon?: IconName;
  /** Opens what changes it. */
  onPress?: () => void;
  remove: string;
  onRemove: () => void;
}

/** The button goes with its chip: the focus goes to what comes next in the bar, or before, or else to what the bar is in. */
function leaveChip({target}: PressEvent): void {
  const chip = target.parentElement, bar = chip?.parentElement;
  const others = [...bar?.querySelectorAll<HTMLElement>('button:enabled') ?? []].filter((each) => !chip?.contains(each));
  const next = others.find((each) => chip && chip.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING);
  (next ?? others.at(-1) ?? bar?.closest<HTMLElement>('[tabindex]'))?.focus();
}

export function FilterChip({name, value, icon, onPress, remove, onRemove}: FilterChipProps) {
  const words = <>{icon && <Icon name={icon} size={14} />}<span className={s.chip_name}>{name}</span><span className={cx(s.chip_value, 'clipped')} dir="auto">{value}</span></>;
  return (
    <span className={s.chip}>
      {onPress ? <Button className={s.chip_words ?? ''} onPress={onPress}>{words}</Button> : <span className={s.chip_words}>{words}</span>}
      <Button className={s.chip_remove ?? ''} aria-label={remove} onPress={(event) => { leaveChip(event); onRemove(); }}><Icon name="close" size={14} /></Button>
    </span>
  );
}

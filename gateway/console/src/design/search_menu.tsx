import type {ReactNode} from 'react';
import {Autocomplete} from 'react-aria-components/Autocomplete';
import {Menu as AriaMenu, MenuTrigger} from 'react-aria-components/Menu';
import {Popover} from 'react-aria-components/Popover';
import {listClasses} from './option.tsx';
import {menuSections, type MenuProps} from './menu.tsx';
import {popoverClass} from './popover.tsx';
import s from './search_menu.module.css';
import {SearchField} from './text_field.tsx';

export interface SearchMenuProps extends MenuProps {
  /** What is typed; empty again when the menu closes. The page finds what fits. */
  onInput: (words: string) => void;
  search: {label: string; clear: string};
  /** What it says where nothing fits. */
  empty: ReactNode;
}

/** A menu of many, such as members: one types to find, arrow keys move in the list meanwhile. */
export function SearchMenu({trigger, label, groups, placement = 'bottom end', onAction, isOpen, onOpenChange, onInput, search, empty}: SearchMenuProps) {
  const change = (open: boolean) => {
    onOpenChange?.(open);
    if (!open) onInput('');
  };
  return (
    <MenuTrigger onOpenChange={change} {...(isOpen !== undefined && {isOpen})}>
      {trigger}
      <Popover className={popoverClass} placement={placement} offset={4}>
        <Autocomplete onInputChange={onInput}>
          <div className={s.field}><SearchField label={search.label} placeholder={search.label} clear={search.clear} autoFocus maxLength={100} /></div>
          <AriaMenu
            className={listClasses.list} aria-label={label} renderEmptyState={() => <div className={listClasses.empty}>{empty}</div>}
            {...(onAction && {onAction})}
          >
            {menuSections(groups, label)}
          </AriaMenu>
        </Autocomplete>
      </Popover>
    </MenuTrigger>
  );
}

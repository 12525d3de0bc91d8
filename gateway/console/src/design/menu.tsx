import type {ReactElement} from 'react';
import {Header} from 'react-aria-components/Header';
import {Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, type Key, type MenuProps as AriaMenuProps} from 'react-aria-components/Menu';
import {Popover, type PopoverProps} from 'react-aria-components/Popover';
import {Separator} from 'react-aria-components/Separator';
import {Keys} from './keys.tsx';
import {listClasses, OptionBody, type Option} from './option.tsx';
import {popoverClass} from './popover.tsx';

export interface MenuAction extends Option {
  href?: string;
  /** Keys that do the same. */
  keys?: string;
  isDanger?: boolean;
}

export interface MenuGroup {
  id: Key;
  /** Shown above; without it a line separates the group. */
  text?: string;
  /** The label of a group without a heading. */
  label?: string;
  selectionMode?: 'single' | 'multiple';
  selectedKeys?: Iterable<Key>;
  onSelectionChange?: (keys: 'all' | Set<Key>) => void;
  actions: readonly MenuAction[];
}

export interface MenuProps {
  trigger: ReactElement;
  label: string;
  groups: readonly MenuGroup[];
  placement?: NonNullable<PopoverProps['placement']>;
  onAction?: NonNullable<AriaMenuProps<object>['onAction']>;
  isOpen?: boolean;
  defaultOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
}

export function Menu({trigger, label, groups, placement = 'bottom end', onAction, ...rest}: MenuProps) {
  return (
    <MenuTrigger {...rest}>
      {trigger}
      <Popover className={popoverClass} placement={placement} offset={4}>
        <AriaMenu className={listClasses.list} aria-label={label} {...(onAction && {onAction})}>
          {menuSections(groups, label)}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

/** The groups of a menu, with lines between them. */
export function menuSections(groups: readonly MenuGroup[], label: string) {
  return groups.flatMap(({id, text, label: groupLabel, actions, ...selection}, place) => [
    place > 0 && <Separator key={`before ${id}`} className={listClasses.separator} />,
    <MenuSection key={id} id={id} {...selection} {...(!text && {'aria-label': groupLabel ?? label})}>
      {text && <Header className={listClasses.header}>{text}</Header>}
      {actions.map((action) => <MenuEntry key={action.id} action={action} />)}
    </MenuSection>,
  ]);
}

export function MenuEntry({action}: {action: MenuAction}) {
  return (
    <MenuItem
      id={action.id} textValue={action.text} className={action.isDanger ? listClasses.danger : listClasses.item}
      {...(action.isDisabled && {isDisabled: true})} {...(action.href && {href: action.href})}
    >
      {({isSelected, selectionMode}) => (
        <>
          <OptionBody option={action} {...(selectionMode !== 'none' && {isSelected})} />
          {action.keys && <Keys keys={action.keys} />}
        </>
      )}
    </MenuItem>
  );
}

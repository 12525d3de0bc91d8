import type {ReactNode} from 'react';
import {Autocomplete, useFilter} from 'react-aria-components/Autocomplete';
import {Dialog} from 'react-aria-components/Dialog';
import {Header} from 'react-aria-components/Header';
import {Input} from 'react-aria-components/Input';
import {Menu, MenuSection, type Key} from 'react-aria-components/Menu';
import {Modal, ModalOverlay} from 'react-aria-components/Modal';
import {SearchField} from 'react-aria-components/SearchField';
import {Icon} from './icon.tsx';
import {Keys} from './keys.tsx';
import {listClasses} from './option.tsx';
import {MenuEntry, type MenuAction} from './menu.tsx';
import s from './palette.module.css';

export interface PaletteProps {
  label: string;
  placeholder: string;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  groups: readonly {id: Key; text: string; actions: readonly MenuAction[]}[];
  onAction: (id: Key) => void;
  /** With it the page finds the entries, such as contacts of the server; otherwise what is typed is found in their words. */
  onInput?: (value: string) => void;
  empty: ReactNode;
  /** The keys that can be used, at its foot. */
  foot?: ReactNode;
}

/** Everything by keyboard: places, actions, people. The focus stays in the field; arrow keys move in the list. */
export function Palette({label, placeholder, isOpen, onOpenChange, groups, onAction, onInput, empty, foot}: PaletteProps) {
  const {contains} = useFilter({sensitivity: 'base'});
  return (
    <ModalOverlay className={s.overlay ?? ''} isDismissable isOpen={isOpen} onOpenChange={onOpenChange}>
      <Modal className={s.modal ?? ''}>
        <Dialog aria-label={label} className={s.dialog ?? ''}>
          <Autocomplete {...(onInput ? {onInputChange: onInput} : {filter: contains})}>
            <SearchField aria-label={label} autoFocus className={s.field ?? ''}>
              <Icon name="search" size={20} />
              <Input placeholder={placeholder} className={s.input ?? ''} dir="auto" />
              <Keys keys="Esc" />
            </SearchField>
            <Menu
              aria-label={label} className={s.list ?? ''} renderEmptyState={() => <div className={listClasses.empty}>{empty}</div>}
              onAction={(id) => { onOpenChange(false); onAction(id); }}
            >
              {groups.map((group) => (
                <MenuSection key={group.id} id={group.id} className={listClasses.section}>
                  <Header className={listClasses.header}>{group.text}</Header>
                  {group.actions.map((action) => <MenuEntry key={action.id} action={action} />)}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
          {foot && <div className={s.foot}>{foot}</div>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

import type { ReactNode } from 'react';
import { Header } from 'react-aria-components/Header';
import { ListBoxItem, ListBoxSection } from 'react-aria-components/ListBox';
import type { Key } from 'react-aria-components/ListBox';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';
import s from './list_box.module.css';

/** A choice in a Select, ComboBox or Menu. */
export interface Option {
  id: Key;
  text: string;
  icon?: IconName;
  /** A picture, such as an Avatar, instead of an icon. */
  picture?: ReactNode;
  description?: string;
  isDisabled?: boolean;
}

export function OptionBody({ option, isSelected }: { option: Option; isSelected?: boolean }) {
  return (
    <>
      {option.picture ?? (option.icon && <Icon name={option.icon} className={s.icon} />)}
      <span className={s.words}>
        <span className={s.text}><bdi>{option.text}</bdi></span>
        {option.description && <span className={s.description}><bdi>{option.description}</bdi></span>}
      </span>
      {isSelected !== undefined && <span className={s.tick}>{isSelected && <Icon name="check" />}</span>}
    </>
  );
}

export function OptionItem({ option }: { option: Option }) {
  return (
    <ListBoxItem id={option.id} textValue={option.text} className={s.item ?? ''} {...(option.isDisabled ? { isDisabled: true } : {})}>
      {({ isSelected }) => <OptionBody {...{ option, isSelected }} />}
    </ListBoxItem>
  );
}

/** Choices under a heading. */
export interface OptionGroup {
  id: Key;
  text: string;
  options: readonly Option[];
}

export function option_items(options: readonly (Option | OptionGroup)[]) {
  return options.map((one) => 'options' in one
    ? (
      <ListBoxSection key={one.id} id={one.id} className={s.section ?? ''}>
        <Header className={s.header ?? ''}>{one.text}</Header>
        {one.options.map((option) => <OptionItem key={option.id} option={option} />)}
      </ListBoxSection>
    )
    : <OptionItem key={one.id} option={one} />);
}

export const list_classes = { list: s.list ?? '', item: s.item ?? '', danger: cx(s.item, s.danger), header: s.header ?? '', empty: s.empty ?? '', section: s.section ?? '', separator: s.separator ?? '' };

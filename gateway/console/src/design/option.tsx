import type {ReactNode} from 'react';
import type {Key} from 'react-aria-components/ListBox';
import {cx} from './cx.ts';
import {Icon, type IconName} from './icon.tsx';
import s from './option.module.css';

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

export function OptionBody({option, isSelected}: {option: Option; isSelected?: boolean}) {
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

/** Of lists of options, in whatever opens. */
export const listClasses = {list: s.list ?? '', item: s.item ?? '', danger: cx(s.item, s.danger), header: s.header ?? '', empty: s.empty ?? '', section: s.section ?? '', separator: s.separator ?? ''};

import type {ReactNode} from 'react';
import {Button} from 'react-aria-components/Button';
import {ComboBox as AriaComboBox, type ComboBoxProps as AriaComboBoxProps} from 'react-aria-components/ComboBox';
import {Group} from 'react-aria-components/Group';
import {Input} from 'react-aria-components/Input';
import {ListBox} from 'react-aria-components/ListBox';
import {Popover} from 'react-aria-components/Popover';
import {FieldLabel, FieldNotes, fieldStyles as f, validity, type FieldProps} from './field.tsx';
import {Icon, type IconName} from './icon.tsx';
import {optionItems, type OptionGroup} from './list_box.tsx';
import {listClasses, type Option} from './option.tsx';
import {popoverOfField} from './popover.tsx';

type Own = 'children' | 'className' | 'style' | 'render' | 'isInvalid' | 'items' | 'defaultItems';

export interface ComboBoxProps extends FieldProps, Omit<AriaComboBoxProps<object>, Own> {
  options: readonly (Option | OptionGroup)[];
  icon?: IconName;
  placeholder?: string;
  /** What the list says when nothing fits what is typed. */
  empty: ReactNode;
}

/** One of many choices, found by typing. With `inputValue` and `onInputChange` the page asks the server for them. */
export function ComboBox({label, labelHidden, hint, description, error, options, icon, placeholder, empty, ...rest}: ComboBoxProps) {
  return (
    <AriaComboBox menuTrigger="focus" allowsEmptyCollection {...rest} {...validity(error)} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <Group className={f.box ?? ''}>
        {icon && <Icon name={icon} />}
        <Input className={f.input ?? ''} dir="auto" {...(placeholder && {placeholder})} />
        <Button className={f.inner ?? ''}><Icon name="sort" /></Button>
      </Group>
      <FieldNotes {...{description, error}} />
      <Popover className={popoverOfField} offset={4}>
        <ListBox className={listClasses.list} renderEmptyState={() => <div className={listClasses.empty}>{empty}</div>}>
          {optionItems(options)}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}

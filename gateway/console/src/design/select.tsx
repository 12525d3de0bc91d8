import {Button} from 'react-aria-components/Button';
import {ListBox} from 'react-aria-components/ListBox';
import {Popover} from 'react-aria-components/Popover';
import {Select as AriaSelect, SelectValue, type SelectProps as AriaSelectProps} from 'react-aria-components/Select';
import {cx} from './cx.ts';
import {FieldLabel, FieldNotes, fieldStyles as f, validity, type FieldProps} from './field.tsx';
import {Icon, type IconName} from './icon.tsx';
import {optionItems, type OptionGroup} from './list_box.tsx';
import {listClasses, type Option} from './option.tsx';
import {popoverOfField} from './popover.tsx';
import s from './select.module.css';

type Own = 'children' | 'className' | 'style' | 'render' | 'isInvalid' | 'items' | 'defaultItems';

export interface SelectProps extends FieldProps, Omit<AriaSelectProps<object, 'single'>, Own> {
  options: readonly (Option | OptionGroup)[];
  icon?: IconName;
}

/** One of a few choices that all are known. Above some twenty, a ComboBox. */
export function Select({label, labelHidden, hint, description, error, options, icon, ...rest}: SelectProps) {
  return (
    <AriaSelect {...rest} {...validity(error)} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <Button className={cx(f.box, s.button)}>
        {icon && <Icon name={icon} />}
        <SelectValue className={s.value ?? ''}>
          {({defaultChildren, isPlaceholder, selectedText}) => isPlaceholder ? defaultChildren : <span dir="auto">{selectedText}</span>}
        </SelectValue>
        <Icon name="sort" />
      </Button>
      <FieldNotes {...{description, error}} />
      <Popover className={popoverOfField} offset={4}>
        <ListBox className={listClasses.list}>{optionItems(options)}</ListBox>
      </Popover>
    </AriaSelect>
  );
}

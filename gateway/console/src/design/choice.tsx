import type {ReactNode} from 'react';
import {CheckboxButton, CheckboxField, type CheckboxFieldProps} from 'react-aria-components/Checkbox';
import {RadioButton, RadioField, RadioGroup as AriaRadioGroup, type RadioGroupProps as AriaRadioGroupProps} from 'react-aria-components/RadioGroup';
import {SwitchButton, SwitchField, type SwitchFieldProps} from 'react-aria-components/Switch';
import {Text} from 'react-aria-components/Text';
import {cx} from './cx.ts';
import {FieldLabel, FieldNotes, fieldStyles as f, validity, type FieldProps} from './field.tsx';
import {Icon} from './icon.tsx';
import s from './choice.module.css';

type Own = 'children' | 'className' | 'style' | 'render' | 'isInvalid';

export interface CheckboxProps extends Omit<CheckboxFieldProps, Own> {
  children: ReactNode;
  description?: ReactNode;
  error?: ReactNode;
}

export function Checkbox({children, description, error, ...rest}: CheckboxProps) {
  return (
    <CheckboxField {...rest} {...validity(error)} className={s.field ?? ''}>
      <CheckboxButton className={s.choice ?? ''}>
        {({isIndeterminate, isSelected}) => (
          <>
            <span className={s.box}>{(isSelected || isIndeterminate) && <Icon name={isIndeterminate ? 'minus' : 'check'} size={14} />}</span>
            <span className={s.words}>{children}</span>
          </>
        )}
      </CheckboxButton>
      <div className={s.notes}><FieldNotes {...{description, error}} /></div>
    </CheckboxField>
  );
}

/** The checkbox of a row or of all rows: its label is spoken alone, and its target is as high as the row. */
export function RowCheckbox({label, ...rest}: Omit<CheckboxFieldProps, Own | 'aria-label'> & {label: string}) {
  return (
    <CheckboxField {...rest} aria-label={label} className={s.row ?? ''}>
      <CheckboxButton className={s.choice ?? ''}>
        {({isIndeterminate, isSelected}) => (
          <span className={s.box}>{(isSelected || isIndeterminate) && <Icon name={isIndeterminate ? 'minus' : 'check'} size={14} />}</span>
        )}
      </CheckboxButton>
    </CheckboxField>
  );
}

export interface SwitchProps extends Omit<SwitchFieldProps, Own> {
  children: ReactNode;
  description?: ReactNode;
}

/** Takes effect at once. What waits for a Save button is a Checkbox. */
export function Switch({children, description, ...rest}: SwitchProps) {
  return (
    <SwitchField {...rest} className={s.field ?? ''}>
      <SwitchButton className={cx(s.choice, s.switch)}>
        <span className={s.track} />
        <span className={s.words}>{children}</span>
      </SwitchButton>
      {description && <div className={s.notes}><Text slot="description" className={f.description ?? ''}>{description}</Text></div>}
    </SwitchField>
  );
}

export interface Choice {
  value: string;
  text: ReactNode;
  description?: ReactNode;
  isDisabled?: boolean;
}

export interface RadioGroupProps extends FieldProps, Omit<AriaRadioGroupProps, Own> {
  choices: readonly Choice[];
  /** Large ones, for a decision in a wizard. */
  cards?: boolean;
}

export function RadioGroup({label, labelHidden, hint, description, error, choices, cards, ...rest}: RadioGroupProps) {
  return (
    <AriaRadioGroup {...rest} {...validity(error)} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <div className={cx(s.choices, cards && s.cards)}>
        {choices.map((choice) => (
          <RadioField key={choice.value} value={choice.value} className={s.field ?? ''} {...(choice.isDisabled && {isDisabled: true})}>
            <RadioButton className={s.choice ?? ''}>
              <span className={s.dot} />
              <span className={s.words}>
                {choice.text}
                {choice.description && <Text slot="description" className={f.description ?? ''}>{choice.description}</Text>}
              </span>
            </RadioButton>
          </RadioField>
        ))}
      </div>
      <FieldNotes {...{description, error}} />
    </AriaRadioGroup>
  );
}

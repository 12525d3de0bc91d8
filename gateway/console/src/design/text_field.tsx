import {useState, type HTMLAttributes, type RefAttributes} from 'react';
import {Button} from 'react-aria-components/Button';
import {Group} from 'react-aria-components/Group';
import {Input} from 'react-aria-components/Input';
import {NumberField as AriaNumberField, type NumberFieldProps as AriaNumberFieldProps} from 'react-aria-components/NumberField';
import {SearchField as AriaSearchField, type SearchFieldProps as AriaSearchFieldProps} from 'react-aria-components/SearchField';
import {TextArea as AriaTextArea} from 'react-aria-components/TextArea';
import {TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps} from 'react-aria-components/TextField';
import {cx} from './cx.ts';
import {FieldLabel, FieldNotes, fieldStyles as f, validity, type FieldProps} from './field.tsx';
import {Icon, type IconName} from './icon.tsx';

type Own = 'children' | 'className' | 'style' | 'render' | 'isInvalid';

export interface TextFieldProps extends FieldProps, Omit<AriaTextFieldProps, Own>, RefAttributes<HTMLInputElement> {
  icon?: IconName;
  placeholder?: string;
  /** Words at the end of the frame, such as a unit. */
  suffix?: string;
  /** People's words, whose direction is their own; identifiers and addresses are left to right. */
  direction?: 'auto' | 'ltr';
  /** Of codes and keys: figures of one width. */
  code?: boolean;
  /** Of a password: the labels of the button that shows and hides it. */
  reveal?: {show: string; hide: string};
}

export function TextField(
  {label, labelHidden, hint, description, error, icon, placeholder, suffix, direction = 'auto', code, reveal, ref, type, ...rest}: TextFieldProps,
) {
  const [shown, setShown] = useState(false);
  return (
    <AriaTextField {...rest} {...validity(error)} type={reveal ? (shown ? 'text' : 'password') : type ?? 'text'} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <Group className={f.box ?? ''}>
        {icon && <Icon name={icon} />}
        <Input
          className={cx(f.input, code && f.code)} dir={type === 'email' || type === 'tel' || type === 'url' || reveal ? 'ltr' : direction}
          {...(placeholder && {placeholder})} {...(ref && {ref})}
        />
        {suffix && <span className={f.affix}>{suffix}</span>}
        {reveal && (
          <Button aria-label={shown ? reveal.hide : reveal.show} className={f.inner ?? ''} onPress={() => setShown(!shown)}>
            <Icon name={shown ? 'eye_off' : 'eye'} />
          </Button>
        )}
      </Group>
      <FieldNotes {...{description, error}} />
    </AriaTextField>
  );
}

export interface TextAreaProps extends FieldProps, Omit<AriaTextFieldProps, Own | 'type'>, RefAttributes<HTMLTextAreaElement> {
  placeholder?: string;
  rows?: number;
}

export function TextArea({label, labelHidden, hint, description, error, placeholder, rows = 3, ref, ...rest}: TextAreaProps) {
  return (
    <AriaTextField {...rest} {...validity(error)} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <Group className={cx(f.box, f.area)}>
        <AriaTextArea className={f.input ?? ''} dir="auto" rows={rows} {...(placeholder && {placeholder})} {...(ref && {ref})} />
      </Group>
      <FieldNotes {...{description, error}} />
    </AriaTextField>
  );
}

export interface SearchFieldProps extends FieldProps, Omit<AriaSearchFieldProps, Own>, RefAttributes<HTMLInputElement> {
  placeholder?: string;
  /** The label of the button that empties it. */
  clear: string;
}

export function SearchField({label, labelHidden = true, hint, description, error, placeholder, clear, ref, ...rest}: SearchFieldProps) {
  return (
    <AriaSearchField {...rest} {...validity(error)} className={f.field ?? ''}>
      {({isEmpty}) => (
        <>
          <FieldLabel {...{label, labelHidden, hint}} />
          <Group className={f.box ?? ''}>
            <Icon name="search" />
            <Input className={f.input ?? ''} dir="auto" {...(placeholder && {placeholder})} {...(ref && {ref})} />
            {!isEmpty && <Button aria-label={clear} className={f.inner ?? ''}><Icon name="close" /></Button>}
          </Group>
          <FieldNotes {...{description, error}} />
        </>
      )}
    </AriaSearchField>
  );
}

export interface NumberFieldProps extends FieldProps, Omit<AriaNumberFieldProps, Own>, Pick<HTMLAttributes<HTMLElement>, 'id'> {
  placeholder?: string;
  suffix?: string;
}

/** A number in the reader's own writing. Arrow keys step; there are no buttons, which nobody presses. */
export function NumberField({label, labelHidden, hint, description, error, placeholder, suffix, ...rest}: NumberFieldProps) {
  return (
    <AriaNumberField {...rest} {...validity(error)} className={f.field ?? ''}>
      <FieldLabel {...{label, hint}} {...(labelHidden && {labelHidden})} />
      <Group className={f.box ?? ''}>
        <Input className={f.input ?? ''} {...(placeholder && {placeholder})} />
        {suffix && <span className={f.affix}>{suffix}</span>}
      </Group>
      <FieldNotes {...{description, error}} />
    </AriaNumberField>
  );
}

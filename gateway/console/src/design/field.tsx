import {createContext, useContext, type FormEvent, type ReactNode} from 'react';
import {FieldError} from 'react-aria-components/FieldError';
import {Form as AriaForm} from 'react-aria-components/Form';
import {Label} from 'react-aria-components/Label';
import {Text} from 'react-aria-components/Text';
import {cx} from './cx.ts';
import {Icon} from './icon.tsx';
import s from './field.module.css';

/** What every field has. */
export interface FieldProps {
  label: string;
  /** The label is spoken, not shown; for a search in a bar. */
  labelHidden?: boolean;
  /** Beside the label, such as "optional": most fields are wanted, so the others say so. */
  hint?: string | undefined;
  description?: ReactNode;
  /** The fault in words. Makes the field invalid. */
  error?: ReactNode;
}

/**
 * React Aria takes `isInvalid`; an absent error leaves it to the field's own checks. A fault that the page knows of does not
 * hold the form back, as what was wrong may be mended in another field.
 */
export function validity(error: ReactNode): {isInvalid?: boolean; validationBehavior?: 'aria'} {
  return error ? {isInvalid: true, validationBehavior: 'aria'} : {};
}

export function FieldLabel({label, labelHidden, hint}: Pick<FieldProps, 'label' | 'labelHidden' | 'hint'>) {
  return (
    <Label className={cx(s.label, labelHidden && 'only-spoken')}>
      {label}{hint && <span className={s.hint}>{hint}</span>}
    </Label>
  );
}

/** What a field says of itself. Without these it is the browser that does, in the browser's language. */
export const FieldWords = createContext<{missing?: string; email?: string}>({});

export function FieldNotes({description, error}: Pick<FieldProps, 'description' | 'error'>) {
  const {missing, email} = useContext(FieldWords);
  return (
    <>
      {description && <Text slot="description" className={s.description ?? ''}>{description}</Text>}
      <FieldError className={s.error ?? ''}>
        {({validationErrors, validationDetails}) => {
          const own = (validationDetails.valueMissing && missing) || (validationDetails.typeMismatch && email);
          return <><Icon name="danger" size={14} /><span>{error ?? (own || validationErrors.join(' '))}</span></>;
        }}
      </FieldError>
    </>
  );
}

/**
 * React Aria looks at a field again when it is left. What was wrong is taken back while one types: else the lines below would
 * move up in the moment in which one presses a button there, and the press would miss it.
 */
function takeBack({target}: FormEvent<HTMLFormElement>): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) || target.getAttribute('aria-invalid') !== 'true') return;
  requestAnimationFrame(() => target.validity.valid && target.dispatchEvent(new Event('change', {bubbles: true})));
}

/** For forms: React Aria's pass it on, though their types do not say so. */
export const forgiving = {onInput: takeBack};

/** Enter in a field sends it, as does its Button of `type="submit"`. The page makes the request; nothing leaves by the form itself. */
export function Form({onSubmit, label, children}: {onSubmit: () => void; label?: string; children: ReactNode}) {
  return (
    <AriaForm className={s.fields ?? ''} {...(label && {'aria-label': label})} {...forgiving} onSubmit={(event) => { event.preventDefault(); onSubmit(); }}>{children}</AriaForm>
  );
}

/** Fields under each other, with one gap; `columns` puts two beside each other where there is room. */
export function Fields({columns, children}: {columns?: boolean; children: ReactNode}) {
  return <div className={cx(s.fields, columns && s.columns)}>{children}</div>;
}

export const fieldStyles = s;

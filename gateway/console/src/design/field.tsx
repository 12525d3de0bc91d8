import { createContext, useContext, type ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Form as AriaForm } from 'react-aria-components/Form';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
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

/** React Aria takes `isInvalid`; an absent error leaves it to the field's own checks. */
export function validity(error: ReactNode): { isInvalid?: boolean } {
  return error ? { isInvalid: true } : {};
}

export function FieldLabel({ label, labelHidden, hint }: Pick<FieldProps, 'label' | 'labelHidden' | 'hint'>) {
  return (
    <Label className={cx(s.label, labelHidden && 'only-spoken')}>
      {label}{hint && <span className={s.hint}>{hint}</span>}
    </Label>
  );
}

/** What a field says of itself. Without these it is the browser that does, in the browser's language. */
export const FieldWords = createContext<{ missing?: string; email?: string }>({});

export function FieldNotes({ description, error }: Pick<FieldProps, 'description' | 'error'>) {
  const { missing, email } = useContext(FieldWords);
  return (
    <>
      {description && <Text slot="description" className={s.description ?? ''}>{description}</Text>}
      <FieldError className={s.error ?? ''}>
        {({ validationErrors, validationDetails }) => {
          const own = (validationDetails.valueMissing && missing) || (validationDetails.typeMismatch && email);
          return <><Icon name="danger" size={14} /><span>{error ?? (own || validationErrors.join(' '))}</span></>;
        }}
      </FieldError>
    </>
  );
}

/** Enter in a field sends it, as does its Button of `type="submit"`. The page makes the request; nothing leaves by the form itself. */
export function Form({ onSubmit, label, children }: { onSubmit: () => void; label?: string; children: ReactNode }) {
  return (
    <AriaForm className={s.fields ?? ''} {...(label ? { 'aria-label': label } : {})} onSubmit={(event) => { event.preventDefault(); onSubmit(); }}>{children}</AriaForm>
  );
}

/** Fields under each other, with one gap; `columns` puts two beside each other where there is room. */
export function Fields({ columns, children }: { columns?: boolean; children: ReactNode }) {
  return <div className={cx(s.fields, columns && s.columns)}>{children}</div>;
}

export const field_styles = s;

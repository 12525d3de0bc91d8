import type {ReactNode} from 'react';
import type {ApiProblem} from '../../api/problem.ts';
import {Button} from '../../design/button.tsx';
import {TextField, type TextFieldProps} from '../../design/text_field.tsx';
import {useLeft} from '../../shell/clock.ts';
import {useTexts} from '../../texts/index.tsx';

export function PasswordField(props: Omit<TextFieldProps, 'reveal' | 'direction'>) {
  const {access} = useTexts();
  return <TextField reveal={{show: access.showPassword, hide: access.hidePassword}} maxLength={256} {...props} />;
}

const kShortest = 8;

/** A password that is to be: says what it must be, and what is wrong when it is left. */
export function NewPasswordField({label, value, onChange, problem}:
  {label: string; value: string; onChange: (value: string) => void; problem?: string | undefined}) {
  const {access} = useTexts();
  return (
    <PasswordField label={label} value={value} onChange={onChange} autoComplete="new-password" description={access.passwordRule} isRequired
                   validate={(typed) => (typed.length > 0 && typed.length < kShortest ? access.tooShort : null)}
                   {...(problem && {error: problem})} />
  );
}

/** The button of a form; after too many attempts it counts the time down. */
export function SubmitButton({problem, isPending, plain, children}:
  {problem: ApiProblem | null; isPending: boolean; plain?: boolean; children: ReactNode}) {
  const {access} = useTexts();
  const left = useLeft(problem?.status === 429 ? problem.retryAt : null);
  return (
    <Button {...(!plain && {kind: 'primary', wide: true, size: 'l'})} type="submit" isPending={isPending} isDisabled={left > 0}>
      {left > 0 ? access.wait(left) : children}
    </Button>
  );
}

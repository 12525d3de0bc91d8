import {useState} from 'react';
import {Form} from '../../design/field.tsx';
import {Link} from '../../design/link.tsx';
import {Stack} from '../../design/page.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useOptions, useRegister} from '../../session/account.ts';
import {useWho} from '../../session/provider.tsx';
import {FormProblem} from '../../shell/form_problem.tsx';
import {Go} from '../../shell/go.tsx';
import {useTexts} from '../../texts/index.tsx';
import {NewPasswordField, SubmitButton} from '../access/fields.tsx';
import {AccessGate} from '../access/gate.tsx';

const kFields = ['name', 'email', 'organizationName', 'password'];

export default function RegisterPage() {
  const {access} = useTexts();
  const words = access.registering;
  const who = useWho();
  const options = useOptions().data;
  const [form, setForm] = useState({name: '', email: '', organizationName: '', password: ''});
  const {change, problem, isUnderWay} = useRegister();
  if (who) return <Go href="/console/" />;
  const set = (field: keyof typeof form) => (value: string) => setForm((known) => ({...known, [field]: value}));
  const fault = (field: keyof typeof form) => {
    const said = problem?.status === 409 && field === 'email' ? words.taken : problem?.at(field).join(' ');
    return said ? {error: said} : {};
  };
  const toSignIn = <p>{words.haveOne} <Link href="/console/sign-in">{access.signIn}</Link></p>;
  if (options?.isSignUpOpen === false)
    return <AccessGate title={words.closed} description={words.closedText}>{toSignIn}</AccessGate>;
  return (
    <AccessGate title={words.title} description={words.text}>
      <Stack gap={5}>
        <Form label={words.title} onSubmit={() => void change(form).catch(() => undefined)}>
          {problem?.status !== 409 && <FormProblem problem={problem} besides={kFields} />}
          <TextField label={access.name} autoComplete="name" maxLength={255} isRequired autoFocus value={form.name} onChange={set('name')} {...fault('name')} />
          <TextField label={access.email} type="email" autoComplete="username" maxLength={254} isRequired value={form.email} onChange={set('email')} {...fault('email')} />
          <TextField label={access.organizationName} autoComplete="organization" maxLength={255} isRequired value={form.organizationName}
                     onChange={set('organizationName')} {...fault('organizationName')} />
          <NewPasswordField label={access.password} value={form.password} onChange={set('password')} problem={fault('password').error} />
          <SubmitButton problem={problem} isPending={isUnderWay}>{words.action}</SubmitButton>
        </Form>
        {toSignIn}
      </Stack>
    </AccessGate>
  );
}

import {useState} from 'react';
import {ButtonLink} from '../../design/button.tsx';
import {Form} from '../../design/field.tsx';
import {Link} from '../../design/link.tsx';
import {Stack} from '../../design/page.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useOptions, useRequestPasswordReset, useSetPassword} from '../../session/account.ts';
import {tokenOf} from '../../session/address.ts';
import {FormProblem} from '../../shell/form_problem.tsx';
import {useTexts} from '../../texts/index.tsx';
import {NewPasswordField, SubmitButton} from '../access/fields.tsx';
import {AccessGate} from '../access/gate.tsx';

/** With a token in the fragment a password is set, without one a link for it is asked for. */
export default function PasswordPage() {
  const [token, setToken] = useState(() => tokenOf(location.hash));
  return token ? <SetPassword token={token} onAnother={() => setToken(null)} /> : <Forgotten />;
}

function SetPassword({token, onAnother}: {token: string; onAnother: () => void}) {
  const {access} = useTexts();
  const words = access.setting;
  const [password, setPassword] = useState('');
  const {change, problem, isUnderWay, isDone} = useSetPassword();
  // The link works once: it goes from the address, and is not in the browser's history.
  const send = () => void change({token, password}).then(() => history.replaceState(history.state, '', location.pathname), () => undefined);
  if (isDone) {
    return (
      <AccessGate title={words.set} description={words.setText}>
        <ButtonLink kind="primary" wide size="l" href="/console/sign-in">{access.signIn}</ButtonLink>
      </AccessGate>
    );
  }
  const isOver = problem?.status === 400 && problem.at('password').length === 0;
  return (
    <AccessGate title={words.title} description={words.text}>
      <Stack gap={5}>
        <Form label={words.title} onSubmit={send}>
          <FormProblem problem={problem} words={isOver ? {400: words.invalid} : {}} besides={['password']} />
          <NewPasswordField label={words.label} value={password} onChange={setPassword} problem={problem?.at('password').join(' ')} />
          <SubmitButton problem={problem} isPending={isUnderWay}>{words.action}</SubmitButton>
        </Form>
        {isOver && <Link onPress={onAnother}>{words.another}</Link>}
      </Stack>
    </AccessGate>
  );
}

function Forgotten() {
  const {access} = useTexts();
  const words = access.forgot;
  const options = useOptions().data;
  const [email, setEmail] = useState('');
  const {change, problem, isUnderWay, isDone} = useRequestPasswordReset();
  const toSignIn = <Link href="/console/sign-in">{words.toSignIn}</Link>;
  if (isDone) return <AccessGate title={words.sent} description={<bdi>{words.sentText(email)}</bdi>}>{toSignIn}</AccessGate>;
  if (options?.isMailOn === false || problem?.status === 409)
    return <AccessGate title={words.title} description={words.byOperator}>{toSignIn}</AccessGate>;
  return (
    <AccessGate title={words.title} description={words.text}>
      <Stack gap={5}>
        <Form label={words.title} onSubmit={() => void change(email).catch(() => undefined)}>
          <FormProblem problem={problem} />
          <TextField label={access.email} type="email" autoComplete="username" maxLength={254} isRequired autoFocus value={email} onChange={setEmail} />
          <SubmitButton problem={problem} isPending={isUnderWay}>{words.action}</SubmitButton>
        </Form>
        {toSignIn}
      </Stack>
    </AccessGate>
  );
}

import {useState} from 'react';
import {Button} from '../../design/button.tsx';
import {Form} from '../../design/field.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useSignIn} from '../../session/account.ts';
import {FormProblem} from '../../shell/form_problem.tsx';
import {useTexts} from '../../texts/index.tsx';
import {PasswordField, SubmitButton} from './fields.tsx';

const kDigits = /^\d{6}$/;

/** Address and password, then the code where a second factor is on. Who is signed in then, the session tells. */
export function SignInForm({action, typed, onStep}:
  {action: string; typed?: {email: string; password: string}; onStep?: (step: 'password' | 'code') => void}) {
  const {access} = useTexts();
  const [email, setEmail] = useState(typed?.email ?? '');
  const [password, setPassword] = useState(typed?.password ?? '');
  const [isCodeWanted, setCodeWanted] = useState(false);
  const {change, problem, isUnderWay, reset} = useSignIn();
  const signIn = () => void change({email, password}).catch((error: unknown) => {
    if (!isCodeNeeded(error)) return;
    reset();
    setCodeWanted(true);
    onStep?.('code');
  });
  const back = () => {
    setCodeWanted(false);
    setPassword('');
    onStep?.('password');
  };
  if (isCodeWanted) return <CodeForm email={email} password={password} onBack={back} />;
  const isWrong = problem?.status === 401;
  return (
    <Form label={action} onSubmit={signIn}>
      {!isWrong && <FormProblem problem={problem} />}
      <TextField label={access.email} type="email" autoComplete="username" inputMode="email" value={email} onChange={setEmail} isRequired autoFocus={!typed} />
      <PasswordField label={access.password} autoComplete="current-password" value={password} isRequired
                     onChange={(value) => { setPassword(value); if (isWrong) reset(); }}
                     {...(isWrong && {error: access.wrongPassword})} />
      <SubmitButton problem={problem} isPending={isUnderWay}>{action}</SubmitButton>
    </Form>
  );
}

const isCodeNeeded = (error: unknown) => (error as {isCodeNeeded?: boolean}).isCodeNeeded === true;

function CodeForm({email, password, onBack}: {email: string; password: string; onBack: () => void}) {
  const {access: {code: words, back}} = useTexts();
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const {change, problem, isUnderWay, reset} = useSignIn();
  const send = (value: string) => void change({email, password, code: value}).catch(() => setCode(''));
  const type = (value: string) => {
    if (problem?.status !== 429) reset();
    setCode(value);
    // The sixth digit is the last one: nobody should have to press a button in these 30 seconds.
    if (!isRecovery && kDigits.test(value.replace(/\s/g, '')) && problem?.status !== 429) send(value);
  };
  const isWrong = problem?.status === 401;
  return (
    <Form label={words.title} onSubmit={() => send(code)}>
      <p>{isRecovery ? words.recoveryText : words.text}</p>
      {!isWrong && <FormProblem problem={problem} />}
      <TextField key={String(isRecovery)} label={isRecovery ? words.recoveryLabel : words.label} code direction="ltr" autoFocus isRequired
                 autoComplete="one-time-code" inputMode={isRecovery ? 'text' : 'numeric'} maxLength={64} value={code} onChange={type}
                 {...(isWrong && {error: isRecovery ? words.wrongRecovery : words.wrong})} />
      <SubmitButton problem={problem} isPending={isUnderWay}>{words.confirm}</SubmitButton>
      <Button kind="quiet" wide onPress={() => { reset(); setCode(''); setRecovery(!isRecovery); }}>{isRecovery ? words.useApp : words.useRecovery}</Button>
      <Button kind="quiet" wide icon="arrow_back" onPress={onBack}>{back}</Button>
    </Form>
  );
}

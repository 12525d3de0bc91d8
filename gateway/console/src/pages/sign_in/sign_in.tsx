import {useState} from 'react';
import {Go} from '../../shell/go.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {Form} from '../../design/field.tsx';
import {Gate, Mark} from '../../design/shell.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useSignIn} from '../../session/account.ts';
import {returnAddress} from '../../session/address.ts';
import {useWho} from '../../session/provider.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {useTexts} from '../../texts/index.tsx';

export default function SignInPage() {
  const {access, shell} = useTexts();
  const who = useWho();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const {change, problem, isUnderWay} = useSignIn();
  if (who) return <Go href={returnAddress(location.search) ?? '/console/'} />;
  return (
    <Gate brand={<><Mark size={32} />{shell.name}</>} title={access.signIn}>
      <Form label={access.signIn} onSubmit={() => void change({email, password}).catch(() => undefined)}>
        {problem && <Banner kind="danger" live>{wordsOf(problem, shell)}</Banner>}
        <TextField label={access.email} type="email" autoComplete="username" value={email} onChange={setEmail} isRequired />
        <TextField label={access.password} reveal={{show: access.showPassword, hide: access.hidePassword}} autoComplete="current-password"
                   value={password} onChange={setPassword} isRequired />
        <Button kind="primary" wide size="l" type="submit" isPending={isUnderWay}>{access.signIn}</Button>
      </Form>
    </Gate>
  );
}

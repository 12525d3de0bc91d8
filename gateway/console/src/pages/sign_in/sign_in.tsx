import {useEffect, useLayoutEffect, useRef, useState} from 'react';
import {Banner} from '../../design/banner.tsx';
import {Link} from '../../design/link.tsx';
import {Stack} from '../../design/page.tsx';
import {useOptions} from '../../session/account.ts';
import {returnAddress} from '../../session/address.ts';
import {useSessionState} from '../../session/provider.tsx';
import {Go} from '../../shell/go.tsx';
import {useTexts} from '../../texts/index.tsx';
import {AccessGate} from '../access/gate.tsx';
import {SignInForm} from '../access/sign_in_form.tsx';
import {takeOver, typedBefore} from './prerendered.ts';

export default function SignInPage() {
  const {access} = useTexts();
  const state = useSessionState();
  const options = useOptions().data;
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [typed] = useState(typedBefore);
  const press = useRef(() => {});
  useLayoutEffect(() => {
    press.current = takeOver();
  }, []);
  useEffect(() => press.current(), []);  // the form is ready for it by now
  // Where to go on is decided when one is signed in, as the address may change before that.
  if (state.kind === 'signed in') return <Go href={returnAddress(location.search) ?? '/console/'} />;
  const isExpired = state.kind === 'signed out' && state.isExpired;
  return (
    <AccessGate title={step === 'code' ? access.code.title : access.signIn} {...(step === 'password' && !isExpired && {description: access.signInTo})}>
      <Stack gap={5}>
        {isExpired && <Banner title={access.ended}>{access.endedText}</Banner>}
        <SignInForm action={access.signIn} {...(typed && {typed})} onStep={setStep} />
        {step === 'password' && (
          <Stack gap={2}>
            <Link href="/console/password">{access.forgotten}</Link>
            {options?.isSignUpOpen && <p>{access.newHere} <Link href="/console/register">{access.register}</Link></p>}
          </Stack>
        )}
      </Stack>
    </AccessGate>
  );
}

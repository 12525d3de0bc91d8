import {useEffect, useRef, useState} from 'react';
import {useRouter} from '@tanstack/react-router';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {Form} from '../../design/field.tsx';
import {Stack} from '../../design/page.tsx';
import {SegmentedControl} from '../../design/tabs.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useJoin, useSignOut} from '../../session/account.ts';
import {addressIn, tokenOf} from '../../session/address.ts';
import {useSession, useSessionState} from '../../session/provider.tsx';
import {FormProblem} from '../../shell/form_problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';
import {NewPasswordField, SubmitButton} from '../access/fields.tsx';
import {AccessGate} from '../access/gate.tsx';
import {SignInForm} from '../access/sign_in_form.tsx';

/**
 * Joins by an invitation. Its token is in the fragment, which reaches no server, and leaves the page in the body of the call
 * alone: so one signs in here, and not on another page that would have to lead back.
 */
export default function JoinPage() {
  const {access} = useTexts();
  const words = access.joining;
  const state = useSessionState();
  const [token] = useState(() => tokenOf(location.hash));
  const [kind, setKind] = useState<string>('new');
  const joined = useJoined();
  const isAsking = state.kind === 'asking';
  const wasSignedIn = useRef<boolean>(undefined);
  if (!isAsking) wasSignedIn.current ??= state.kind === 'signed in';
  if (!token) return <AccessGate title={words.incomplete} description={words.incompleteText} />;
  return (
    <AccessGate title={words.title} description={words.text}>
      {state.kind === 'signed in' && <JoinAs token={token} joined={joined} isWanted={wasSignedIn.current === false} />}
      {state.kind === 'signed out' && (
        <Stack gap={5}>
          <SegmentedControl wide label={words.whoAreYou} selected={kind} onSelect={setKind}
                            segments={[{id: 'new', text: words.isNew}, {id: 'known', text: words.hasAccount}]} />
          {kind === 'new' ? <JoinNew token={token} joined={joined} /> : <SignInForm action={words.signInAndJoin} />}
        </Stack>
      )}
    </AccessGate>
  );
}

/** What happens after joining is the same for all. */
function useJoined() {
  const {access} = useTexts();
  const session = useSession();
  const router = useRouter();
  const join = useJoin();
  const run = async (body: Parameters<typeof join.change>[0]) => {
    const organization = await join.change(body);
    const state = session.state();
    const name = state.kind === 'signed in' ? state.organizations.find((each) => each.uniqueId === organization)?.name ?? '' : '';
    await router.navigate({href: addressIn(organization, 'home'), replace: true});
    toasts.add({title: access.joining.joined(name)}, {timeout: 6000});
  };
  return {...join, join: (body: Parameters<typeof join.change>[0]) => void run(body).catch(() => undefined)};
}

type Joined = ReturnType<typeof useJoined>;

/** As who is signed in: at once if they signed in for this, otherwise when they say so. */
function JoinAs({token, joined, isWanted}: {token: string; joined: Joined; isWanted: boolean}) {
  const {access} = useTexts();
  const words = access.joining;
  const state = useSessionState();
  const {join, problem, isUnderWay, isDone} = joined;
  const signOut = useSignOut();
  const isBegun = useRef(false);
  useEffect(() => {
    if (!isWanted || isBegun.current || isUnderWay || isDone) return;
    isBegun.current = true;
    join({token});
  });
  if (state.kind !== 'signed in') return null;
  return (
    <Stack gap={4}>
      <FormProblem problem={problem} words={{400: words.invalid, 403: words.otherAddress, 409: words.alreadyMember}} />
      <p dir="auto">{words.as(state.user.name, state.user.email)}</p>
      <Button kind="primary" wide size="l" isPending={isUnderWay} onPress={() => join({token})}>{words.action}</Button>
      <Button wide onPress={() => void signOut.change().catch(() => undefined)}>{words.otherAccount}</Button>
    </Stack>
  );
}

function JoinNew({token, joined}: {token: string; joined: Joined}) {
  const {access} = useTexts();
  const words = access.joining;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const {join, problem, isUnderWay} = joined;
  const isAtField = (field: string) => (problem?.at(field).length ?? 0) > 0;
  return (
    <Form label={words.isNew} onSubmit={() => join({token, name, password})}>
      {problem?.status === 409
        ? <Banner kind="warning" live>{words.hasAccountAlready}</Banner>
        : <FormProblem problem={problem} besides={['name', 'password']} words={isAtField('token') || problem?.faults.length === 0 ? {400: words.invalid} : {}} />}
      <TextField label={access.name} autoComplete="name" maxLength={255} isRequired value={name} onChange={setName}
                 {...(isAtField('name') && {error: problem?.at('name').join(' ')})} />
      <NewPasswordField label={access.password} value={password} onChange={setPassword} problem={problem?.at('password').join(' ')} />
      <SubmitButton problem={problem} isPending={isUnderWay}>{words.makeAndJoin}</SubmitButton>
    </Form>
  );
}

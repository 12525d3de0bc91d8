import {useState} from 'react';
import {Button, ButtonLink} from '../../design/button.tsx';
import {RadioGroup, Switch} from '../../design/choice.tsx';
import {Form} from '../../design/field.tsx';
import {Page, PageHeader, Section, Stack} from '../../design/page.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useUpdateUser} from '../../session/account.ts';
import {useWho} from '../../session/provider.tsx';
import type {User} from '../../session/session.ts';
import {useAddress} from '../../shell/address.ts';
import {FormProblem} from '../../shell/form_problem.tsx';
import {languageNames, setPreferences, type Preferences} from '../../shell/preferences.ts';
import {usePreferences} from '../../shell/use_preferences.ts';
import {useTitle} from '../../shell/title.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useUnsaved} from '../../shell/unsaved.ts';
import {kLanguages, type Language} from '../../texts/format.ts';
import {useTexts} from '../../texts/index.tsx';
import {NewPasswordField, PasswordField, SubmitButton} from '../access/fields.tsx';
import {SecondFactor} from './second_factor.tsx';

const kThemes = ['system', 'light', 'dark'] as const;

export default function ProfilePage() {
  const {access: {profile: words}, shell} = useTexts();
  const who = useWho();
  const to = useAddress();
  useTitle(shell.profile);
  if (!who) return null;
  const {user} = who;
  return (
    <Page header={<PageHeader title={shell.profile} description={<bdi>{user.email}</bdi>} />}>
      <Section title={words.you} description={words.youText}><Name user={user} /></Section>
      <Section title={words.appearance} description={words.appearanceText}><Appearance /></Section>
      <Section title={words.keys}><SingleKeys /></Section>
      <Section title={words.password} description={user.hasPassword ? words.passwordText : words.noPassword}>
        {user.hasPassword && <Password />}
      </Section>
      <Section title={words.factor} description={words.factorText}><SecondFactor user={user} /></Section>
      <Section title={words.sessions} description={words.sessionsText}>
        <div><ButtonLink href={to('sessions')} icon="computer">{words.showSessions}</ButtonLink></div>
      </Section>
    </Page>
  );
}

function Name({user}: {user: User}) {
  const {access} = useTexts();
  const [name, setName] = useState(user.name);
  const {change, problem, isUnderWay} = useUpdateUser();
  const isChanged = name.trim() !== '' && name !== user.name;
  useUnsaved(isChanged);
  const save = () => void change({name}).then(() => toasts.add({title: access.profile.saved}, {timeout: 5000}), () => undefined);
  return (
    <Form label={access.profile.you} onSubmit={save}>
      <FormProblem problem={problem} besides={['name']} />
      <TextField label={access.name} autoComplete="name" maxLength={255} isRequired value={name} onChange={setName}
                 {...((problem?.at('name').length ?? 0) > 0 && {error: problem?.at('name').join(' ')})} />
      <div><Button type="submit" isPending={isUnderWay} isDisabled={!isChanged}>{access.save}</Button></div>
    </Form>
  );
}

function Appearance() {
  const {shell} = useTexts();
  const {language, theme} = usePreferences();
  return (
    <Stack gap={5}>
      <RadioGroup label={shell.language} value={language} onChange={(value) => setPreferences({language: value as Language})}
                  choices={kLanguages.map((each) => ({value: each, text: languageNames[each]}))} />
      <RadioGroup label={shell.theme} value={theme} onChange={(value) => setPreferences({theme: value as Preferences['theme']})}
                  choices={kThemes.map((each) => ({value: each, text: shell.themes[each]}))} />
    </Stack>
  );
}

function SingleKeys() {
  const {access: {profile: words}} = useTexts();
  const {singleKeys} = usePreferences();
  return (
    <Switch isSelected={singleKeys} onChange={(isOn) => setPreferences({singleKeys: isOn})} description={words.singleKeysText}>
      {words.singleKeys}
    </Switch>
  );
}

function Password() {
  const {access} = useTexts();
  const words = access.profile;
  const [oldPassword, setOld] = useState('');
  const [password, setPassword] = useState('');
  const {change, problem, isUnderWay} = useUpdateUser();
  const save = () => void change({oldPassword, password}).then(() => {
    setOld('');
    setPassword('');
    toasts.add({title: words.changed}, {timeout: 6000});
  }, () => undefined);
  const isAt = (field: string) => (problem?.at(field).length ?? 0) > 0;
  const isOldWrong = isAt('oldPassword') || (problem?.status === 400 && problem.faults.length === 0);
  return (
    <Form label={words.password} onSubmit={save}>
      {!isOldWrong && <FormProblem problem={problem} besides={['password']} />}
      <PasswordField label={words.oldPassword} autoComplete="current-password" isRequired value={oldPassword} onChange={setOld}
                     {...(isOldWrong && {error: words.wrongOld})} />
      <NewPasswordField label={words.newPassword} value={password} onChange={setPassword} problem={problem?.at('password').join(' ')} />
      <div><SubmitButton plain problem={problem} isPending={isUnderWay}>{words.change}</SubmitButton></div>
    </Form>
  );
}

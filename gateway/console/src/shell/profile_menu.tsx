import {useEffect} from 'react';
import {Menu} from '../design/menu.tsx';
import {useOutbox} from '../live/provider.tsx';
import {useSignOut} from '../session/account.ts';
import {useTexts} from '../texts/index.tsx';
import {kLanguages, type Language} from '../texts/format.ts';
import {useAddress} from './address.ts';
import {ProfileButton} from './menu_buttons.tsx';
import {languageNames, setPreferences, type Preferences} from './preferences.ts';
import {leaveBy, loadQuestion} from './unsaved.ts';
import {usePreferences} from './use_preferences.ts';

const kThemes = ['system', 'light', 'dark'] as const;

export default function ProfileMenu({isWanted, onKeys}: {isWanted: boolean; onKeys: () => void}) {
  const {shell} = useTexts();
  const to = useAddress();
  const {language, theme} = usePreferences();
  const signOut = useSignOut();
  const hasUnsent = useOutbox().sends.length > 0;
  useEffect(() => {
    if (hasUnsent) loadQuestion();
  }, [hasUnsent]);
  const first = <T extends string>(keys: 'all' | Set<unknown>) => [...keys][0] as T | undefined;
  return (
    <Menu label={shell.profileAndSettings} placement="top start" defaultOpen={isWanted}
          trigger={<ProfileButton />}
          onAction={(id) => {
            if (id === 'sign_out') leaveBy(() => void signOut.change().catch(() => undefined), hasUnsent ? () => shell.leaving.unsent : undefined);
            if (id === 'keys') onKeys();
          }}
          groups={[
            {id: 'own', actions: [
              {id: 'profile', text: shell.profile, icon: 'user', href: to('profile')},
              {id: 'sessions', text: shell.sessions, icon: 'computer', href: to('sessions')},
              {id: 'keys', text: shell.keys, icon: 'key', keys: '?'},
            ]},
            {id: 'language', text: shell.language, selectionMode: 'single', selectedKeys: [language],
             onSelectionChange: (keys) => setPreferences({language: first<Language>(keys) ?? language}),
             actions: kLanguages.map((each) => ({id: each, text: languageNames[each]}))},
            {id: 'theme', text: shell.theme, selectionMode: 'single', selectedKeys: [theme],
             onSelectionChange: (keys) => setPreferences({theme: first<Preferences['theme']>(keys) ?? theme}),
             actions: kThemes.map((each) => ({id: each, text: shell.themes[each]}))},
            {id: 'end', label: shell.signOut, actions: [{id: 'sign_out', text: shell.signOut, icon: 'sign_out'}]},
          ]} />
  );
}

import type {ReactNode} from 'react';
import {Button, ButtonRow} from '../../design/button.tsx';
import {Gate, Mark} from '../../design/shell.tsx';
import {languageNames, setPreferences} from '../../shell/preferences.ts';
import {usePreferences} from '../../shell/use_preferences.ts';
import {DocumentTitle, useTitle} from '../../shell/title.tsx';
import {kLanguages} from '../../texts/format.ts';
import {useTexts} from '../../texts/index.tsx';

/** A page before one is signed in, with the languages at its foot. */
export function AccessGate({title, description, children}: {title: string; description?: ReactNode; children?: ReactNode}) {
  const {shell} = useTexts();
  const {language} = usePreferences();
  useTitle(title);
  const foot = (
    <ButtonRow>
      {kLanguages.map((each) => (
        <Button key={each} kind="quiet" size="s" aria-pressed={each === language} onPress={() => setPreferences({language: each})}>
          <span lang={each}>{languageNames[each]}</span>
        </Button>
      ))}
    </ButtonRow>
  );
  return (
    <Gate brand={<><Mark size={32} />{shell.name}</>} title={title} description={description} foot={foot}>
      <DocumentTitle />
      {children}
    </Gate>
  );
}

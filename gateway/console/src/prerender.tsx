// Renders the sign-in when the console is built. page.html has it: one can begin before the scripts are there.
import {renderToStaticMarkup} from 'react-dom/server.edge';
import {QueryClientProvider} from '@tanstack/react-query';
import {I18nProvider} from 'react-aria-components/I18nProvider';
import {FieldWords} from './design/field.tsx';
import {createQueries} from './api/scope.tsx';
import SignInPage from './pages/sign_in/sign_in.tsx';
import {SessionProvider} from './session/provider.tsx';
import {Session} from './session/session.ts';
import {setPreferences} from './shell/preferences.ts';
import {kLanguages, localeOf} from './texts/format.ts';
import {loadTexts, TextsProvider, type Language} from './texts/index.tsx';

const wire = {base: '', fetch, now: Date.now, newKey: () => ''};
const nothing = {channel: {addEventListener() {}, postMessage() {}}, storage: {getItem: () => null, setItem() {}, removeItem() {}}, forget: async () => {}, forgetHere: () => {}};

async function render(language: Language): Promise<string> {
  setPreferences({language});
  const session = new Session({wire, ...nothing});
  const texts = await loadTexts(language);
  return renderToStaticMarkup(
    <QueryClientProvider client={createQueries(session.wire)}>
      <SessionProvider session={session}>
        <I18nProvider locale={localeOf(language)}>
          <FieldWords value={texts.shell.fields}>
            <TextsProvider {...{language, texts}}><SignInPage /></TextsProvider>
          </FieldWords>
        </I18nProvider>
      </SessionProvider>
    </QueryClientProvider>,
  );
}

/** A template a language, which pages/sign_in/prerendered.ts shows. */
export async function templates(): Promise<string> {
  let all = '';
  for (const language of kLanguages) all += `<template id="sign-in-${language}">${await render(language)}</template>\n`;
  return all;
}

import {Suspense, useEffect, useState, type ReactNode} from 'react';
import {QueryClientProvider, type QueryClient} from '@tanstack/react-query';
import {RouterProvider as Router} from '@tanstack/react-router';
import {I18nProvider} from 'react-aria-components/I18nProvider';
import {FieldWords} from '../design/field.tsx';
import {loaded, part} from '../parts.ts';
import {SessionProvider} from '../session/provider.tsx';
import type {Session} from '../session/session.ts';
import {loadTexts, TextsProvider, type Language, type Texts} from '../texts/index.tsx';
import {localeOf} from '../texts/format.ts';
import {applyPreferences} from './preferences.ts';
import type {ConsoleRouter} from './routes.tsx';
import {toasts} from './toasts.ts';
import {usePreferences} from './use_preferences.ts';

const Notices = part(() => import('./notices.tsx'), (file) => file.default);
const Tooltip = part(() => import('../design/tooltip.tsx'), (file) => file.default);

export interface Spoken {
  readonly language: Language;
  readonly texts: Texts;
}

/** Everything that all pages have around them. */
export function App({session, queries, router, spoken}:
  {session: Session; queries: QueryClient; router: ConsoleRouter; spoken: Spoken}) {
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider session={session}>
        <Speech first={spoken}>
          <Router router={router} />
          <Above />
        </Speech>
      </SessionProvider>
    </QueryClientProvider>
  );
}

/** What appears over all pages, loaded after them, and before it is wanted: then there may be no network. */
function Above() {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => setPainted(true), []);
  return isPainted && (
    <>
      <Suspense><Tooltip /></Suspense>
      <Suspense><Notices /></Suspense>
    </>
  );
}

/** The page changes its language when the words of the other one are there. */
function Speech({first, children}: {first: Spoken; children: ReactNode}) {
  const preferences = usePreferences();
  const [spoken, setSpoken] = useState(first);
  const {language} = preferences;
  useEffect(() => {
    let isOver = false;
    if (language !== spoken.language)
      loaded(() => loadTexts(language)).then((texts) => isOver || setSpoken({language, texts}), () => {
        const {title, unexpected} = spoken.texts.shell.problems;
        if (!isOver) toasts.add({kind: 'danger', title, text: unexpected});
      });
    return () => {
      isOver = true;
    };
  }, [language, spoken]);
  useEffect(() => applyPreferences({...preferences, language: spoken.language}), [preferences, spoken]);
  return (
    <I18nProvider locale={localeOf(spoken.language)}>
      <FieldWords value={spoken.texts.shell.fields}>
        <TextsProvider {...spoken}>{children}</TextsProvider>
      </FieldWords>
    </I18nProvider>
  );
}

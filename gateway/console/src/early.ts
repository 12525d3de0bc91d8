// Runs while the rest of the script is still on its way: has the browser load with it what the page at this address will load
// later, the words and the page's own files; on a slow line each file that only another one names costs a round trip. Shows the
// sign-in that page.html has where nobody is signed in.
import {storage} from './live/storage.ts';
import {tellNotLoaded} from './not_loaded.ts';
import {showPrerendered} from './pages/sign_in/prerendered.ts';
import {kPerson} from './session/session.ts';
import {applyPreferences, preferences} from './shell/preferences.ts';

// The addresses of what a source of src is made of, but for what main.tsx has: build.mjs knows them.
declare const kParts: Readonly<Record<string, readonly string[]>>;
const [, , first = '', , second = 'home', more] = location.pathname.split('/');
const needsSession = first === '' || first === 'o';

/** The page of the address, by the rule that its folder is named as its path. Another address has none, and loads it later. */
function pageOfAddress(): string {
  const name = !needsSession ? first : storage.getItem(kPerson) === null ? 'sign-in' : more === undefined || second === 'inbox' ? second : '';
  return name.replaceAll('-', '_');
}

function preload(source: string): void {
  for (const href of kParts[source] ?? []) {
    const link = document.createElement('link');
    Object.assign(link, {rel: 'modulepreload', href});
    document.head.append(link);
  }
}

/** Looks how the question of page.html, who is signed in, was answered. Browsers that do not tell that show the sign-in later. */
function onSignedOut(then: () => void): void {
  const {href} = new URL('/api/user', location.href);
  new PerformanceObserver((list, observer) => {
    const answer = list.getEntriesByName(href)[0] as PerformanceResourceTiming | undefined;
    if (!answer) return;
    observer.disconnect();
    if (answer.responseStatus === 401) then();
  }).observe({type: 'resource', buffered: true});
}

document.getElementById('main')?.addEventListener('error', tellNotLoaded);
preload(`texts/${preferences().language}.ts`);
const page = pageOfAddress();
preload(`pages/${page}/${page}.tsx`);
if (needsSession || first === 'sign-in')
  onSignedOut(() => {
    preload('pages/sign_in/sign_in.tsx');
    applyPreferences(preferences());
    showPrerendered(preferences().language);
  });

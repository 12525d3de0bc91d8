// Runs while the rest of the script is still on its way: has the browser load with it what the page at this address will load
// later, the words and the page's own files; and shows the sign-in that page.html has. On a slow line each file that only another one
// names costs a round trip.
import {storage} from './live/storage.ts';
import {showPrerendered} from './pages/sign_in/prerendered.ts';
import {kPerson} from './session/session.ts';
import {applyPreferences, preferences} from './shell/preferences.ts';

// The addresses of what a source of src is made of, but for what main.tsx has: build.mjs knows them.
declare const kParts: Readonly<Record<string, readonly string[]>>;

/**
 * The page of an address, by the rule that its folder is named as its path; who is not known here will have to sign in. Another
 * address has none, and loads it later.
 */
function pageOf(path: string): string {
  const [, , first = '', , page = 'home', more] = path.split('/');
  if (first !== '' && first !== 'o') return first.replaceAll('-', '_');
  if (storage.getItem(kPerson) === null) return 'sign_in';
  return more === undefined || page === 'inbox' ? page.replaceAll('-', '_') : '';
}

function preload(source: string): void {
  for (const href of kParts[source] ?? []) {
    const link = document.createElement('link');
    Object.assign(link, {rel: 'modulepreload', href});
    document.head.append(link);
  }
}

const page = pageOf(location.pathname);
preload(`texts/${preferences().language}.ts`);
preload(`pages/${page}/${page}.tsx`);
if (page === 'sign_in') {
  applyPreferences(preferences());
  showPrerendered(preferences().language);
}

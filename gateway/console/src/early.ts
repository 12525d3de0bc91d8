// Runs while the rest of the script is still on its way: has the browser load with it what the page at this address will load
// later, the words and the page's own files. On a slow line each file that only another one names costs a round trip.
import {storage} from './live/storage.ts';
import {kPerson} from './session/session.ts';
import {preferences} from './shell/preferences.ts';

// The addresses of what a source of src is made of, but for what main.tsx has: build.mjs knows them.
declare const kParts: Readonly<Record<string, readonly string[]>>;

/** The page of an address, by the rule that its folder is named as its path. Another address has none, and loads it later. */
function pageOf(path: string): string {
  const [, , first = '', , page = first, more] = path.split('/');
  const name = first === 'o' ? page : first || (storage.getItem(kPerson) === null ? 'sign_in' : 'home');
  return more === undefined || name === 'inbox' ? name.replaceAll('-', '_') : '';
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

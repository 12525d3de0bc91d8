import {Listeners} from '../listeners.ts';
import {storage} from '../live/storage.ts';
import {isRightToLeft, kLanguages, type Language} from '../texts/format.ts';

/** What a person set for this browser. Signing out leaves it, as it tells nothing of the person. */
export interface Preferences {
  readonly language: Language;
  readonly theme: 'system' | 'light' | 'dark';
  /** Whether single keys such as `j` do something. Ctrl+K always does. */
  readonly singleKeys: boolean;
}

/** Each language by its own name: who reads no other must find it. */
export const languageNames: Readonly<Record<Language, string>> = {en: 'English', de: 'Deutsch', ar: 'العربية'};

const kName = 'parley.preferences';
const listeners = new Listeners();

function fallback(): Preferences {
  const wanted = navigator.languages.map((each) => each.slice(0, 2).toLowerCase());
  const language = wanted.find((each): each is Language => kLanguages.includes(each as Language)) ?? 'en';
  return {language, theme: 'system', singleKeys: true};
}

function read(): Preferences {
  try {
    const stored: Partial<Preferences> = JSON.parse(storage.getItem(kName) ?? '{}');
    const known = {...fallback(), ...stored};
    return kLanguages.includes(known.language) ? known : {...known, language: fallback().language};
  } catch {
    return fallback();
  }
}

let current = read();

export const preferences = (): Preferences => current;

export function setPreferences(changes: Partial<Preferences>): void {
  current = {...current, ...changes};
  storage.setItem(kName, JSON.stringify(current));
  listeners.tell();
}

// Another tab changed them.
addEventListener('storage', ({key}) => {
  if (key !== kName && key !== null) return;
  current = read();
  listeners.tell();
});

export const {subscribe} = listeners;

/** What the whole page has of them. */
export function applyPreferences({language, theme}: Preferences): void {
  const root = document.documentElement;
  root.lang = language;
  root.dir = isRightToLeft(language) ? 'rtl' : 'ltr';
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
}

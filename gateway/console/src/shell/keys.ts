import {preferences} from './preferences.ts';
import {Registry, useRegistered} from './registry.ts';

export interface PageKey {
  /** `j`, `Enter`, `Shift+Enter`, `Mod+k` (⌘ on a Mac, else Ctrl), or two after each other: `g h`. Letters are small. */
  readonly keys: string;
  /** What it does, for the list that `?` shows. */
  readonly text: string;
  readonly run: () => void;
  readonly isDisabled?: boolean;
}

const kPause = 1200;  // between two keys that belong together
const registry = new Registry<PageKey>();

/** Keys of the page, or of a part of it. Those of what was mounted last come first. Single keys rest while one types. */
export const useKeys = (keys: readonly PageKey[]) => useRegistered(registry, keys);

/** All keys that work now, by the part of the page that has them. */
export const knownKeys = (): readonly (readonly PageKey[])[] => registry.all();

const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** As the design prints them: `Ctrl K`, `g h`. `ctrl`: as that key is called. */
export function printed(keys: string, ctrl: string): string {
  const names: Record<string, string> = {Mod: isMac ? '⌘' : ctrl, Shift: isMac ? '⇧' : 'Shift', Enter: '⏎', ArrowDown: '↓', ArrowUp: '↑', Escape: 'Esc'};
  const part = (name: string) => names[name] ?? (name.length === 1 && keys.includes('+') ? name.toUpperCase() : name);
  return keys.split(/[ +]/).map(part).join(' ');
}

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The key as `PageKey` writes it. A keyboard of other letters has the Latin ones in the same places. */
export function nameOf(event: Pressed, mac = isMac): string | null {
  if (event.altKey || (mac ? event.ctrlKey : event.metaKey)) return null;
  const isMod = mac ? event.metaKey : event.ctrlKey;
  const latin = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase();
  const isLatin = /^[\x21-\x7e]$/.test(event.key);
  const key = event.key === '؟' ? '?' : isLatin ? event.key.toLowerCase() : event.key.length === 1 && latin ? latin : event.key;
  const isLetter = /^[a-z]$/.test(key);
  const isShift = event.shiftKey && (isLetter || key.length > 1);  // of signs it makes another one
  return (isMod ? 'Mod+' : '') + (isShift ? 'Shift+' : '') + key;
}

const kTyped = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true], [role=textbox]';
const kOwnKeys = '[role=menu], [role=listbox], [role=dialog], [role=alertdialog]';
/** What wants an answer first. A toast, an alertdialog in a region, does not. */
const kAsks = '[role=alertdialog]:not([role=region] *)';
const kOver = '[role=dialog]';

function isForPage(name: string, target: EventTarget | null): boolean {
  if (document.querySelector(kAsks)) return false;
  if (name.startsWith('Mod+')) return true;
  if (document.querySelector(kOver)) return false;
  if (target instanceof Element && (target.closest(kTyped) || target.closest(kOwnKeys))) return false;
  // Enter and Space press what has the focus.
  if ((name === 'Enter' || name === ' ') && target instanceof Element && target.closest('a, button, [role=button]')) return false;
  return name.length > 1 || preferences().singleKeys;
}

let before: {name: string; at: number} | null = null;

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Meta', 'Alt'].includes(event.key)) return;
  const name = nameOf(event);
  if (name === null || !isForPage(name, event.target)) return;
  const first = before && Date.now() - before.at < kPause ? before.name : null;
  before = null;
  const known = registry.all().flat().filter((each) => !each.isDisabled);
  const found = (first && known.find(({keys}) => keys === `${first} ${name}`)) || known.find(({keys}) => keys === name);
  if (found) {
    event.preventDefault();
    found.run();
  } else if (known.some(({keys}) => keys.startsWith(name + ' '))) before = {name, at: Date.now()};
}

export function listenToKeys(): () => void {
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}

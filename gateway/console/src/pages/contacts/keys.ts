import {useEffect, useRef} from 'react';
import {usePreferences} from '../../shell/preferences.ts';

const kWriting = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/** Single keys of a page, where nobody writes and no dialog is open. Escape works with single keys switched off, too. */
export function usePageKeys(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  const {singleKeys} = usePreferences();
  const now = useRef(keys);
  useEffect(() => {
    now.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!singleKeys && event.key !== 'Escape') return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest(kWriting)) return;
      // Enter on a link or a button is theirs.
      if (event.key === 'Enter' && target?.closest('a, button, input')) return;
      const does = now.current[event.key];
      if (!does) return;
      event.preventDefault();
      does(event);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [singleKeys]);
}

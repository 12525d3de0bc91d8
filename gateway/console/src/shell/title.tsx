import {useEffect, useSyncExternalStore} from 'react';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';

let title = '';
const listeners = new Set<() => void>();
const change = (next: string) => {
  title = next;
  for (const listener of listeners) listener();
};
const read = () => title;
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What the page is called in the browser's tab; each page says it once: "Contacts", a contact's name. */
export function useTitle(page: string): void {
  useEffect(() => {
    change(page);
    return () => change('');
  }, [page]);
}

/** Writes the title of the tab: what is unread, the page, the organization. */
export function DocumentTitle({organization, unread}: {organization?: string; unread?: number}) {
  const {shell} = useTexts();
  const page = useSyncExternalStore(subscribe, read, read);
  const name = useWho()?.organizations.find((each) => each.uniqueId === organization)?.name;
  useEffect(() => {
    document.title = shell.documentTitle(page, name ?? '', unread ?? 0);
  }, [shell, page, name, unread]);
  return null;
}

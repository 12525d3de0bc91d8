import {useEffect, useSyncExternalStore} from 'react';
import {Listeners} from '../listeners.ts';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';

let title = '';
const listeners = new Listeners();
const change = (next: string) => {
  title = next;
  listeners.tell();
};
const read = () => title;

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
  const page = useSyncExternalStore(listeners.subscribe, read, read);
  const name = useWho()?.organizations.find((each) => each.uniqueId === organization)?.name;
  useEffect(() => {
    document.title = shell.documentTitle(page, name ?? '', unread ?? 0);
  }, [shell, page, name, unread]);
  return null;
}

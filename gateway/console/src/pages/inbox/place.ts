import {useCallback, useMemo, useRef} from 'react';
import {useNavigate, useParams, useSearch} from '@tanstack/react-router';
import {useAddress} from '../../shell/address.ts';
import {inboxSearch, type InboxSearch} from './search.ts';

/** An address of the inbox with these changes; what is undefined goes. */
export type Changes = {[K in keyof InboxSearch]?: InboxSearch[K] | undefined};

/** Where in the inbox one is, and how to go elsewhere in it. */
export function usePlace() {
  const {conversation} = useParams({strict: false});
  const asked = useSearch({strict: false});
  const search = useMemo(() => inboxSearch(asked), [asked]);
  const to = useAddress();
  const navigate = useNavigate();
  const addressOf = (id: string | null, changes: Changes) => to(id === null ? 'inbox' : 'inbox/' + id, {...search, ...changes});
  /** A conversation's address, or that of the list; filters stay. */
  const hrefOf = (id: string | null, changes: Changes = {}) => addressOf(id, {message: undefined, pane: undefined, ...changes});
  const go = useCallback((href: string, replace = false) => void navigate({href, replace}), [navigate]);
  const here = useRef<(changes: Changes) => string>(() => '');
  here.current = (changes) => addressOf(conversation ?? null, changes);
  /** The same conversation, listed otherwise. It is one function: what depends on the filters alone renders for them alone. */
  const change = useCallback((changes: Changes) => go(here.current(changes), true), [go]);
  return {conversationId: conversation, search, hrefOf, go, change};
}
export type Place = ReturnType<typeof usePlace>;

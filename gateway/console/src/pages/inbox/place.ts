import {useCallback} from 'react';
import {useNavigate, useParams, useSearch} from '@tanstack/react-router';
import {useAddress} from '../../shell/address.ts';
import {inboxSearch, type InboxSearch} from './search.ts';

/** An address of the inbox with these changes; what is undefined goes. */
export type Changes = {[K in keyof InboxSearch]?: InboxSearch[K] | undefined};

/** Where in the inbox one is, and how to go elsewhere in it. */
export function usePlace() {
  const {conversation} = useParams({strict: false});
  const search = inboxSearch(useSearch({strict: false}));
  const to = useAddress();
  const navigate = useNavigate();
  /** A conversation's address, or that of the list; filters stay. */
  const hrefOf = (id: string | null, changes: Changes = {}) =>
    to(id === null ? 'inbox' : 'inbox/' + id, {...search, message: undefined, pane: undefined, ...changes});
  const go = useCallback((href: string, replace = false) => void navigate({href, replace}), [navigate]);
  return {
    conversationId: conversation, search, hrefOf, go,
    /** The same conversation, listed otherwise. */
    change: (changes: Changes) => go(to(conversation ? 'inbox/' + conversation : 'inbox', {...search, ...changes}), true),
  };
}
export type Place = ReturnType<typeof usePlace>;

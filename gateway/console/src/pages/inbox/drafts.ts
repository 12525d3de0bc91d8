import {useEffect, useSyncExternalStore} from 'react';
import {useScope, type Scope} from '../../api/scope.tsx';
import {hearDrafted} from '../../live/provider.tsx';

/** Conversations in which something is written, but not sent: the list says so. Who signs in anew has a new scope. */
const written = new WeakMap<Scope['store'], ReadonlySet<string>>();
const listeners = new Set<() => void>();
const writtenIn = ({store}: Scope): ReadonlySet<string> => written.get(store) ?? new Set();

function become({store}: Scope, ids: ReadonlySet<string>): void {
  written.set(store, ids);
  for (const listener of listeners) listener();
}

export function noteDraft(scope: Scope, conversationId: string, hasWords: boolean): void {
  const known = writtenIn(scope);
  if (known.has(conversationId) === hasWords) return;
  const others = [...known].filter((id) => id !== conversationId);
  become(scope, new Set(hasWords ? [...others, conversationId] : others));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDraftExists(conversationId: string): boolean {
  const scope = useScope();
  return useSyncExternalStore(subscribe, () => writtenIn(scope).has(conversationId));
}

/** Those that were written before the page was loaded, or are in other tabs. */
export function useOtherDrafts(): void {
  const scope = useScope();
  useEffect(() => {
    const stop = new AbortController();
    hearDrafted(scope, (ids) => become(scope, new Set(ids)), stop.signal);
    return () => stop.abort();
  }, [scope]);
}

import {useEffect, useSyncExternalStore} from 'react';
import {useScope, type Scope} from '../../api/scope.tsx';
import {hearDrafted} from '../../live/provider.tsx';

/** Conversations in which something is written, but not sent: the list says so. Who signs in anew has a new scope. */
const written = new WeakMap<Scope['store'], Set<string>>();
const listeners = new Set<() => void>();

export function noteDraft({store}: Scope, conversationId: string, hasWords: boolean): void {
  const known = written.get(store) ?? new Set();
  if (known.has(conversationId) === hasWords) return;
  if (hasWords) known.add(conversationId);
  else known.delete(conversationId);
  written.set(store, known);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDraftExists(conversationId: string): boolean {
  const {store} = useScope();
  return useSyncExternalStore(subscribe, () => written.get(store)?.has(conversationId) ?? false);
}

/** Those that were written before the page was loaded, or are in other tabs. */
export function useOtherDrafts(): void {
  const scope = useScope();
  useEffect(() => {
    const stop = new AbortController();
    hearDrafted(scope, (conversationId, isDrafted) => noteDraft(scope, conversationId, isDrafted), stop.signal);
    return () => stop.abort();
  }, [scope]);
}

import {useEffect, useSyncExternalStore} from 'react';
import {useScope, type Scope} from '../../api/scope.tsx';
import {draftedConversations} from '../../live/provider.tsx';

/** Conversations in which something is written, but not sent: the list says so. Each with who wrote it, as another one may sign in. */
const written = new Set<string>();
const listeners = new Set<() => void>();
const nameOf = ({userId}: Scope, conversationId: string) => `${userId}/${conversationId}`;

export function noteDraft(scope: Scope, conversationId: string, hasWords: boolean): void {
  const name = nameOf(scope, conversationId);
  if (written.has(name) === hasWords) return;
  if (hasWords) written.add(name);
  else written.delete(name);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useDraftExists(conversationId: string): boolean {
  const name = nameOf(useScope(), conversationId);
  return useSyncExternalStore(subscribe, () => written.has(name));
}

/** Those that were written before the page was loaded. */
export function useEarlierDrafts(): void {
  const scope = useScope();
  useEffect(() => {
    void draftedConversations(scope).then((ids) => {
      for (const id of ids) noteDraft(scope, id, true);
    });
  }, [scope]);
}

import {useEffect, useSyncExternalStore} from 'react';
import {useScope} from '../../api/scope.tsx';
import {draftedConversations} from '../../live/provider.tsx';

/** Conversations in which something is written, but not sent: the list says so. */
const written = new Set<string>();
const listeners = new Set<() => void>();

export function noteDraft(conversationId: string, hasWords: boolean): void {
  if (written.has(conversationId) === hasWords) return;
  if (hasWords) written.add(conversationId);
  else written.delete(conversationId);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useDraftExists = (conversationId: string): boolean => useSyncExternalStore(subscribe, () => written.has(conversationId));

/** Those that were written before the page was loaded. */
export function useEarlierDrafts(): void {
  const scope = useScope();
  useEffect(() => {
    void draftedConversations(scope).then((ids) => {
      for (const id of ids) noteDraft(id, true);
    });
  }, [scope]);
}

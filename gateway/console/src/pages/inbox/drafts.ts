import {useSyncExternalStore} from 'react';

/** Conversations in which something is being written in this tab: the list says so. */
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

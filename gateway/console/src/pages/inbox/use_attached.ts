import {useSyncExternalStore} from 'react';
import {useScope} from '../../api/scope.tsx';
import type {Attached} from './attachments.ts';

/** Files that are chosen, and not sent: they wait while one looks elsewhere. In this tab alone, as they may be large. */
const chosen = new Map<string, Attached>();
const listeners = new Set<() => void>();
const kMost = 20;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The file, how to choose another one or none, and how to remove one that is sent: not another that was chosen meanwhile. */
export function useAttached(conversationId: string): [Attached | null, (attached: Attached | null) => void, (sent: Attached) => void] {
  const {userId} = useScope();
  const id = `${userId}/${conversationId}`;
  const attached = useSyncExternalStore(subscribe, () => chosen.get(id) ?? null);
  const attach = (next: Attached | null) => {
    chosen.delete(id);
    if (next) chosen.set(id, next);
    for (const oldest of chosen.keys()) if (chosen.size > kMost) chosen.delete(oldest);
    for (const listener of listeners) listener();
  };
  return [attached, attach, (sent) => chosen.get(id) === sent && attach(null)];
}

import {useSyncExternalStore} from 'react';
import {useScope} from '../../api/scope.tsx';
import {Listeners} from '../../listeners.ts';
import type {Attached} from './attachments.ts';

/** Files that are chosen, and not sent: they wait while one looks elsewhere. In this tab alone, as they may be large. */
const chosen = new Map<string, Attached>();
const listeners = new Listeners();
const kMost = 20;

/** The file, how to choose another one or none, and how to remove one that is sent: not another that was chosen meanwhile. */
export function useAttached(conversationId: string): [Attached | null, (attached: Attached | null) => void, (sent: Attached) => void] {
  const {userId} = useScope();
  const id = `${userId}/${conversationId}`;
  const attached = useSyncExternalStore(listeners.subscribe, () => chosen.get(id) ?? null);
  const attach = (next: Attached | null) => {
    chosen.delete(id);
    if (next) chosen.set(id, next);
    for (const oldest of chosen.keys()) if (chosen.size > kMost) chosen.delete(oldest);
    listeners.tell();
  };
  return [attached, attach, (sent) => chosen.get(id) === sent && attach(null)];
}

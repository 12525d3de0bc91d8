import {useState} from 'react';
import {useScope} from '../../api/scope.tsx';
import type {Attached} from './attachments.ts';

/** Files that are chosen, and not sent: they wait while one looks elsewhere. In this tab alone, as they may be large. */
const chosen = new Map<string, Attached>();

export function useAttached(conversationId: string): [Attached | null, (attached: Attached | null) => void] {
  const {userId} = useScope();
  const id = `${userId}/${conversationId}`;
  const [attached, setAttached] = useState(() => chosen.get(id) ?? null);
  return [attached, (next) => {
    if (next) chosen.set(id, next);
    else chosen.delete(id);
    setAttached(next);
  }];
}

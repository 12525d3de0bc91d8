import {useState} from 'react';
import {useScope} from '../../api/scope.tsx';
import type {Attached} from './attachments.ts';

/** Files that are chosen, and not sent: they wait while one looks elsewhere. In this tab alone, as they may be large. */
const chosen = new Map<string, Attached>();
const kMost = 20;

export function useAttached(conversationId: string): [Attached | null, (attached: Attached | null) => void] {
  const {userId} = useScope();
  const id = `${userId}/${conversationId}`;
  const [attached, setAttached] = useState(() => chosen.get(id) ?? null);
  return [attached, (next) => {
    chosen.delete(id);
    if (next) chosen.set(id, next);
    for (const oldest of chosen.keys()) if (chosen.size > kMost) chosen.delete(oldest);
    setAttached(next);
  }];
}

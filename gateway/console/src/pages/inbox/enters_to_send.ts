import {useSyncExternalStore} from 'react';
import {storage} from '../../live/storage.ts';

const kName = 'parley.enter sends';
const listeners = new Set<() => void>();

export function setEntersToSend(value: boolean): void {
  storage.setItem(kName, String(value));
  for (const listener of listeners) listener();
}

export const useEntersToSend = (): boolean => useSyncExternalStore((listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
}, () => storage.getItem(kName) === 'true');

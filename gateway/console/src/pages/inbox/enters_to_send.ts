import {useSyncExternalStore} from 'react';
import {storage} from '../../live/storage.ts';

const kName = 'parley.enter sends';
const listeners = new Set<() => void>();
const read = () => storage.getItem(kName) === 'true';

let enters = read();

function tell(): void {
  enters = read();
  for (const listener of listeners) listener();
}

export function setEntersToSend(value: boolean): void {
  storage.setItem(kName, String(value));
  tell();
}

// Another tab changed it.
addEventListener('storage', ({key}) => {
  if (key === kName || key === null) tell();
});

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useEntersToSend = (): boolean => useSyncExternalStore(subscribe, () => enters);

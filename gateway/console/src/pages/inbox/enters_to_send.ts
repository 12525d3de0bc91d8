import {useSyncExternalStore} from 'react';

const kName = 'parley.enter sends';
const listeners = new Set<() => void>();
let isOn: boolean | null = null;

function read(): boolean {
  try {
    return isOn ??= localStorage.getItem(kName) === 'true';
  } catch {
    return isOn ?? false;
  }
}

export function setEntersToSend(value: boolean): void {
  isOn = value;
  try {
    localStorage.setItem(kName, String(value));
  } catch {
    // A browser that keeps nothing has it until it is closed.
  }
  for (const listener of listeners) listener();
}

export const useEntersToSend = (): boolean => useSyncExternalStore((listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
}, read);

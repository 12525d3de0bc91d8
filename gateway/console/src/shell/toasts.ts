import {useSyncExternalStore} from 'react';
import type {ToastWords} from '../design/toast.tsx';

let hasSome = false;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** `toasts.add({title}, {timeout: 6000})` from anywhere. What must be read has no timeout. They load when there is one. */
export const toasts = {
  add(words: ToastWords, options: {timeout?: number} = {}): void {
    hasSome = true;
    for (const listener of listeners) listener();
    void import('./toast_queue.ts').then(({queue}) => queue.add(words, options), () => undefined);
  },
};

/** Whether there has been one. */
export const useHasToasts = (): boolean => useSyncExternalStore(subscribe, () => hasSome);

import type {ToastWords} from '../design/toast.tsx';

/** `toasts.add({title}, {timeout: 6000})` from anywhere. What must be read has no timeout. They load when there is one. */
export const toasts = {
  add(words: ToastWords, options: {timeout?: number} = {}): void {
    void import('./toast_queue.ts').then(({queue}) => queue.add(words, options), () => undefined);
  },
};

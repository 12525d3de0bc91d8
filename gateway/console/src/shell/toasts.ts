import type {ToastWords} from '../design/toast.tsx';

type Show = (words: ToastWords, options: {timeout?: number}) => void;

const kMostWaiting = 20;
const waiting: Parameters<Show>[] = [];
let show: Show = (...toast) => {
  if (waiting.push(toast) > kMostWaiting) waiting.shift();
};

/** `toasts.add({title}, {timeout: 6000})` from anywhere. What must be read has no timeout. */
export const toasts = {add: (words: ToastWords, options: {timeout?: number} = {}): void => show(words, options)};

/** What shows them is loaded after the page. What was told before that waits for it. */
export function showToastsBy(next: Show): void {
  show = next;
  for (const toast of waiting.splice(0)) show(...toast);
}

import {make_toasts} from '../design/toast.tsx';

/** For toasts.ts and notices.tsx. */
export const queue = make_toasts();

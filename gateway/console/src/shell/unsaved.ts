import {useEffect} from 'react';

let count = 0;

/**
 * Says that something is being written: the page is not loaded anew by itself meanwhile. Who closes it is asked, unless what
 * is written is kept, as drafts are.
 */
export function useUnsaved(isWriting: boolean, {isKept = false}: {isKept?: boolean} = {}): void {
  useEffect(() => {
    if (!isWriting) return;
    ++count;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    if (!isKept) addEventListener('beforeunload', ask);
    return () => {
      --count;
      removeEventListener('beforeunload', ask);
    };
  }, [isWriting, isKept]);
}

export const isUnsaved = (): boolean => count > 0;

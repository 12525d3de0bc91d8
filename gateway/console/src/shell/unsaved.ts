import {useEffect} from 'react';

let count = 0;

/**
 * Says that something is not done or kept yet: the page is not loaded anew by itself meanwhile. Who closes it is asked, unless
 * what is written is kept, as drafts are. Gives back how to end that.
 */
export function holdUnsaved({isKept = false}: {isKept?: boolean} = {}): () => void {
  ++count;
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  if (!isKept) addEventListener('beforeunload', ask);
  return () => {
    --count;
    removeEventListener('beforeunload', ask);
  };
}

/** The same while something is being written. */
export function useUnsaved(isWriting: boolean, {isKept = false}: {isKept?: boolean} = {}): void {
  useEffect(() => (isWriting ? holdUnsaved({isKept}) : undefined), [isWriting, isKept]);
}

export const isUnsaved = (): boolean => count > 0;

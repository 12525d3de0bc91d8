import {useEffect} from 'react';

let count = 0;

/** Says that something typed is kept nowhere yet: the page is not loaded anew by itself, and leaving it is asked about. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    ++count;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => {
      --count;
      removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
}

export const isUnsaved = (): boolean => count > 0;

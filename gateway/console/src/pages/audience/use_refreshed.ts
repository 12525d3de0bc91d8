import {useEffect, useRef} from 'react';

/** Of lists that no event tells of: what is there from an earlier visit is shown, and asked for again. */
export function useRefreshed({asOf, refresh}: {asOf: number; refresh(): Promise<unknown>}): void {
  const opened = useRef(Date.now());
  const isOld = asOf > 0 && asOf < opened.current;
  useEffect(() => {
    if (isOld) void refresh();
  }, [isOld]);
}

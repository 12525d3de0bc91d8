import {useCallback, useEffect, useRef, useState} from 'react';
import {useKeptPlace} from './kept_place.ts';
import type {Shown} from './paging.tsx';

/** The row where keys are. Coming back finds it again. */
export function useCurrent({from, count}: Shown) {
  const place = useKeptPlace();
  const [current, setCurrent] = useState<number | null>(place.current);
  /** Of the table. */
  const scrollTo = useRef<((row: number) => void) | null>(null);
  useEffect(() => setCurrent(place.current), [place]);
  const choose = useCallback((row: number) => {
    setCurrent(row);
    place.current = row;
  }, [place]);
  const move = (step: number) => {
    const row = Math.max(from, Math.min(from + count - 1, current === null ? from : current + step));
    choose(row);
    scrollTo.current?.(row);
  };
  return {current, choose, move, scrollTo, leave: () => setCurrent(null)};
}

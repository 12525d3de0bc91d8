import {useEffect, useRef, type RefObject} from 'react';

/** Whether the page is still shown: what ends later must not take somebody away from where they went meanwhile. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}

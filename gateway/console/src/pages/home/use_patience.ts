import {useEffect, useState} from 'react';

const kPatience = 1500;

/** All comes together, rather than moving what is there already; unless something takes long. */
export function useIsWaiting(isLoading: boolean): boolean {
  const [isPatient, setPatient] = useState(true);
  useEffect(() => {
    if (!isPatient) return undefined;
    const timer = setTimeout(() => setPatient(false), isLoading ? kPatience : 0);
    return () => clearTimeout(timer);
  }, [isPatient, isLoading]);
  return isPatient && isLoading;
}

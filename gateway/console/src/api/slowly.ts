import {useEffect, useState} from 'react';

/** A value when it has not changed for a while: what is typed is not asked for letter by letter. */
export function useSlowly<T>(value: T, milliseconds = 250): T {
  const [slow, setSlow] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return slow;
}

import {useEffect, useState} from 'react';

/** The time, told anew in this rhythm: for "3 minutes ago". */
export function useNow(every = 30_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

/** Milliseconds until a moment, counted down by seconds; 0 when it has come, or there is none. */
export function useLeft(moment: number | null): number {
  const [now, setNow] = useState(Date.now);
  const left = moment === null ? 0 : Math.max(0, moment - now);
  const isOver = left === 0;
  useEffect(() => {
    setNow(Date.now());
    if (moment === null || isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [moment, isOver]);
  return Math.ceil(left / 1000) * 1000;
}

import {useEffect, useState} from 'react';
import {StatusDot} from '../../design/badge.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {leftOf, nextChange, serviceWindow, type ServiceWindow} from './service_window.ts';

/** The window of a contact, right to the minute, and to the moment of its end. */
export function useServiceWindow(endsAt: string | null): ServiceWindow {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    if (endsAt === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const pause = nextChange(endsAt, Date.now());
      if (Number.isFinite(pause)) timer = setTimeout(tick, pause + 20);
    };
    const tick = () => {
      setNow(Date.now());
      wait();
    };
    wait();
    // A computer that slept does not know how long.
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [endsAt]);
  return serviceWindow(endsAt, now);
}

export function WindowLeft({left, isShort}: {left: number; isShort: boolean}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {hours, minutes} = leftOf(left);
  const words = hours === 0 ? inbox.leftMinutes(minutes)
    : hours < 3 ? inbox.leftShort(format.number(hours), format.number(minutes))
    : inbox.leftLong(hours);
  return <StatusDot tone={isShort ? 'warning' : 'information'}>{words}</StatusDot>;
}

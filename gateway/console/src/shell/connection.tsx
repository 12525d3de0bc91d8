import {useEffect, useRef, useState, useSyncExternalStore} from 'react';
import {useRouter} from '@tanstack/react-router';
import {Bar} from '../design/banner.tsx';
import {useLiveState, useOutbox} from '../live/provider.tsx';
import {useFormat, useTexts} from '../texts/index.tsx';
import {useNow} from './clock.ts';
import {servedVersion} from './version.ts';
import {isUnsaved} from './unsaved.ts';

const kPatience = 6000;  // a stream that comes again within this time is not spoken of

/** Over the page: the connection is lost, and how old is what one sees. When it is back, whether the gateway is another one. */
export function Connection() {
  const {kind} = useLiveState();
  const {shell: {connection: words}} = useTexts();
  const format = useFormat();
  const isOnline = useOnline();  // a stream may be silent for a while before it counts as broken
  const isOpen = kind === 'open' && isOnline;
  const isOffline = kind === 'offline' || !isOnline;
  const {asOf, isLate} = useLostSince(isOpen);
  const now = useNow(10_000);
  const waiting = useOutbox().sends.filter((each) => each.state === 'waits').length;
  useReloadForVersion(isOpen);
  if (isOpen || (kind === 'refused' && isOnline) || (!isOffline && !isLate)) return null;
  return (
    <Bar icon="offline" end={words.asOf(format.time(asOf), format.relative(asOf, Math.max(now, asOf)))}>
      {isOffline ? words.offline : words.reconnecting}
      {waiting > 0 && ' ' + words.waiting(waiting)}
    </Bar>
  );
}

const watch = (listener: () => void) => {
  for (const each of ['online', 'offline']) addEventListener(each, listener);
  return () => {
    for (const each of ['online', 'offline']) removeEventListener(each, listener);
  };
};
const useOnline = () => useSyncExternalStore(watch, () => navigator.onLine);

/** Since when nothing was told any more; late after a while, as restarts and naps pass by themselves. */
function useLostSince(isOpen: boolean) {
  const [asOf, setAsOf] = useState(Date.now);
  const [isLate, setLate] = useState(false);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) setAsOf(Date.now());
    wasOpen.current = isOpen;
    setLate(false);
    if (isOpen) return;
    const timer = setTimeout(() => setLate(true), kPatience);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return {asOf, isLate};
}

/** A gateway of another version has other pages: the next navigation loads them, unless something is being written. */
function useReloadForVersion(isOpen: boolean): void {
  const router = useRouter();
  const wasLost = useRef(false);
  const isOther = useRef(false);
  useEffect(() => {
    if (!isOpen) wasLost.current = true;
    else if (wasLost.current) void servedVersion().then((version) => (isOther.current ||= version === 'other'));
  }, [isOpen]);
  useEffect(() => router.subscribe('onBeforeLoad', ({pathChanged, toLocation}) => {
    if (pathChanged && isOther.current && !isUnsaved()) location.assign(toLocation.href);
  }), [router]);
}

import {QueryClient} from '@tanstack/react-query';
import {createQueries} from '../api/scope.tsx';
import {kPerson, Session, type SessionParts} from '../session/session.ts';
import type {Locks, Visibility} from './leader.ts';
import {kPlacePrefix} from './live.ts';
import {BrowserShelf} from './shelf.ts';
import {storage} from './storage.ts';
import type {World} from './stream.ts';

/** The browser, as this layer uses it. */

const kLongestTimer = 2 ** 31 - 1;  // beyond it a timer is due at once

export const tab: Visibility = {
  isVisible: () => document.visibilityState === 'visible',
  onVisible: (callback) => {
    const changed = () => {
      if (document.visibilityState === 'visible') callback();
    };
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  },
};

export const world: World = {
  now: Date.now,
  random: Math.random,
  sleep: (milliseconds, signal) => new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(milliseconds, kLongestTimer));
    signal.addEventListener('abort', done);
  }),
  isOnline: () => navigator.onLine,
  online: (signal) => new Promise((resolve) => {
    if (signal.aborted || navigator.onLine) return resolve();
    const done = () => {
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  }),
};

export const locks: Locks = {request: (name, options, held) => navigator.locks.request(name, options, held)};

/** Before the next frame; a hidden tab has none, but its title shows what came. */
export function frame(callback: () => void): void {
  let isDone = false;
  const once = () => {
    if (!isDone) callback();
    isDone = true;
  };
  requestAnimationFrame(once);
  setTimeout(once, 500);
}

export const shelf = new BrowserShelf(indexedDB, () => storage.getItem(kPerson));

/** Everything that a tab begins with. */
export function begin(): {session: Session; queries: QueryClient} {
  const wire: SessionParts['wire'] = {
    base: '',
    fetch: (request, init) => fetch(request, init),
    now: Date.now,
    newKey: () => crypto.randomUUID(),
  };
  const forget = async () => {
    storage.removeAll(kPlacePrefix);
    queries.clear();
    await shelf.clear();
  };
  const session = new Session({wire, channel: new BroadcastChannel('parley.session'), storage, forget, forgetHere: () => queries.clear()});
  const queries = createQueries(session.wire);
  void session.ask();
  return {session, queries};
}

import {useEffect, useSyncExternalStore} from 'react';
import {useRouter} from '@tanstack/react-router';

let count = 0;

/** Says that something is not done or kept yet: the page is not loaded anew by itself meanwhile, and who closes it is asked. Gives back how to end that. */
export function holdUnsaved(): () => void {
  ++count;
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => {
    --count;
    removeEventListener('beforeunload', ask);
  };
}

export const isUnsaved = (): boolean => count > 0;

/**
 * The same while something is being written; who goes to another page of the console is asked, too, unless this tab keeps it until
 * one comes back. What goes on by itself after it was saved says `ignoreBlocker`.
 */
export function useUnsaved(isWriting: boolean, {isKeptInTab = false}: {isKeptInTab?: boolean} = {}): void {
  const {history} = useRouter();
  useEffect(() => (isWriting ? holdUnsaved() : undefined), [isWriting]);
  useEffect(() => {
    if (!isWriting || isKeptInTab) return;
    const unblock = history.block({
      enableBeforeUnload: false,
      blockerFn: async ({currentLocation, nextLocation}) => currentLocation.pathname !== nextLocation.pathname && !(await mayLeave()),
    });
    return () => {
      unblock();
      leaving?.answer(false);
    };
  }, [isWriting, isKeptInTab, history]);
}

/** Somebody is about to leave what is not saved; `answer` says whether they do. */
export interface Leaving {
  answer(leaves: boolean): void;
}

let leaving: Leaving | null = null;
const listeners = new Set<() => void>();

function mayLeave(): Promise<boolean> {
  leaving?.answer(false);  // who goes elsewhere meanwhile is asked about that
  return new Promise((resolve) => become({answer: (leaves) => {
    become(null);
    resolve(leaves);
  }}));
}

function become(next: Leaving | null): void {
  leaving = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const read = () => leaving;
export const useLeaving = (): Leaving | null => useSyncExternalStore(subscribe, read);

import {useEffect, useEffectEvent, useSyncExternalStore, type ComponentType} from 'react';
import {useRouter} from '@tanstack/react-router';
import {useTexts} from '../texts/index.tsx';

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

/** What asks somebody who is about to leave what is not saved; one of both ends it. */
export interface Leaving {
  readonly Dialog: ComponentType<{leaving: Leaving}>;
  leave(): void;
  stay(): void;
}

let leaving: Leaving | null = null;
/** How to ask; null where nothing is unsaved that would be lost. */
let ask: ((go: () => void) => void) | null = null;
const listeners = new Set<() => void>();

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

/** Does what makes one leave the page; where something is not saved, once somebody says so. */
export const leaveBy = (go: () => void): void => (ask ? ask(go) : go());

/**
 * Says while something is being written that it is not saved yet, as holdUnsaved() does. Who goes to another page of the console is
 * asked, too, unless the tab goes on with it. What leads on by itself after it was saved says `ignoreBlocker`.
 */
export function useUnsaved(isWriting: boolean, {isKeptInTab = false}: {isKeptInTab?: boolean} = {}): void {
  const router = useRouter();
  const {shell: {leaving: {title}}} = useTexts();
  const isConfirmed = useEffectEvent(() => confirm(title));
  useEffect(() => (isWriting ? holdUnsaved() : undefined), [isWriting]);
  useEffect(() => {
    if (!isWriting || isKeptInTab) return;
    // Loaded now: when it is wanted there may be no network, or another version.
    let Dialog: Leaving['Dialog'] | null = null;
    import('./leaving_dialog.tsx').then((file) => Dialog = file.default, () => undefined);
    let goOn = () => {};
    const own = (go: () => void) => {
      goOn = go;  // where it asks already, it asks about this
      setTimeout(() => {  // a menu that was pressed closes first
        if (leaving || ask !== own) return;
        if (Dialog) become({Dialog, leave: () => { become(null); goOn(); }, stay: () => become(null)});
        else if (isConfirmed()) goOn();
      });
    };
    ask = own;
    // A way back that waits for an answer confuses the router: it does not happen, and is gone again.
    const unblock = router.history.block({
      enableBeforeUnload: false,
      blockerFn: ({currentLocation, nextLocation, action}) => {
        if (currentLocation.pathname === nextLocation.pathname) return false;
        const steps = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
        own(() => {
          if (action === 'PUSH' || action === 'REPLACE') void router.navigate({href: nextLocation.href, replace: action === 'REPLACE', ignoreBlocker: true});
          else router.history.go(steps, {ignoreBlocker: true});
        });
        return true;
      },
    });
    return () => {
      unblock();
      if (ask === own) ask = null;
      leaving?.stay();
    };
  }, [isWriting, isKeptInTab, router]);
}

import {useEffect, useRef, useSyncExternalStore, type ComponentType} from 'react';
import {useRouter} from '@tanstack/react-router';
import {Listeners} from '../listeners.ts';
import {useTexts} from '../texts/index.tsx';

let count = 0;

/** Says that something is not done or kept yet: the page is not loaded anew by itself meanwhile, and who closes it is asked. Gives back how to end that. */
export function holdUnsaved(): () => void {
  ++count;
  const keepOpen = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', keepOpen);
  return () => {
    --count;
    removeEventListener('beforeunload', keepOpen);
  };
}

export const isUnsaved = (): boolean => count > 0;

type Loss = () => string;

/** What asks somebody who is about to leave what is not saved; one of both ends it. */
export interface Leaving {
  readonly Dialog: ComponentType<{leaving: Leaving}>;
  /** What would be lost, in words. */
  readonly loss: Loss;
  leave(): void;
  stay(): void;
}

let leaving: Leaving | null = null;
const listeners = new Listeners();

function become(next: Leaving | null): void {
  leaving = next;
  listeners.tell();
}

const read = () => leaving;
export const useLeaving = (): Leaving | null => useSyncExternalStore(listeners.subscribe, read);

/** How many things on the page would be lost; and how to ask, by the browser itself where the dialog could not be loaded. */
let losses = 0;
let ofPage: Loss = () => '';
let Dialog: Leaving['Dialog'] | null = null;
let goOn = () => {};

/** Before it is wanted: then there may be no network, or another version. */
export function loadQuestion(): void {
  import('./leaving_dialog.tsx').then((file) => Dialog = file.default, () => undefined);
}

function ask(go: () => void, besides: Loss = () => ''): void {
  goOn = go;  // where it asks already, it asks about this
  const loss = () => [losses > 0 && ofPage(), besides()].filter(Boolean).join(' ');
  setTimeout(() => {  // a menu that was pressed closes first
    if (leaving || loss() === '') return;
    if (Dialog) become({Dialog, loss, leave: () => { become(null); goOn(); }, stay: () => become(null)});
    else if (confirm(loss())) goOn();
  });
}

/** Does what makes one leave the page; where something on it would be lost, or something `besides`, once somebody says so. */
export const leaveBy = (go: () => void, besides?: Loss): void => (losses > 0 || besides ? ask(go, besides) : go());

/**
 * Says while something is being written that it is not saved yet, as holdUnsaved() does. Who goes to another page of the console is
 * asked, too, unless the tab goes on with it. What leads on by itself after it was saved says `ignoreBlocker`.
 */
export function useUnsaved(isWriting: boolean, {isKeptInTab = false}: {isKeptInTab?: boolean} = {}): void {
  const router = useRouter();
  const {shell: {leaving: {text}}} = useTexts();
  const latest = useRef(text);  // in another language by then, perhaps
  latest.current = text;
  useEffect(() => (isWriting ? holdUnsaved() : undefined), [isWriting]);
  useEffect(() => {
    if (!isWriting || isKeptInTab) return;
    ++losses;
    ofPage = () => latest.current;
    loadQuestion();
    // A way back that waits for an answer confuses the router: it does not happen, and is gone again.
    const unblock = router.history.block({
      enableBeforeUnload: false,
      blockerFn: ({currentLocation, nextLocation, action}) => {
        if (currentLocation.pathname === nextLocation.pathname) return false;
        const steps = nextLocation.state.__TSR_index - currentLocation.state.__TSR_index;
        ask(() => {
          if (action === 'PUSH' || action === 'REPLACE') void router.navigate({href: nextLocation.href, replace: action === 'REPLACE', ignoreBlocker: true});
          else router.history.go(steps, {ignoreBlocker: true});
        });
        return true;
      },
    });
    return () => {
      unblock();
      if (--losses === 0) leaving?.stay();
    };
  }, [isWriting, isKeptInTab, router]);
}

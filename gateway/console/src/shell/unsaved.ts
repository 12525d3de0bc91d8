import {useEffect, useRef, useSyncExternalStore, type ComponentType} from 'react';
import {useRouter} from '@tanstack/react-router';
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

/** What asks somebody who is about to leave what is not saved; one of both ends it. */
export interface Leaving {
  readonly Dialog: ComponentType<{leaving: Leaving}>;
  /** What would be lost. */
  readonly text: string;
  leave(): void;
  stay(): void;
}

let leaving: Leaving | null = null;
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

type Loss = () => string;

/** What would be lost, in words; and how to ask about it, by the browser itself where the dialog could not be loaded. */
const losses: Loss[] = [];
let Dialog: Leaving['Dialog'] | null = null;
let goOn = () => {};

/** Has leaveBy() ask. Gives back how to end that. */
export function holdLoss(loss: Loss): () => void {
  losses.push(loss);
  // Loaded now: when it is wanted there may be no network, or another version.
  import('./leaving_dialog.tsx').then((file) => Dialog = file.default, () => undefined);
  return () => {
    losses.splice(losses.indexOf(loss), 1);
    if (losses.length === 0) leaving?.stay();
  };
}

function ask(go: () => void): void {
  goOn = go;  // where it asks already, it asks about this
  setTimeout(() => {  // a menu that was pressed closes first
    const text = losses.at(-1)?.();
    if (leaving || text === undefined) return;
    if (Dialog) become({Dialog, text, leave: () => { become(null); goOn(); }, stay: () => become(null)});
    else if (confirm(text)) goOn();
  });
}

/** Does what makes one leave the page; where something would be lost, once somebody says so. */
export const leaveBy = (go: () => void): void => (losses.length > 0 ? ask(go) : go());

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
    const end = holdLoss(() => latest.current);
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
      end();
    };
  }, [isWriting, isKeptInTab, router]);
}

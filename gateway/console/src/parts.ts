import {lazy, type ComponentType} from 'react';
import {hasOtherVersion} from './shell/version.ts';

const kPause = 5_000, kTries = 24;

// While the browser knows of no line it makes no sense to try.
const untilWorthATry = () => new Promise<void>((resolve) => {
  if (navigator.onLine) setTimeout(resolve, kPause);
  else addEventListener('online', () => resolve(), {once: true});
});

/**
 * Loads a file of the console. Where the line is away it is tried again, for two minutes after the line is back. A gateway that has
 * other files by now has this one no more: that is thrown at once, as is a file that fails by itself.
 */
export async function loaded<T>(load: () => Promise<T>, wait = untilWorthATry, isOther = hasOtherVersion): Promise<T> {
  for (let tries = 1; ; ++tries) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof TypeError) || tries === kTries || await isOther()) throw error;
      await wait();
    }
  }
}

/** What is loaded when it is first shown; until then its Suspense shows what stands for it. */
export const part = <M, C extends ComponentType<any>>(load: () => Promise<M>, component: (file: M) => C) =>
  lazy(async () => ({default: component(await loaded(load))}));

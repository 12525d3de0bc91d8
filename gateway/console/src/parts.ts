import {lazy, type ComponentType} from 'react';
import {servedVersion} from './shell/version.ts';

const kPause = 5_000, kTries = 24;

// While the browser knows of no line it makes no sense to try.
const untilWorthATry = () => new Promise<void>((resolve) => {
  if (navigator.onLine) setTimeout(resolve, kPause);
  else addEventListener('online', () => resolve(), {once: true});
});

/**
 * Loads a file of the console. Where the line is away it is tried again, for two minutes after the line is back. It is thrown at once
 * where the gateway has other files by now, or the file fails by itself; and when it fails once more although the gateway is there:
 * some browsers do not ask again for a file that once failed (https://github.com/whatwg/html/issues/6768), until the page is loaded anew.
 */
export async function loaded<T>(load: () => Promise<T>, wait = untilWorthATry, ask = servedVersion): Promise<T> {
  let wasThere = false;
  for (let tries = 1; ; ++tries) {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof TypeError) || tries === kTries) throw error;
      const version = await ask();
      if (version === 'other' || (version === 'same' && wasThere)) throw error;
      wasThere = version === 'same';
      await wait();
    }
  }
}

/** What is loaded when it is first shown; until then its Suspense shows what stands for it. */
export const part = <M, C extends ComponentType<any>>(load: () => Promise<M>, component: (file: M) => C) =>
  lazy(async () => ({default: component(await loaded(load))}));

/** The part of Web Locks that is used. */
export interface Locks {
  request(name: string, options: {steal?: boolean; signal?: AbortSignal}, held: () => Promise<void>): Promise<unknown>;
}

export interface Visibility {
  isVisible(): boolean;
  /** Calls back whenever the tab becomes visible; gives back how to end that. */
  onVisible(callback: () => void): () => void;
}

/**
 * Works in one tab of the browser: in the one that was looked at last, as hidden ones are slowed down and frozen. A tab
 * that becomes visible takes the lock away; the others wait for it, and get it when that one is closed or crashes. `work`
 * ends when its signal aborts.
 */
export async function lead(locks: Locks, tab: Visibility, name: string, signal: AbortSignal,
                           work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  let steals = tab.isVisible();
  while (!signal.aborted) {
    const lost = new AbortController();
    const impatient = new AbortController();
    let isHeld = false;
    const forget = tab.onVisible(() => {
      if (!isHeld) steals = true;
      impatient.abort();
    });
    // The standard lets no signal go with `steal`.
    const options = steals ? {steal: true} : {signal: AbortSignal.any([signal, impatient.signal])};
    try {
      await locks.request(name, options, async () => {
        isHeld = true;
        steals = false;
        if (!signal.aborted) await work(AbortSignal.any([signal, lost.signal]));
      });
      if (!signal.aborted) return;  // the work is done for good
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error;
    } finally {
      lost.abort();
      forget();
    }
  }
}

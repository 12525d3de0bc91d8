/** What a browser keeps by names. What it refuses, as it is full or switched off, is known until the page is left. */
export class KeptByName implements Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  private readonly refused = new Map<string, string>();

  /** A browser may refuse the storage itself. */
  constructor(private readonly of: () => Storage) {}

  getItem(name: string): string | null {
    return this.refused.get(name) ?? orElse(() => this.of().getItem(name), null);
  }

  setItem(name: string, value: string): void {
    try {
      this.of().setItem(name, value);
      this.refused.delete(name);
    } catch {
      this.refused.set(name, value);
    }
  }

  removeItem(name: string): void {
    this.refused.delete(name);
    orElse(() => this.of().removeItem(name), undefined);
  }

  removeAll(prefix: string): void {
    const names = [...this.refused.keys(), ...orElse(() => Object.keys(this.of()), [])];
    for (const name of names) if (name.startsWith(prefix)) this.removeItem(name);
  }
}

function orElse<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** Of this browser, and of this tab. */
export const storage = new KeptByName(() => localStorage);
export const tabStorage = new KeptByName(() => sessionStorage);

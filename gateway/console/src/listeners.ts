/** Who is told that something outside of React has changed. `subscribe` is what useSyncExternalStore() wants. */
export class Listeners {
  private readonly all = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.all.add(listener);
    return () => this.all.delete(listener);
  };

  tell(): void {
    for (const listener of this.all) listener();
  }
}

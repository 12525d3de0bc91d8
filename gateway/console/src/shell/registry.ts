import {useEffect, useRef} from 'react';

/** What mounted parts of the page contribute, the latest last. Each gives its newest value without being registered anew. */
export class Registry<T> {
  private readonly entries = new Set<() => readonly T[]>();

  all(): readonly (readonly T[])[] {
    return [...this.entries].map((each) => each()).reverse();
  }

  add(entry: () => readonly T[]): () => void {
    this.entries.add(entry);
    return () => this.entries.delete(entry);
  }
}

export function useRegistered<T>(registry: Registry<T>, values: readonly T[]): void {
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  });
  useEffect(() => registry.add(() => latest.current), [registry]);
}

import {useCallback, useEffect, useRef, useState, useSyncExternalStore} from 'react';
import {useScope} from '../../api/scope.tsx';
import type {Store} from '../../api/store.ts';
import {Listeners} from '../../listeners.ts';
import {kMostByHand, kNothing, toggled, without, type Selection} from './selection.ts';

const kMostKept = 20;

/** What is selected of the contacts that a filter has. It stays while one is elsewhere, and loses what is deleted. */
class Selections {
  private readonly all = new Map<string, Selection>();
  private readonly listeners = new Listeners();

  constructor(store: Store) {
    store.queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.query.state.data !== null) return;
      const [, organization, kind, id] = event.query.queryKey as readonly string[];
      if (organization === store.organization && kind === 'contact' && id !== undefined)
        for (const [filter, selection] of this.all) this.set(filter, without(selection, id));
    });
  }

  readonly subscribe = this.listeners.subscribe;
  readonly of = (filter: string): Selection => this.all.get(filter) ?? kNothing;

  set(filter: string, selection: Selection): void {
    if (this.of(filter) === selection) return;
    this.all.delete(filter);
    this.all.set(filter, selection);
    for (const first of this.all.keys()) if (this.all.size > kMostKept) this.all.delete(first);
    this.listeners.tell();
  }
}

const kept = new WeakMap<Store, Selections>();

function selectionsOf(store: Store): Selections {
  const known = kept.get(store) ?? new Selections(store);
  kept.set(store, known);
  return known;
}

/** Why a selection did not come about: by hand only so many can be, or not all rows of a range are there yet. */
export type Refusal = 'too many' | 'not loaded';

/** The selection among the contacts of a filter, as rows, keys and buttons change it. */
export function useSelection(filter: string) {
  const selections = selectionsOf(useScope().store);
  const selection = useSyncExternalStore(selections.subscribe, () => selections.of(filter));
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const last = useRef<number | null>(null);
  const select = useCallback((next: Selection) => {
    last.current = null;
    setRefusal(null);
    selections.set(filter, next);
  }, [selections, filter]);
  useEffect(() => {
    last.current = null;
    setRefusal(null);
  }, [filter]);
  const clear = useCallback(() => select(kNothing), [select]);
  const selectAll = useCallback(() => select({kind: 'all'}), [select]);
  /** `between`: the ids from the row that was toggled last to this one, for a range. */
  const toggle = useCallback((row: number, id: string, between?: (from: number) => readonly string[]) => {
    const from = between ? last.current ?? row : row;
    const ids = between && from !== row ? between(from) : [id];
    const size = Math.abs(row - from) + 1;
    const next = size > kMostByHand ? null : toggled(selections.of(filter), id, ids);
    if (next === null) return setRefusal('too many');
    if (ids.length < size) return setRefusal('not loaded');
    setRefusal(null);
    last.current = row;
    selections.set(filter, next);
  }, [selections, filter]);
  return {selection, refusal, closeRefusal: useCallback(() => setRefusal(null), []), clear, selectAll, toggle};
}

import {useEffect, useReducer, useRef} from 'react';
import {useScope} from '../../api/scope.tsx';
import type {Rows} from './rows.ts';

/** Draws rows again when their contacts change, by one look at the cache for all of them, once a frame. */
export function useVisible(rows: Rows, from: number, to: number): void {
  const {store} = useScope();
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const seen = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    seen.current = new Set(rows.between(from, to));
  });
  useEffect(() => {
    let frame = 0;
    const leave = store.queries.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated') return;
      const [, organization, kind, id] = event.query.queryKey as readonly string[];
      if (organization !== store.organization || kind !== 'contact' || id === undefined) return;
      if (!seen.current.has(id)) return;
      if (event.action.type === 'invalidate') rows.outdate(id);
      else frame ||= requestAnimationFrame(() => {
        frame = 0;
        draw();
      });
    });
    return () => {
      leave();
      cancelAnimationFrame(frame);
    };
  }, [store, rows]);
}

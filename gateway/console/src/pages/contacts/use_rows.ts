import {useEffect, useLayoutEffect, useMemo, useSyncExternalStore} from 'react';
import {hashKey} from '@tanstack/react-query';
import {mayRepeat, pauseBefore} from '../../api/client.ts';
import {contactsFamily, useContacts, type ContactsFilter} from '../../api/contacts.ts';
import type {Taker} from '../../api/entities.ts';
import {useScope, type Scope} from '../../api/scope.tsx';
import type {Store} from '../../api/store.ts';
import {kRowsPerPage, Rows, type LoadPage} from './rows.ts';

/** What was loaded of the last few lists stays, so that coming back shows it at once. */
const kept = new WeakMap<Store, Map<string, {rows: Rows; begun: number}>>();
const kMostKept = 4;

function keptRows(scope: Scope, listing: ContactsFilter) {
  const all = kept.get(scope.store) ?? new Map<string, {rows: Rows; begun: number}>();
  kept.set(scope.store, all);
  const name = hashKey([listing]);
  const known = all.get(name) ?? {rows: new Rows(loaderOf(scope, listing), (id) => scope.store.get('contact', id) !== undefined), begun: 0};
  all.delete(name);
  all.set(name, known);
  for (const other of all.keys()) if (all.size > kMostKept) all.delete(other);
  return known;
}

/** All rows of a listing, of which those in view are loaded. The first page is a list as others are, so events reach it. */
export function useRows(listing: ContactsFilter) {
  const scope = useScope();
  const first = useContacts(listing);
  const name = hashKey([listing]);
  const known = useMemo(() => keptRows(scope, listing), [scope, name]);
  const {rows} = known;
  useLayoutEffect(() => {
    if (first.asOf === 0 || first.total === null || known.begun === first.asOf) return;
    known.begun = first.asOf;
    rows.begin({ids: first.ids.slice(0, kRowsPerPage), next: null, total: first.total});
  });
  useEffect(() => {
    rows.release();
    return () => rows.hold();
  }, [rows]);
  useSyncExternalStore(rows.subscribe, rows.snapshot);
  useEffect(() => {
    if (rows.isShorter) void first.refresh();
  }, [rows.isShorter]);
  return {first, rows};
}

/** Of a page that only leads on, its cursor is enough. */
const kNowhere: Taker = {take: (_kind, value) => value};

function loaderOf(scope: Scope, listing: ContactsFilter): LoadPage {
  let pages = 0;
  const load: LoadPage = async ({isReversed, skip, cursor, isOnTheWay}, signal) => {
    const order = isReversed ? (listing.order === 'asc' ? 'desc' : 'asc') : listing.order!;
    const paging = {per_page: isOnTheWay ? 1 : kRowsPerPage, ...(skip > 0 && {skip}), ...(cursor !== undefined && {cursor})};
    const {ids, meta} = await contactsFamily.load(scope, {...listing, order}, paging, isOnTheWay ? kNowhere : scope.store.asking(), signal);
    if (++pages % 10 === 0) scope.store.sweep();
    return {ids, next: meta.nextCursor, total: meta.total ?? null};
  };
  return async (ask, signal) => {
    for (let count = 0;; ++count) {
      try {
        return await load(ask, signal);
      } catch (error) {
        const now = scope.wire.now();
        if (signal.aborted || !mayRepeat(count, error, now)) throw error;
        await pause(pauseBefore(count, error, now, Math.random), signal);
      }
    }
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}

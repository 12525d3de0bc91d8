import {useCallback, useEffect, useRef} from 'react';
import {
  infiniteQueryOptions, notifyManager, queryOptions, useInfiniteQuery, useMutation, useQuery, type Query, type QueryKey,
  type UseMutationOptions,
} from '@tanstack/react-query';
import type {paths} from '#schema';
import {pauseAfter, take, takeChange, type Answer, type Called, type Context} from './client.ts';
import {type Entities, type Kind, type Taker} from './entities.ts';
import {ApiProblem, type Versioned} from './problem.ts';
import {useScope, type Scope} from './scope.tsx';
import {useSlowly} from './slowly.ts';
import {keys, kFiveMinutes, type Newer, type Page, type Pages} from './store.ts';

type Gets = {[P in keyof paths]: paths[P] extends {get: {parameters: {query?: infer Q}}} ? NonNullable<Q> : never};
/** The filters and the order of a list, without its paging. */
export type Filter<P extends keyof paths> = Omit<Gets[P], 'skip' | 'page' | 'per_page' | 'limit' | 'cursor'>;

// ---- lists ----------------------------------------------------------------------------------------------------------

export interface Paging {
  per_page: number;
  cursor?: string;
  /** Records to leave out, behind the cursor if there is one: 10,000 at most. */
  skip?: number;
}

interface Listed {
  readonly ids: string[];
  readonly meta: {readonly nextCursor: string | null; readonly total?: number};
  readonly degraded: readonly Context[];
}

/** A list of the API: how a page of it is asked for and taken in. */
export interface Family<F> {
  readonly name: string;
  readonly perPage: number;
  load(scope: Scope, filter: F, paging: Paging, into: Taker, signal: AbortSignal): Promise<Listed>;
}

/** `call` asks for a page, `take` takes in what it has. */
export function family<F, T extends {readonly paginationMeta: Listed['meta']}>(
  name: string,
  perPage: number,
  call: (scope: Scope, filter: F, paging: Paging, signal: AbortSignal) => Called<T>,
  take: (into: Taker, data: T, degraded: readonly Context[]) => readonly {readonly uniqueId: string}[],
): Family<F> {
  return {
    name,
    perPage,
    async load(scope, filter, paging, into, signal) {
      const {data, degraded} = await ask(scope, call(scope, filter, paging, signal));
      const all = notifyManager.batch(() => take(into, data, degraded));  // what shows them renders once
      return {ids: all.map((each) => each.uniqueId), meta: data.paginationMeta, degraded};
    },
  };
}

export function pagesOptions<F>(scope: Scope, family: Family<F>, filter: F) {
  const {store} = scope;
  const queryKey = keys.pages(scope.organization, family.name, filter);
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: null as string | null,
    gcTime: kFiveMinutes,
    refetchOnMount: false,
    queryFn: async ({pageParam, signal}): Promise<Page> => {
      store.remember(queryKey);
      const paging = {per_page: family.perPage, ...(pageParam !== null && {cursor: pageParam})};
      const {ids, meta, degraded} = await family.load(scope, filter, paging, store.asking(), signal);
      store.sweep();
      return {ids, next: meta.nextCursor, total: meta.total ?? null, degraded};
    },
    // It wraps a whole fetch, of which `queryFn` asks for the pages; its type has a page where it gets and gives all of them.
    persister: ((load: () => Promise<Pages>, _: unknown, query: Query) => store.fetching(query, load)) as never,
    getNextPageParam: (last: Page) => last.next,
    // A next page that failed is asked for again by itself (useList), not with all that are there.
    refetchInterval: ({state}) => !state.fetchMeta?.fetchMore && pauseAfter(state.error, [], scope.wire.now()),
  });
}

function joined(pages: Pages) {
  return {
    ids: [...new Set(pages.pages.flatMap((page) => page.ids))],
    total: pages.pages[0]?.total ?? null,
    degraded: [...new Set(pages.pages.flatMap((page) => page.degraded))],
  };
}

/**
 * A list by its ids, and when it was loaded (0: never). At its end there is `more()` for a press, and `ahead()` for whoever comes near it,
 * which does not repeat what has just failed; `newer` and `refresh()`, which gives back its total, are for what came while it is shown.
 */
export function useList<F>(family: Family<F>, filter: F, enabled = true) {
  const scope = useScope();
  const options = pagesOptions(scope, family, filter);
  const query = useInfiniteQuery({...options, select: joined, enabled});
  const newer = useQuery(newerOptions(scope, family.name, filter)).data;
  const {fetchNextPage, hasNextPage, isFetchingNextPage, isFetching} = query;
  // What is on its way is not given up: it may be all of the list, with what was missed.
  const more = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage({cancelRefetch: false});
  }, [fetchNextPage, hasNextPage, isFetching]);
  const failure = query.isFetchNextPageError ? query.error : null;
  const ahead = useCallback(() => {
    if (!failure) more();
  }, [failure, more]);
  useEffect(() => {
    const pause = failure && pauseAfter(failure, [], scope.wire.now());
    if (!pause) return;
    const timer = setTimeout(more, pause);
    return () => clearTimeout(timer);
  }, [failure, more, scope]);
  const refresh = async () => {
    await scope.store.refresh(options.queryKey);
    return scope.store.queries.getQueryData<Pages>(options.queryKey)?.pages[0]?.total ?? null;
  };
  const rest = {newer, asOf: query.dataUpdatedAt, ...(failure && {retry: more}), hasMore: hasNextPage, isLoadingMore: isFetchingNextPage, more, ahead, refresh};
  return {...useStateOf(query), ...(query.data ?? kEmpty), ...rest};
}

/**
 * A list in which words are looked for: by the page, which has all of it or its first part; the service finds what is further
 * behind, a moment later.
 */
export function useSearchedList<F extends {search?: string}>(family: Family<F>, filter: F, words: string, enabled = true) {
  const all = useList(family, filter, enabled);
  const asked = useSlowly(words);
  const found = useList(family, {...filter, search: asked}, enabled && all.hasMore && asked !== '');
  if (!all.hasMore || asked === '' || asked !== words || found.isLoading) return all;
  // Where the search failed, what is known is shown, and that there may be more.
  return found.problem && found.ids.length === 0 ? {...all, problem: found.problem, retry: found.retry} : found;
}

const kEmpty = {ids: [] as string[], total: null, degraded: [] as Context[]};

function newerOptions(scope: Scope, family: string, filter: unknown) {
  const initialData: Newer = {ids: [], isChanged: false};
  const queryKey: QueryKey = keys.newer(scope.organization, family, filter);
  return queryOptions<Newer, Error, Newer, QueryKey>({queryKey, queryFn: () => initialData, initialData, enabled: false});
}

// ---- entities and other parts ---------------------------------------------------------------------------------------

export interface State {
  /** Nothing is there yet. */
  isLoading: boolean;
  problem: ApiProblem | null;
  /** It is tried again by itself, at this moment if that is known: for a countdown. */
  triesAgainAt: number | null;
  /** Waits for the network. */
  isOffline: boolean;
  retry(): void;
}

interface Queried {
  isPending: boolean;
  error: Error | null;
  errorUpdateCount: number;
  failureReason: Error | null;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  refetch(): unknown;
}

function useStateOf(query: Queried): State {
  const failed = query.fetchStatus === 'idle' ? null : query.failureReason;
  // What failed is asked for again by itself: its problem stays until that has an end, unless somebody presses Retry.
  const last = useRef<ApiProblem | null>(null);
  if (query.error instanceof ApiProblem) last.current = query.error;
  const isAgain = query.isPending && query.errorUpdateCount > 0 && last.current !== null;
  const isLimited = query.isPending && failed instanceof ApiProblem && failed.status === 429;
  const problem = query.error ?? (isLimited ? failed : isAgain ? last.current : null);
  return {
    isLoading: query.isPending && query.fetchStatus !== 'idle' && !isAgain && !isLimited,
    problem: problem instanceof ApiProblem ? problem : null,
    triesAgainAt: failed instanceof ApiProblem ? failed.retryAt : null,
    isOffline: query.fetchStatus === 'paused',
    retry: () => {
      last.current = null;
      void query.refetch();
    },
  };
}

/** How a single entity is read. */
export type Load<K extends Kind> = (scope: Scope, id: string, into: Taker, signal?: AbortSignal) =>
  Promise<Answer<Entities[K]>>;

type Read = {params: {path: {id: string}}; signal?: AbortSignal};

/** `call` asks for an entity by its id, `take` takes it in. */
export function loadBy<K extends Kind, T>(
  call: (scope: Scope, request: Read) => Called<T>,
  take: (into: Taker, data: T, degraded: readonly Context[]) => Entities[K],
): Load<K> {
  return async (scope, id, into, signal) => {
    const {data, ...rest} = await ask(scope, call(scope, {params: {path: {id}}, ...(signal && {signal})}));
    return {data: take(into, data, rest.degraded), ...rest};
  };
}

export function entityOptions<K extends Kind>(scope: Scope, kind: K, id: string, load: Load<K>) {
  return queryOptions<Entities[K] | null, Error, Entities[K] | null, QueryKey>({
    queryKey: keys.entity(scope.organization, kind, id),
    queryFn: async ({signal}) => {
      try {
        const {data, version} = await load(scope, id, scope.store.asking(), signal);
        scope.store.setVersion(kind, id, version);
        const known = scope.store.get(kind, id);
        return known === undefined ? data : known;
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 404) return null;
        throw error;
      }
    },
  });
}

interface EntityOptions<K extends Kind> {
  /** Whether it may be asked for; what is known of it is shown all the same. */
  enabled?: boolean;
  /** How long until it is asked for again, by what is known of it (ms). */
  every?: (value: Entities[K] | null | undefined) => number | false;
}

/** An entity: undefined while it is not known, null if there is no such one (any more). It is read if it is not known. */
export function useEntity<K extends Kind>(kind: K, id: string | null, load: Load<K>,
                                          {enabled = true, every}: EntityOptions<K> = {}) {
  const scope = useScope();
  const refetchInterval = ({state}: {state: {data: Entities[K] | null | undefined; error: Error | null}}) =>
    state.error ? pauseAfter(state.error, [], scope.wire.now()) : every?.(state.data) ?? false;
  const query = useQuery({...entityOptions(scope, kind, id ?? '', load), enabled: id !== null && enabled, refetchInterval});
  return {...useStateOf(query), value: query.data, version: id === null ? null : scope.store.version(kind, id)};
}

/** An entity and its version as they are at this moment, for a form that is opened or a 412. */
export async function readVersioned<K extends Kind>(scope: Scope, kind: K, id: string, load: Load<K>):
  Promise<Versioned<Entities[K]>> {
  const {data, version} = await load(scope, id, scope.store.asking());
  scope.store.setVersion(kind, id, version);
  return {value: data, version};
}

/** A change that is made from what there is: where somebody else was faster (412) it begins once more, three times at most. */
export async function fromCurrent<T>(attempt: () => Promise<T>): Promise<T> {
  for (let turn = 0;; ++turn) {
    try {
      return await attempt();
    } catch (error) {
      if (turn > 2 || !(error instanceof ApiProblem && error.status === 412)) throw error;
    }
  }
}

/**
 * A part of a page that is no list and no entity, such as counts. `degraded` says what of it is unknown. `isFresh`: no event
 * tells of it, so it is asked for whenever it comes into view.
 */
export function usePart<T>(name: readonly unknown[], load: (scope: Scope, signal: AbortSignal) => Promise<Answer<T>>,
                           options: {enabled?: boolean; every?: number | false; isFresh?: boolean} = {}) {
  const scope = useScope();
  const query = useQuery({
    queryKey: keys.part(scope.organization, ...name),
    queryFn: ({signal}) => load(scope, signal),
    enabled: options.enabled ?? true,
    refetchInterval: ({state}) => pauseAfter(state.error, state.data?.degraded ?? [], scope.wire.now()) || (options.every ?? false),
    ...(options.isFresh && {gcTime: 0, staleTime: 0}),
  });
  return {...useStateOf(query), value: query.data?.data, degraded: query.data?.degraded ?? []};
}

// ---- changes --------------------------------------------------------------------------------------------------------

export interface ChangeOptions<V, T> {
  /** Shows the change before it is answered; gives back how to undo that. */
  expect?(scope: Scope, value: V): () => void;
  done?(scope: Scope, answer: T, value: V): void;
}

interface Keyed<V> {
  value: V;
  key: string;
}

/**
 * A change with its `Idempotency-Key`: `change()` makes a new one, `again()` repeats the last one with the same, so that
 * what may have been done is not done twice.
 */
export function useKeyed<V, T>(newKey: () => string, options: UseMutationOptions<T, Error, Keyed<V>, () => void>) {
  const mutation = useMutation(options);
  const {mutateAsync, variables, isPending, failureReason, error} = mutation;
  return {
    change: (value: V) => mutateAsync({value, key: newKey()}),
    again: () => (variables ? mutateAsync(variables) : Promise.reject(new Error('nothing to repeat'))),
    isUnderWay: isPending,
    isDone: mutation.isSuccess,
    answer: mutation.data,
    problem: error instanceof ApiProblem ? error : null,
    /** It is tried again by itself, at this moment: for a countdown. */
    triesAgainAt: isPending && failureReason instanceof ApiProblem ? failureReason.retryAt : null,
    isOffline: mutation.isPaused,
    reset: mutation.reset,
  };
}

/** A change in an organization. `change()` and `again()` reject with the problem that `problem` has then. */
export function useChange<V, T>(run: (scope: Scope, value: V, key: string) => Promise<T>, options: ChangeOptions<V, T> = {}) {
  const scope = useScope();
  return useKeyed<V, T>(scope.wire.newKey, {
    mutationFn: ({value, key}) => run(scope, value, key),
    onMutate: ({value}) => options.expect?.(scope, value) ?? (() => {}),
    onError: (_error, _variables, undo) => undo?.(),
    onSuccess: (answer, {value}) => options.done?.(scope, answer, value),
  });
}

type Named = Pick<Family<never>, 'name'>;

/** What is changed, as it was seen; with `null` for a version whatever it is by now. */
export interface Seen {
  id: string;
  version: string | null;
}

// No interfaces: openapi-fetch wants an index.
export type Creating<B> = {headers: Record<string, string>; body: B};
type Deleting = {params: {path: {id: string}}; headers: Record<string, string>};
export type Updating<B> = Deleting & Creating<B>;

/** Makes an entity, which its lists have then. */
export function useCreate<E, B, T>({name}: Named, call: (scope: Scope, request: Creating<B>) => Called<T>, take: (into: Taker, data: T) => E) {
  return useChange(async (scope, body: B, key) => {
    const into = scope.store.asking();
    return take(into, (await ask(scope, call(scope, {headers: {...changeHeaders(key)}, body}))).data);
  }, {done: (scope) => scope.store.refreshLists(name)});
}

/** Changes an entity as it was seen. */
export function useUpdate<K extends Kind, B, T>(
  kind: K,
  load: Load<K>,
  call: (scope: Scope, request: Updating<B>) => Called<T>,
  take: (into: Taker, data: T) => Entities[K],
  expect?: (body: B) => Partial<Entities[K]>,
) {
  return useChange(async (scope, {id, version, body}: Seen & {body: B}, key) => {
    const into = scope.store.asking();
    const asked = ask(scope, call(scope, {params: {path: {id}}, headers: {...changeHeaders(key, version)}, body}));
    return take(into, (await takeChange(asked, () => readVersioned(scope, kind, id, load))).data);
  }, {
    ...(expect && {expect: (scope: Scope, {id, body}: Seen & {body: B}) => scope.store.expect(kind, id, expect(body))}),
    done: (scope, _, {id}) => scope.store.stale(kind, id),  // its version is another one now
  });
}

/** Deletes an entity as it was seen. */
export function useDelete<K extends Kind>(kind: K, {name}: Named, load: Load<K>, call: (scope: Scope, request: Deleting) => Called<unknown>) {
  return useChange(async (scope, {id, version}: Seen, key) => {
    const asked = ask(scope, call(scope, {params: {path: {id}}, headers: {...changeHeaders(key, version)}}));
    await takeChange(asked, () => readVersioned(scope, kind, id, load));
  }, {
    done: (scope, _, {id}) => {
      scope.store.removeFromLists(name, id);
      scope.store.gone(kind, id);
    },
  });
}

/** Header fields of a change. */
export function changeHeaders(key: string, version?: string | null): {'Idempotency-Key': string; 'If-Match'?: string} {
  return {'Idempotency-Key': key, ...(version && {'If-Match': version})};
}

/** Calls and takes the answer. */
export function ask<T>(scope: Scope, call: Called<T>): Promise<Answer<T>> {
  return take(scope.wire, call);
}

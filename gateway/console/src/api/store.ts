import {hashKey, type InfiniteData, type Query, type QueryClient, type QueryKey} from '@tanstack/react-query';
import type {Context} from './client.ts';
import type {Entities, Kind, Taker} from './entities.ts';

/** A page holds ids; the entities live once, by id. */
export interface Page {
  readonly ids: string[];
  readonly next: string | null;
  /** `null`: not counted. */
  readonly total: number | null;
  readonly degraded: readonly Context[];
}
export type Pages = InfiniteData<Page, string | null>;

/** What came to a list while it is shown: it does not move by itself. */
export interface Newer {
  readonly ids: readonly string[];
  /** Something else may be different, too: which rows is not told. */
  readonly isChanged: boolean;
}

const kNothingNewer: Newer = {ids: [], isChanged: false};
const kNoPages: Pages = {pages: [], pageParams: []};
/** For what can be had again. */
export const kFiveMinutes = 5 * 60_000;
const kMostNewer = 1000;
const kMostEarly = 1000;
/** How many of a kind are kept that nothing needs just now. Messages come by themselves. */
const roomFor = (kind: Kind) => kind === 'message' ? 2000 : 10_000;
const kMostPagesReloaded = 5;

/** What an `ETag` does not tell of. */
const kUnversioned = new Set(['numberOfUnreadMessages', 'totalMessages', 'newestMessageId', 'serviceWindowEndsAt', 'progress']);

/** Which event told a field last, and when it was heard here. */
interface Stamp {
  readonly order: number;
  readonly tick: number;
}
type Marks = Record<string, Stamp>;

/** Puts something into a list, or takes it out; done again it changes nothing. */
type Edit = (pages: Pages) => Pages;

/** Keys of Query's cache. Everything of an organization is below `['o', ID]`. */
export const keys = {
  organization: (organization: string) => ['o', organization] as const,
  entity: (organization: string, kind: Kind, id: string) => ['o', organization, kind, id] as const,
  pages: (organization: string, family: string, filter: unknown) => ['o', organization, 'pages', family, filter] as const,
  newer: (organization: string, family: string, filter: unknown) => ['o', organization, 'newer', family, filter] as const,
  part: (organization: string, ...name: readonly unknown[]) => ['o', organization, 'part', ...name] as const,
};

/**
 * What is known of an organization, in Query's cache. Answers and events meet here: an answer that was asked for before
 * an event came must not undo what that told, and an event that comes twice or late changes nothing.
 */
export class Store {
  private tick = 0;
  private readonly versions = new Map<string, string>();
  private readonly marks = new Map<string, Marks>();
  /** What was told of entities that are not known: an answer that is on its way may have them, and be older. */
  private readonly early = new Map<string, Record<string, unknown> | null>();
  private readonly known = new Map<string, Map<string, QueryKey>>();
  /** For each list that is on its way: what was done to it meanwhile. */
  private readonly underWay = new Set<{readonly list: string; readonly edits: Edit[]}>();
  /** Parts that are asked for again as soon as the answer that is on its way has come. */
  private readonly isNext = new WeakSet<Query>();

  constructor(
    readonly queries: QueryClient,
    readonly organization: string,
  ) {
    // Presence comes of all conversations, and each search is a list.
    for (const kind of ['part', 'newer']) queries.setQueryDefaults([...keys.organization(organization), kind], {gcTime: kFiveMinutes});
  }

  /** Undefined: not known; null: it is no more. */
  get<K extends Kind>(kind: K, id: string): Entities[K] | null | undefined {
    return this.queries.getQueryData<Entities[K] | null>(keys.entity(this.organization, kind, id));
  }

  // ---- answers ------------------------------------------------------------------------------------------------------

  /** To be called before asking: what events tell from now on is newer than the answer. */
  asking(): Taker & {readonly since: number} {
    const since = this.tick;
    return {since, take: (kind, value) => this.take(kind, value, since)};
  }

  take<K extends Kind>(kind: K, value: Entities[K], since: number): Entities[K] {
    const [id, place] = [idOf(value), placeOf(kind, idOf(value))];
    const known = this.get(kind, id);
    const told = known === undefined ? this.early.get(place) : known as Record<string, unknown> | null;
    if (told === null) return value;  // an older answer: ids do not come back
    const kept: Record<string, unknown> = {};
    for (const [field, stamp] of Object.entries(this.marks.get(place) ?? {}))
      if (stamp.tick > since && told && field in told) kept[field] = told[field];
    this.early.delete(place);
    const merged = {...known, ...value, ...kept};
    this.write(kind, id, merged, Object.keys(merged).every((field) => field in value));
    return merged;
  }

  /** The version for `If-Match` of what `get` has, if it is known. */
  version(kind: Kind, id: string): string | null {
    return this.versions.get(placeOf(kind, id)) ?? null;
  }

  setVersion(kind: Kind, id: string, version: string | null): void {
    if (version) this.versions.set(placeOf(kind, id), version);
    else this.versions.delete(placeOf(kind, id));
  }

  /** It is no more. One that is not known, and that nothing shown needs, an answer that is on its way may still have. */
  gone(kind: Kind, id: string, isNeeded = true): void {
    const place = placeOf(kind, id);
    if (!isNeeded && this.get(kind, id) === undefined) return this.rememberEarly(place, null);
    this.marks.delete(place);
    this.queries.setQueryData(keys.entity(this.organization, kind, id), null);
  }

  /** A change that is expected to succeed. Gives back how to undo what of it nothing newer has told otherwise. */
  expect<K extends Kind>(kind: K, id: string, fields: Partial<Entities[K]>): () => void {
    const before = this.get(kind, id) as Record<string, unknown> | null | undefined;
    if (!before) return () => {};
    const since = this.tick;
    this.write(kind, id, {...before, ...fields} as Entities[K]);
    return () => {
      const now = this.get(kind, id) as Record<string, unknown> | null | undefined;
      const marks = this.marks.get(placeOf(kind, id)) ?? {};
      const isStill = ([field, value]: [string, unknown]) =>
        (marks[field]?.tick ?? 0) <= since && hashKey([now?.[field]]) === hashKey([value]);
      const undone = Object.entries(fields).filter(isStill).map(([field]) => [field, before[field]]);
      if (now) this.write(kind, id, {...now, ...Object.fromEntries(undone)} as Entities[K]);
      this.stale(kind, id);  // it may have been done all the same
    };
  }

  // ---- events -------------------------------------------------------------------------------------------------------

  /** Begins an event: what follows is heard now. */
  hear(): void {
    ++this.tick;
  }

  /**
   * Fields that an event of this order tells. Each field is as the latest event has it, in whatever order they come. An
   * entity that is not known becomes so only by a whole one that something shown needs.
   */
  tell<K extends Kind>(kind: K, id: string, order: number, fields: Partial<Entities[K]>, isNeeded = false): void {
    const place = placeOf(kind, id);
    const known = this.get(kind, id);
    const told = known === undefined ? this.early.get(place) : known as Record<string, unknown> | null;
    if (told === null) return;
    const marks = this.marks.get(place) ?? {};
    const stamp = {order, tick: this.tick};
    const newer: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(fields)) {
      if ((marks[field]?.order ?? -1) > order) continue;
      newer[field] = value;
      marks[field] = stamp;
    }
    this.marks.set(place, marks);
    if (known === undefined && !isNeeded) return this.rememberEarly(place, {...told, ...newer});
    this.early.delete(place);
    const isOther = (field: string) => !kUnversioned.has(field) && hashKey([told?.[field]]) !== hashKey([newer[field]]);
    if (Object.keys(newer).some(isOther)) this.versions.delete(place);
    this.write(kind, id, {...told, ...newer} as Entities[K]);
  }

  private rememberEarly(place: string, told: Record<string, unknown> | null): void {
    this.early.delete(place);
    this.early.set(place, told);
    if (this.early.size <= kMostEarly) return;
    const [oldest = ''] = this.early.keys();
    this.early.delete(oldest);
    this.marks.delete(oldest);
  }

  /** Whether an entity is here, or on its way. */
  isAsked(kind: Kind, id: string): boolean {
    const state = this.queries.getQueryState(keys.entity(this.organization, kind, id));
    return Boolean(state?.data) || (state !== undefined && state.fetchStatus !== 'idle');
  }

  /** Makes what is shown of an entity be asked for again. */
  stale(kind: Kind, id: string): void {
    const query = this.queries.getQueryCache().get(hashKey(keys.entity(this.organization, kind, id)));
    if (query) void fetchAnew(query);
  }

  /** The same with parts of pages whose names begin so. Events touch them often: an answer that is on its way comes first. */
  stalePart(...name: readonly unknown[]): void {
    for (const query of this.queries.getQueryCache().findAll({queryKey: keys.part(this.organization, ...name)})) void this.fetchNext(query);
  }

  /** Once for all that wait: an answer that takes longer than the pause between events would never come if it was given up. */
  private async fetchNext(query: Query): Promise<void> {
    if (this.isNext.has(query)) return;
    if (query.state.fetchStatus === 'fetching') {
      this.isNext.add(query);
      await query.fetch().catch(() => undefined);
      this.isNext.delete(query);
    }
    await fetchAnew(query);
  }

  // ---- lists --------------------------------------------------------------------------------------------------------

  /** To be called when a list is asked for. They are few among all that is cached, and each event looks at them. */
  remember(key: QueryKey): void {
    const family = key[3] as string;
    const known = this.known.get(family) ?? new Map<string, QueryKey>();
    this.known.set(family, known.set(hashKey(key), key));
  }

  /** Those that are shown, kept for coming back to them, or on their way: these are empty. */
  lists(family: string): {key: QueryKey; filter: unknown; pages: Pages}[] {
    const known = this.known.get(family) ?? new Map<string, QueryKey>();
    const found: {key: QueryKey; filter: unknown; pages: Pages}[] = [];
    for (const [hash, key] of known) {
      const query = this.queries.getQueryCache().get<Pages>(hash);
      if (!query) known.delete(hash);
      else found.push({key, filter: key[4], pages: query.state.data ?? kNoPages});
    }
    return found;
  }

  /** Whether a list is shown, or kept for coming back to it, or on its way. */
  hasList(family: string, filter: unknown): boolean {
    return this.queries.getQueryState(keys.pages(this.organization, family, filter)) !== undefined;
  }

  /** Puts an id into a list that grows at its newer end, as a thread does; `isBefore` is the list's order. */
  insert(family: string, filter: unknown, id: string, isBefore: (other: string) => boolean): void {
    this.edit(keys.pages(this.organization, family, filter), (pages) => inserted(pages, id, isBefore));
  }

  private edit(key: QueryKey, edit: Edit): void {
    const list = hashKey(key);
    for (const each of this.underWay) if (each.list === list) each.edits.push(edit);
    const pages = this.queries.getQueryData<Pages>(key);
    const edited = pages && edit(pages);
    if (edited && edited !== pages) this.put(key, edited);
  }

  /**
   * A fetch of a list: of all its pages, or of the next one. What was put in and taken out meanwhile holds for what came,
   * too, and may be in it. Query itself would go on from the pages that were there as it began.
   */
  async fetching(query: Query, load: () => Promise<Pages>): Promise<Pages> {
    const own = {list: query.queryHash, edits: [] as Edit[]};
    this.underWay.add(own);
    try {
      const came = await load();
      const there = query.state.data as Pages | undefined;
      const isNext = there && query.state.fetchMeta?.fetchMore;
      const pages = isNext
        ? {pages: [...there.pages, ...came.pages.slice(-1)], pageParams: [...there.pageParams, ...came.pageParams.slice(-1)]}
        : came;
      const first = pages.pages[0]?.ids ?? [];
      const isOnTop = (id: string, newer: Newer) => first.slice(0, newer.ids.length).includes(id);
      if (!isNext) this.updateNewer(query.queryKey, (newer) => newer.ids.length === 0 ? newer
        : {...newer, ids: newer.ids.filter((id) => !isOnTop(id, newer))});
      return own.edits.reduce((all, edit) => edit(all), pages);
    } finally {
      this.underWay.delete(own);
    }
  }

  /** Takes a row out of a list at once: for what one has just done oneself. */
  remove(key: QueryKey, id: string): void {
    this.edit(key, (pages) => removed(pages, id));
    this.updateNewer(key, (newer) => newer.ids.includes(id) ? {...newer, ids: newer.ids.filter((each) => each !== id)} : newer);
  }

  removeFromLists(family: string, id: string): void {
    for (const {key} of this.lists(family)) this.remove(key, id);
  }

  refreshLists(family: string): void {
    for (const {key} of this.lists(family)) void this.refresh(key);
  }

  newer(key: QueryKey): Newer {
    return this.queries.getQueryData<Newer>(newerKeyOf(key)) ?? kNothingNewer;
  }

  updateNewer(key: QueryKey, change: (newer: Newer) => Newer): void {
    const before = this.newer(key);
    const after = change(before);
    if (after.ids.length <= kMostNewer && after !== before) this.queries.setQueryData(newerKeyOf(key), after);
  }

  /** Loads a list anew from its beginning: what was newer is in it then. */
  async refresh(key: QueryKey, pages = 1): Promise<void> {
    this.queries.setQueryData<Newer>(newerKeyOf(key), kNothingNewer);
    this.queries.setQueryData<Pages>(key, (known) => known && {
      pages: known.pages.slice(0, pages),
      pageParams: known.pageParams.slice(0, pages),
    });
    const query = this.queries.getQueryCache().get(hashKey(key));
    if (query) await fetchAnew(query);
  }

  /** Loads anew all that is shown: something was missed. What is not shown is asked for when it is. */
  async reload(): Promise<void> {
    this.marks.clear();
    this.early.clear();
    const all = this.queries.getQueryCache().findAll({queryKey: keys.organization(this.organization)});
    const others = all.filter((query) => query.queryKey[2] !== 'pages' && query.queryKey[2] !== 'newer');
    for (const query of others) query.invalidate();
    const lists = all.filter((query) => query.queryKey[2] === 'pages');
    for (const list of lists) if (!list.isActive()) list.reset();
    await Promise.all(lists.filter((list) => list.isActive()).map((list) => this.refresh(list.queryKey, kMostPagesReloaded)));
    // The rows are as the pages have them now: only what these did not bring is asked for by itself.
    await Promise.all(others.filter((query) => query.isActive() && query.isStale()).map(fetchAnew));
  }

  // ---- room ---------------------------------------------------------------------------------------------------------

  /** Forgets the entities that were longest not needed, beyond those that have room. Rows ask for theirs again. */
  sweep(mostOf: (kind: Kind) => number = roomFor): void {
    const idle = new Map<Kind, Query[]>();
    for (const query of this.queries.getQueryCache().findAll({queryKey: keys.organization(this.organization)})) {
      if (!isEntity(query.queryKey) || query.getObserversCount() > 0) continue;
      const kind = query.queryKey[2] as Kind;
      const known = idle.get(kind);
      if (known) known.push(query);
      else idle.set(kind, [query]);
    }
    for (const [kind, all] of idle) {
      if (all.length <= mostOf(kind)) continue;
      all.sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
      for (const query of all.slice(0, all.length - Math.floor(mostOf(kind) / 2))) this.forget(kind, query);
    }
  }

  private forget(kind: Kind, query: Query): void {
    const place = placeOf(kind, query.queryKey[3] as string);
    this.marks.delete(place);
    this.versions.delete(place);
    this.queries.getQueryCache().remove(query);
  }

  private write<K extends Kind>(kind: K, id: string, value: Entities[K], isWhole = false): void {
    const key = keys.entity(this.organization, kind, id);
    if (isWhole) this.queries.setQueryData(key, value);
    else this.put(key, value);
  }

  /** Writes what is no whole answer: what was to be asked for again, as it is old or could not be loaded, still is. */
  private put(key: QueryKey, value: unknown): void {
    const before = this.queries.getQueryState(key);
    this.queries.setQueryData(key, value);
    if (!before) return;
    const {data, status, error, isInvalidated} = before;
    const isFailed = status === 'error' && data !== undefined;
    if (isFailed || isInvalidated) this.queries.getQueryCache().get(hashKey(key))?.setState({...(isFailed && {status, error}), isInvalidated});
  }
}

/** Asks again if it is shown, else when it is. An answer that is on its way may be older than what is known to have changed. */
async function fetchAnew(query: Query): Promise<void> {
  query.invalidate();
  if (!query.isActive()) return;
  void query.cancel({silent: true});
  const fetched = query.fetch().catch(() => undefined);  // its observers have it
  if (query.state.fetchStatus !== 'paused') await fetched;
}

export function idOf(value: {uniqueId: string} | {id: string}): string {
  return 'uniqueId' in value ? value.uniqueId : value.id;
}

const placeOf = (kind: Kind, id: string) => kind + '/' + id;
const newerKeyOf = (key: QueryKey): QueryKey => [key[0], key[1], 'newer', key[3], key[4]];
const isEntity = (key: QueryKey) => !['pages', 'newer', 'part'].includes(key[2] as string);

/** Puts `id` where the order wants it. Behind the last page that was loaded it will come with the next one. */
export function inserted(pages: Pages, id: string, isBefore: (other: string) => boolean): Pages {
  if (pages.pages.some((page) => page.ids.includes(id))) return pages;
  const at = pages.pages.findIndex((page) => page.ids.some(isBefore));
  const last = pages.pages.length - 1;
  if (at < 0 && pages.pages[last]?.next) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page, index) => {
      const counted = {...page, total: page.total === null ? null : page.total + 1};
      if (index !== (at < 0 ? last : at)) return counted;
      const before = page.ids.findIndex(isBefore);
      const place = before < 0 ? page.ids.length : before;
      return {...counted, ids: [...page.ids.slice(0, place), id, ...page.ids.slice(place)]};
    }),
  };
}

export function removed(pages: Pages, id: string): Pages {
  if (!pages.pages.some((page) => page.ids.includes(id))) return pages;
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      ids: page.ids.filter((each) => each !== id),
      total: page.total === null ? null : Math.max(0, page.total - 1),
    })),
  };
}

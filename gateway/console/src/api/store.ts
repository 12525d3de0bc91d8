import {hashKey, type InfiniteData, type QueryClient, type QueryKey} from '@tanstack/react-query';
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
/** For what can be had again. */
export const kFiveMinutes = 5 * 60_000;
const kMostNewer = 1000;
const kMostArrivals = 1000;
const kMostEntities = 10_000;
const kMostPagesReloaded = 5;

/** What an `ETag` does not tell of. */
const kUnversioned = new Set(['numberOfUnreadMessages', 'totalMessages', 'newestMessageId', 'serviceWindowEndsAt', 'progress']);

/** Which event told a field last, and when it was heard here. */
interface Stamp {
  readonly order: number;
  readonly tick: number;
}
type Marks = Record<string, Stamp>;

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
  private readonly known = new Map<string, Map<string, QueryKey>>();
  private arrivals: {list: string; id: string; tick: number}[] = [];

  constructor(
    readonly queries: QueryClient,
    readonly organization: string,
  ) {
    queries.setQueryDefaults(keys.part(organization), {gcTime: kFiveMinutes});  // presence comes of all conversations
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
    const id = idOf(value);
    const known = this.get(kind, id);
    if (known === null) return value;  // an older answer: ids do not come back
    const kept: Record<string, unknown> = {};
    for (const [field, stamp] of Object.entries(this.marks.get(placeOf(kind, id)) ?? {}))
      if (stamp.tick > since && known && field in known) kept[field] = (known as Record<string, unknown>)[field];
    const merged = {...known, ...value, ...kept};
    this.write(kind, id, merged);
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

  gone(kind: Kind, id: string): void {
    this.marks.delete(placeOf(kind, id));
    this.queries.setQueryData(keys.entity(this.organization, kind, id), null);
  }

  /** A change that is expected to succeed. Gives back how to undo it, unless something newer came meanwhile. */
  expect<K extends Kind>(kind: K, id: string, fields: Partial<Entities[K]>): () => void {
    const before = this.get(kind, id);
    if (!before) return () => {};
    this.write(kind, id, {...before, ...fields});
    const expected = this.get(kind, id);
    return () => {
      if (this.get(kind, id) === expected) this.write(kind, id, before);
      else void this.queries.invalidateQueries({queryKey: keys.entity(this.organization, kind, id)});
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
    const known = this.get(kind, id);
    if (known === null || (known === undefined && !isNeeded)) return;
    const place = placeOf(kind, id);
    const marks = this.marks.get(place) ?? {};
    const stamp = {order, tick: this.tick};
    const newer: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(fields)) {
      if ((marks[field]?.order ?? -1) > order) continue;
      newer[field] = value;
      marks[field] = stamp;
    }
    this.marks.set(place, marks);
    const before = known as Record<string, unknown> | undefined;
    const isOther = (field: string) => !kUnversioned.has(field) && hashKey([before?.[field]]) !== hashKey([newer[field]]);
    if (Object.keys(newer).some(isOther)) this.versions.delete(place);
    this.write(kind, id, {...known, ...newer} as Entities[K]);
  }

  /** Makes what is shown of an entity be asked for again. */
  stale(kind: Kind, id: string): void {
    const query = this.queries.getQueryCache().get(hashKey(keys.entity(this.organization, kind, id)));
    query?.invalidate();
    if (query?.isActive()) query.fetch(undefined, {cancelRefetch: true}).catch(() => undefined);  // its observers have it
  }

  // ---- lists --------------------------------------------------------------------------------------------------------

  /** To be called when a list is asked for. They are few among all that is cached, and each event looks at them. */
  remember(key: QueryKey): void {
    const family = key[3] as string;
    const known = this.known.get(family) ?? new Map<string, QueryKey>();
    this.known.set(family, known.set(hashKey(key), key));
  }

  lists(family: string): {key: QueryKey; filter: unknown; pages: Pages}[] {
    const known = this.known.get(family) ?? new Map<string, QueryKey>();
    const found: {key: QueryKey; filter: unknown; pages: Pages}[] = [];
    for (const [hash, key] of known) {
      const query = this.queries.getQueryCache().get<Pages>(hash);
      if (!query) known.delete(hash);
      else if (query.state.data) found.push({key, filter: key[4], pages: query.state.data});
    }
    return found;
  }

  /** Whether a list is shown, or kept for coming back to it, or on its way. */
  hasList(family: string, filter: unknown): boolean {
    return this.queries.getQueryState(keys.pages(this.organization, family, filter)) !== undefined;
  }

  /** Puts an id into a list that grows at its newer end, as a thread does; `isBefore` is the list's order. */
  insert(family: string, filter: unknown, id: string, isBefore: (other: string) => boolean): void {
    const key = keys.pages(this.organization, family, filter);
    if (!this.queries.getQueryState(key)) return;
    this.arrivals.push({list: hashKey(key), id, tick: this.tick});
    if (this.arrivals.length > kMostArrivals) this.arrivals.splice(0, kMostArrivals / 2);
    this.queries.setQueryData<Pages>(key, (pages) => pages && inserted(pages, id, isBefore));
  }

  /** Ids that were inserted into a list after its answer was asked for, which may be without them. */
  missed(family: string, filter: unknown, since: number): string[] {
    const list = hashKey(keys.pages(this.organization, family, filter));
    return this.arrivals.filter((each) => each.list === list && each.tick > since).map((each) => each.id);
  }

  /** Takes a row out of a list at once: for what one has just done oneself. */
  remove(key: QueryKey, id: string): void {
    this.arrivals = this.arrivals.filter((each) => each.id !== id);
    this.queries.setQueryData<Pages>(key, (pages) => pages && removed(pages, id));
    this.updateNewer(key, (newer) => ({...newer, ids: newer.ids.filter((each) => each !== id)}));
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
    await this.queries.refetchQueries({queryKey: key, exact: true});
  }

  /** Loads anew all that is shown: something was missed. What is not shown is asked for when it is. */
  async reload(): Promise<void> {
    this.marks.clear();
    this.arrivals = [];
    const queryKey = keys.organization(this.organization);
    const isListKey = (key: QueryKey) => key[2] === 'pages' || key[2] === 'newer';
    await this.queries.invalidateQueries({queryKey, refetchType: 'none', predicate: (each) => !isListKey(each.queryKey)});
    const lists = this.queries.getQueryCache().findAll({queryKey: [...queryKey, 'pages']});
    for (const list of lists) if (!list.isActive()) list.reset();
    await Promise.all(lists.filter((list) => list.isActive()).map((list) => this.refresh(list.queryKey, kMostPagesReloaded)));
    // The rows are as the pages have them now: only what these did not bring is asked for by itself.
    await this.queries.refetchQueries({queryKey, type: 'active', stale: true, predicate: (each) => !isListKey(each.queryKey)});
  }

  // ---- room ---------------------------------------------------------------------------------------------------------

  /** Forgets the entities that were longest not needed, beyond those that have room. Rows ask for theirs again. */
  sweep(most = kMostEntities): void {
    const all = this.queries.getQueryCache().findAll({queryKey: keys.organization(this.organization)});
    const idle = all.filter((query) => isEntity(query.queryKey) && query.getObserversCount() === 0);
    if (idle.length <= most) return;
    idle.sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt);
    for (const query of idle.slice(0, idle.length - Math.floor(most / 2))) {
      const place = placeOf(query.queryKey[2] as Kind, query.queryKey[3] as string);
      this.marks.delete(place);
      this.versions.delete(place);
      this.queries.getQueryCache().remove(query);
    }
  }

  private write<K extends Kind>(kind: K, id: string, value: Entities[K]): void {
    this.queries.setQueryData(keys.entity(this.organization, kind, id), value);
  }
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

import type {Draft, Send, Shelf} from './outbox.ts';

const kName = 'parley';
const kMostDrafts = 300;
const kPatience = 15_000;

type Store = 'sends' | 'drafts';

/** The browser's database of sends and drafts. Signing out empties it. */
export class BrowserShelf implements Shelf {
  private opened: Promise<IDBDatabase> | null = null;

  /** `person` is whose data this browser may hold: what another tab writes last, as they sign out, is not kept. */
  constructor(
    private readonly factory: IDBFactory,
    private readonly person: () => string | null,
  ) {}

  async all(userId: string): Promise<Send[]> {
    const sends = await this.work<Send[]>('sends', 'readonly', (store) => store.getAll());
    return sends.filter((each) => each.userId === userId);
  }

  async add(sends: readonly Send[], draft: Draft | null): Promise<void> {
    if (sends.some(({userId}) => userId !== this.person())) throw new Error('signed out');
    await this.work(draft ? ['sends', 'drafts'] : 'sends', 'readwrite', (store) => {
      for (const each of sends) store.add(each);
      if (draft) put(store.transaction.objectStore('drafts'), draft);
    });
  }

  async update(key: string, change: (send: Send) => Send | null): Promise<void> {
    await this.work('sends', 'readwrite', (store) => {
      const found: IDBRequest<Send | undefined> = store.get(key);
      found.onsuccess = () => {
        const changed = found.result && change(found.result);
        if (changed && changed.key === key) store.put(changed);
        else if (changed !== undefined) store.delete(key);
        if (changed && changed.key !== key) store.add(changed);
      };
      return found;
    });
  }

  /** Of all drafts. */
  draftIds(): Promise<string[]> {
    return this.work('drafts', 'readonly', (store) => store.getAllKeys());
  }

  draft(id: string): Promise<Draft | undefined> {
    return this.work('drafts', 'readonly', (store) => store.get(id));
  }

  /** Keeps a draft, or removes it where nothing is written. */
  async setDraft(draft: Draft): Promise<void> {
    if (!draft.id.startsWith(this.person() + '/')) return;
    await this.work('drafts', 'readwrite', (store) => put(store, draft));
  }

  /** A database that cannot be emptied is removed. */
  async clear(): Promise<void> {
    try {
      await Promise.all((['sends', 'drafts'] as const).map((name) => this.work(name, 'readwrite', (store) => store.clear())));
    } catch {
      this.opened = null;
      await inTime(new Promise<void>((resolve, reject) => {
        const request = this.factory.deleteDatabase(kName);
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error);
      }));
    }
  }

  /** Resolves when the transaction is done: what is kept then outlives a crash of the page. What rejects is not kept. */
  private async work<T>(stores: Store | readonly [Store, Store], mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest | void): Promise<T> {
    const transaction = await this.begin(stores, mode);
    const request = act(transaction.objectStore(typeof stores === 'string' ? stores : stores[0]));
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => abort(transaction), kPatience);
      transaction.oncomplete = () => {
        clearTimeout(late);
        resolve(request?.result as T);
      };
      transaction.onabort = () => {
        clearTimeout(late);
        reject(transaction.error ?? new Error('the database gave up'));
      };
    });
  }

  private async begin(stores: Store | readonly Store[], mode: IDBTransactionMode): Promise<IDBTransaction> {
    const database = await this.database();
    try {
      return database.transaction(stores, mode, {durability: 'strict'});
    } catch (error) {
      this.opened = null;  // it was closed; the next one opens it again
      throw error;
    }
  }

  private database(): Promise<IDBDatabase> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return inTime(this.opened);
  }

  private open(): Promise<IDBDatabase> {
    const request = this.factory.open(kName, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('sends', {keyPath: 'key'});
      request.result.createObjectStore('drafts', {keyPath: 'id'}).createIndex('updatedAt', 'updatedAt');
    };
    return new Promise((resolve, reject) => {
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const close = () => {
          request.result.close();
          this.opened = null;
        };
        request.result.onversionchange = close;  // a newer console in another tab
        request.result.onclose = () => (this.opened = null);
        resolve(request.result);
      };
    });
  }
}

/** An empty draft is removed. The oldest ones go when there are too many. */
function put(drafts: IDBObjectStore, draft: Draft): void {
  if (draft.text === '' && draft.replyToMessageId === null) return void drafts.delete(draft.id);
  drafts.put(draft);
  const count = drafts.count();
  count.onsuccess = () => {
    if (count.result <= kMostDrafts) return;
    drafts.index('updatedAt').openCursor().onsuccess = ({target}) => (target as IDBRequest<IDBCursorWithValue | null>).result?.delete();
  };
}

/** Unless it is done just now. */
function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort();
  } catch {
    // oncomplete comes
  }
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the database does not answer')), kPatience);
    answer.then(resolve, reject).finally(() => clearTimeout(late));
  });
}

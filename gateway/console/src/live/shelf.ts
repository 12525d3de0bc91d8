import {DraftChanged, restOf, type Draft, type DraftShelf} from './drafts.ts';
import type {Send, Shelf} from './outbox.ts';

const kName = 'parley';
const kMostDrafts = 300;
const kPatience = 15_000;

type Store = 'sends' | 'drafts';

/** The browser's database of sends and drafts. Signing out empties it. */
export class BrowserShelf implements Shelf, DraftShelf {
  private opened: Promise<IDBDatabase> | null = null;

  /** `person` is whose data this browser may hold: what another tab writes last, as they sign out, is not kept. */
  constructor(
    private readonly factory: IDBFactory,
    private readonly person: () => string | null,
  ) {}

  async all(userId: string): Promise<Send[]> {
    const sends = await this.work<Send[]>(['sends'], 'readonly', (store) => store.getAll());
    return sends.filter((each) => each.userId === userId);
  }

  async add(sends: readonly Send[], spent: Draft | null): Promise<void> {
    if (sends.some(({userId}) => userId !== this.person())) throw new Error('signed out');
    let hasChanged = false;
    await this.work(['sends', 'drafts'], 'readwrite', (store, drafts) => {
      for (const each of sends) store.add(each);
      if (spent) takeOut(drafts, spent, () => {
        hasChanged = true;
        store.transaction.abort();
      });
    }).catch((error: unknown) => {
      throw hasChanged ? new DraftChanged() : error;
    });
  }

  async update(key: string, change: (send: Send) => Send | null): Promise<void> {
    await this.work(['sends'], 'readwrite', (store) => {
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

  drafts(begin: string): Promise<Draft[]> {
    return this.work(['drafts'], 'readonly', (store) => store.getAll(IDBKeyRange.bound(begin, begin + '\uffff')));
  }

  draft(id: string): Promise<Draft | undefined> {
    return this.work(['drafts'], 'readonly', (store) => store.get(id));
  }

  async setDraft(draft: Draft): Promise<void> {
    if (!draft.id.startsWith(this.person() + '/')) return;
    // What is committed cannot be given up when it is late. Kept all the same, it is kept once more: that changes nothing.
    await inTime(this.work(['drafts'], 'readwrite', (store) => {
      put(store, draft);
      store.transaction.commit();  // otherwise the page has to live until the put is answered
    }));
  }

  async takeOut(spent: Draft): Promise<void> {
    await this.work(['drafts'], 'readwrite', (store) => takeOut(store, spent));
  }

  /** The oldest drafts go when there are too many. */
  async trimDrafts(): Promise<void> {
    await this.work(['drafts'], 'readwrite', (store) => {
      const count = store.count();
      count.onsuccess = () => {
        let excess = count.result - kMostDrafts;
        if (excess > 0) store.index('updatedAt').openCursor().onsuccess = ({target}) => {
          const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result;
          cursor?.delete();
          if (--excess > 0) cursor?.continue();
        };
      };
    });
  }

  /** A database that cannot be emptied is removed. */
  async clear(): Promise<void> {
    try {
      await this.work(['sends', 'drafts'], 'readwrite', (...stores) => stores.forEach((each) => each.clear()));
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
  private async work<T>(names: readonly Store[], mode: IDBTransactionMode, act: (...stores: IDBObjectStore[]) => IDBRequest | void): Promise<T> {
    const transaction = await this.begin(names, mode);
    return new Promise((resolve, reject) => {
      let request: IDBRequest | void;
      try {
        request = act(...names.map((name) => transaction.objectStore(name)));
      } catch (error) {
        abort(transaction);
        return reject(error as Error);
      }
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

  private async begin(names: readonly Store[], mode: IDBTransactionMode): Promise<IDBTransaction> {
    const database = await this.database();
    try {
      return database.transaction(names, mode, {durability: 'strict'});
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

function put(drafts: IDBObjectStore, draft: Draft): void {
  if (draft.text === '' && draft.replyToMessageId === null) drafts.delete(draft.id);
  else drafts.put({...draft, updatedAt: Date.now()});
}

/** Calls `changed` instead where the draft has become another one. */
function takeOut(drafts: IDBObjectStore, spent: Draft, changed: () => void = () => {}): void {
  const found: IDBRequest<Draft | undefined> = drafts.get(spent.id);
  found.onsuccess = () => {
    const now = found.result ?? {...spent, text: '', replyToMessageId: null};
    if (!now.text.startsWith(spent.text)) changed();
    else put(drafts, {...restOf(now, spent), id: spent.id});
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

import type {Send, Shelf} from './outbox.ts';

/** What one is writing to a contact. */
export interface Draft {
  readonly id: string;
  readonly text: string;
  readonly replyToMessageId: string | null;
  readonly updatedAt: number;
}

const kMostDrafts = 300;

/** The browser's database of sends and drafts. Signing out empties it. */
export class BrowserShelf implements Shelf {
  private opened: Promise<IDBDatabase> | null = null;

  constructor(private readonly factory: IDBFactory) {}

  async all(userId: string): Promise<Send[]> {
    const sends = await this.work<Send[]>('sends', 'readonly', (store) => store.getAll());
    return sends.filter((each) => each.userId === userId);
  }

  async add(send: Send): Promise<void> {
    await this.work('sends', 'readwrite', (store) => store.add(send));
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

  draft(id: string): Promise<Draft | undefined> {
    return this.work('drafts', 'readonly', (store) => store.get(id));
  }

  /** Keeps a draft; an empty one is removed. The oldest ones go when there are too many. */
  async setDraft(draft: Draft): Promise<void> {
    await this.work('drafts', 'readwrite', (store) => {
      if (draft.text === '' && draft.replyToMessageId === null) return store.delete(draft.id);
      const kept = store.put(draft);
      const count = store.count();
      count.onsuccess = () => {
        if (count.result <= kMostDrafts) return;
        store.index('updatedAt').openCursor().onsuccess = ({target}) =>
          (target as IDBRequest<IDBCursorWithValue | null>).result?.delete();
      };
      return kept;
    });
  }

  async clear(): Promise<void> {
    await this.work('sends', 'readwrite', (store) => store.clear());
    await this.work('drafts', 'readwrite', (store) => store.clear());
  }

  /** Resolves when the transaction is done: what is kept then outlives a crash of the page. */
  private async work<T>(name: string, mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<T> {
    const transaction = (await this.database()).transaction(name, mode, {durability: 'strict'});
    const request = act(transaction.objectStore(name));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onabort = () => reject(transaction.error ?? new Error('the database gave up'));
    });
  }

  private database(): Promise<IDBDatabase> {
    this.opened ??= this.open().catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }

  private open(): Promise<IDBDatabase> {
    const request = this.factory.open('parley', 1);
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

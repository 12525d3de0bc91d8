import {Listeners} from '../listeners.ts';

/** What one is writing. */
export interface Writing {
  readonly text: string;
  readonly replyToMessageId: string | null;
}

/** What is written somewhere: `id` says by whom and where. */
export interface Draft extends Writing {
  readonly id: string;
}

/** Where drafts are kept: over reloads and crashes, for all tabs. */
export interface DraftShelf {
  /** Those whose ids begin so. */
  drafts(begin: string): Promise<Draft[]>;
  draft(id: string): Promise<Draft | undefined>;
  /** One in which nothing is written is removed. It is kept though the page ends right after the call. */
  setDraft(draft: Draft): Promise<void>;
  /** Leaves `restOf()` of the draft, unless it has become another one. */
  takeOut(spent: Draft): Promise<void>;
}

export interface DraftsParts {
  /** What the ids of this person in this organization begin with. */
  readonly owner: string;
  readonly shelf: DraftShelf;
  readonly later: (act: () => void, milliseconds: number) => void;
  /** Has other tabs call `heard()`. */
  readonly tellOthers: (name: string) => void;
}

const kNothing: Writing = {text: '', replyToMessageId: null};
const kPause = 300;
const kRetryPause = 5000;

/** The words are not those that were kept: another tab has sent or changed them. */
export class DraftChanged extends Error {
  override readonly name = 'DraftChanged';
}

/** What is left of a draft when what was `spent` is gone: what was written meanwhile stays. */
export function restOf(now: Writing, spent: Writing): Writing {
  return {
    text: now.text.startsWith(spent.text) ? now.text.slice(spent.text.length).trimStart() : now.text,
    replyToMessageId: now.replyToMessageId === spent.replyToMessageId ? null : now.replyToMessageId,
  };
}

const isSame = (a: Writing, b: Writing) => a.text === b.text && a.replyToMessageId === b.replyToMessageId;

/**
 * What one is writing, by name: that of a conversation is its id. It is the same in all tabs, stays until something was made of it,
 * and is kept a moment after each letter.
 */
export class Drafts {
  private isLoaded = false;  // or could not be
  /** Values are compared by identity, to see whether one was written while a read was under way. */
  private readonly known = new Map<string, Writing>();
  private readonly unsaved = new Set<string>();
  private readonly due = new Set<string>();
  private readonly spending = new Set<string>();
  /** Those of which one has been told that they are gone in other tabs: who sends them all the same means it. */
  private readonly doubted = new Set<string>();
  private readonly listeners = new Listeners();

  constructor(private readonly parts: DraftsParts) {}

  readonly subscribe = this.listeners.subscribe;

  /** Undefined until drafts are read. */
  writing(name: string): Writing | undefined {
    return this.isLoaded ? this.known.get(name) ?? kNothing : undefined;
  }

  hasWords(name: string): boolean {
    return (this.known.get(name)?.text ?? '').trim() !== '';
  }

  write(name: string, {text, replyToMessageId}: Writing): void {
    this.known.set(name, {text, replyToMessageId});
    this.unsaved.add(name);
    this.listeners.tell();
    this.saveLater(name, kPause);
  }

  /**
   * Makes messages of what is written; false: that is under way. `make` keeps them and takes `spent` out of the draft at once, so that
   * a page which ends leaves one of the two. Rejects as it does, and what is written stays; after DraftChanged, as another tab has it.
   */
  async spend(name: string, make: (spent: Draft) => Promise<unknown>): Promise<boolean> {
    if (this.spending.has(name)) return false;
    const writing = this.writing(name) ?? kNothing;
    this.spending.add(name);
    if (this.doubted.delete(name)) this.unsaved.add(name);
    try {
      await this.save(name);
      await make({...writing, id: this.parts.owner + name});
    } catch (error) {
      this.spending.delete(name);
      if (error instanceof DraftChanged) await this.hasChanged(name, writing);
      throw error;
    }
    this.spending.delete(name);
    const now = this.writing(name) ?? kNothing;
    if (now === writing) {
      this.known.delete(name);
      void this.heard(name);  // what others told meanwhile
    } else {
      this.write(name, restOf(now, writing));
      void this.save(name);
    }
    this.parts.tellOthers(name);
    this.listeners.tell();
    return true;
  }

  /** As spend(), of what is made somewhere else than on the shelf. */
  spendElsewhere(name: string, make: () => Promise<unknown>): Promise<boolean> {
    return this.spend(name, async (spent) => {
      await make();
      await this.parts.shelf.takeOut(spent).catch(() => undefined);
    });
  }

  /** Reads all anew: what other tabs tell may get lost. */
  async load(): Promise<void> {
    const before = new Map(this.known);
    const unsaved = new Set(this.unsaved);
    const all = await this.parts.shelf.drafts(this.parts.owner).catch(() => null);
    if (all) {
      const found = new Map(all.map((each) => [each.id.slice(this.parts.owner.length), each]));
      for (const name of new Set([...before.keys(), ...found.keys()]))
        if (!unsaved.has(name)) this.take(name, before.get(name), found.get(name));
    }
    this.isLoaded = true;
    this.listeners.tell();
  }

  /** Another tab has changed it. */
  async heard(name: string): Promise<void> {
    if (this.unsaved.has(name)) return;
    const before = this.known.get(name);
    const found = await this.parts.shelf.draft(this.parts.owner + name).catch(() => null);
    if (found !== null) this.take(name, before, found);
    this.listeners.tell();
  }

  /** The page may end. */
  saveAll(): void {
    for (const name of this.unsaved) void this.save(name);
  }

  /** What is gone from the shelf is not thrown away unseen: who has been told may send it. */
  private async hasChanged(name: string, writing: Writing): Promise<void> {
    const found = await this.parts.shelf.draft(this.parts.owner + name).catch(() => undefined);
    if (found) this.take(name, writing, found);
    else if (this.known.get(name) === writing) this.doubted.add(name);
    this.listeners.tell();
  }

  /** What was written here is newer than what was read; `before` was known when the read began. Of what is being spent, spend() knows what is left. */
  private take(name: string, before: Writing | undefined, found: Writing | undefined): void {
    if (this.unsaved.has(name) || this.spending.has(name) || this.known.get(name) !== before) return;
    if (!found) this.known.delete(name);
    else if (!before || !isSame(found, before)) this.known.set(name, {text: found.text, replyToMessageId: found.replyToMessageId});
  }

  /** What cannot be kept stays written in this tab. */
  private async save(name: string): Promise<void> {
    if (!this.unsaved.delete(name)) return;
    const writing = this.known.get(name) ?? kNothing;
    const isKept = await this.parts.shelf.setDraft({...writing, id: this.parts.owner + name}).then(() => true, () => false);
    if (isKept) return this.parts.tellOthers(name);
    this.unsaved.add(name);
    this.saveLater(name, kRetryPause);
  }

  private saveLater(name: string, pause: number): void {
    if (this.due.has(name)) return;
    this.due.add(name);
    this.parts.later(() => {
      this.due.delete(name);
      void this.save(name);
    }, pause);
  }
}

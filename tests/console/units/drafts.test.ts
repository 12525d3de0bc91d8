import assert from 'node:assert/strict';
import {test} from 'node:test';
import {DraftChanged, Drafts, restOf, type Draft, type DraftShelf} from '../../../gateway/console/src/live/drafts.ts';
import {Clock, settled} from './support.ts';

const words = (text: string) => ({text, replyToMessageId: null});

/** What a browser keeps. What is asked of it happens in order, and waits while `isOpen` does. */
class KeptDrafts implements DraftShelf {
  readonly kept = new Map<string, Draft>();
  isOpen: Promise<void> = Promise.resolve();
  isFull = false;
  private last: Promise<unknown> = Promise.resolve();

  drafts = (begin: string) => this.inTurn(() => [...this.kept.values()].filter(({id}) => id.startsWith(begin)));
  draft = (id: string) => this.inTurn(() => this.kept.get(id));
  setDraft = (draft: Draft) => this.inTurn(() => this.put(draft));
  takeOut = (spent: Draft) => this.inTurn(() => this.take(spent));
  /** As messages are kept: with what is left, or not at all. */
  keep = (spent: Draft) => this.inTurn(() => {
    if (!this.take(spent)) throw new DraftChanged();
  });

  private put(draft: Draft): void {
    if (this.isFull) throw new Error('full');
    if (draft.text === '') this.kept.delete(draft.id);
    else this.kept.set(draft.id, draft);
  }
  private take(spent: Draft): boolean {
    const found = this.kept.get(spent.id);
    if (!found?.text.startsWith(spent.text)) return false;
    this.put({...found, ...restOf(found, spent)});
    return true;
  }
  private inTurn<T>(act: () => T): Promise<T> {
    const done = Promise.all([this.last, this.isOpen]).then(act);
    this.last = done.catch(() => undefined);
    return done;
  }
}

function browser() {
  const [clock, shelf] = [new Clock(), new KeptDrafts()];
  const tabs: Drafts[] = [];
  const tab = async () => {
    const drafts = new Drafts({
      owner: 'u/o/', shelf,
      later: (act, milliseconds) => void clock.sleep(milliseconds, new AbortController().signal).then(act),
      tellOthers: (name) => tabs.filter((each) => each !== drafts).forEach((each) => void each.heard(name)),
    });
    tabs.push(drafts);
    await drafts.load();
    return drafts;
  };
  const texts = () => [...shelf.kept.values()].map(({text}) => text);
  return {clock, shelf, tab, texts};
}

test('what is left when words are gone is what was written since', () => {
  const rest = (now: string, spent: string) => restOf(words(now), words(spent)).text;
  assert.deepEqual([rest('Hello', 'Hello'), rest('Hello\nand more', 'Hello'), rest('Good day', 'Hello')], ['', 'and more', 'Good day']);
  assert.equal(restOf({text: 'x', replyToMessageId: 'm'}, {text: 'x', replyToMessageId: 'm'}).replyToMessageId, null);
  assert.equal(restOf({text: 'x', replyToMessageId: 'n'}, {text: 'x', replyToMessageId: 'm'}).replyToMessageId, 'n');
});

test('what is written is kept a moment later, and is the same in all tabs', async () => {
  const {clock, tab, texts} = browser();
  const [one, other] = [await tab(), await tab()];
  for (const text of ['H', 'He', 'Hello']) one.write('c', words(text));
  assert.deepEqual(texts(), []);
  await clock.pass(300);
  assert.deepEqual(texts(), ['Hello']);
  assert.deepEqual([other.writing('c')?.text, other.hasWords('c'), other.hasWords('d')], ['Hello', true, false]);
  assert.equal((await tab()).writing('c')?.text, 'Hello');
  one.write('c', words('Hello!'));
  one.saveAll();
  await settled();
  assert.deepEqual([texts(), other.writing('c')?.text], [['Hello!'], 'Hello!']);
});

test('what is being made into something is kept until it was made', async () => {
  const {clock, shelf, tab, texts} = browser();
  const [one, other] = [await tab(), await tab()];
  one.write('c', words('Once'));
  await assert.rejects(one.spend('c', async (spent) => {
    assert.deepEqual([texts(), spent], [['Once'], {id: 'u/o/c', ...words('Once')}]);
    throw new Error('no room');
  }), /no room/);
  assert.deepEqual([texts(), one.writing('c')?.text], [['Once'], 'Once']);
  let made = 0;
  const keep = async (spent: Draft) => {
    ++made;
    await shelf.keep(spent);
  };
  const spent = one.spend('c', keep);
  assert.equal(await one.spend('c', keep), false);  // away and back, or a key that is held
  assert.equal(await spent, true);
  await settled();
  assert.deepEqual([made, texts(), one.writing('c')?.text, other.writing('c')?.text], [1, [], '', '']);
  await clock.pass(300);
  assert.deepEqual(texts(), []);
});

test('what is written meanwhile stays, also what was kept before the rest is gone', async () => {
  const {clock, shelf, tab, texts} = browser();
  const [one, other] = [await tab(), await tab()];
  one.write('c', words('Once'));
  await one.spend('c', async (spent) => {
    one.write('c', words('Once and more'));
    await shelf.keep(spent);
    await clock.pass(300);
  });
  await clock.pass(300);
  assert.deepEqual([one.writing('c')?.text, texts(), other.writing('c')?.text], ['and more', ['and more'], 'and more']);
});

test('what is left is left once, though it is read meanwhile, and is kept at once', async () => {
  const {clock, shelf, tab, texts} = browser();
  const one = await tab();
  one.write('c', words('ha'));
  await one.spend('c', async (spent) => {
    one.write('c', words('ha\nhave a look'));
    await clock.pass(300);
    await shelf.keep(spent);
    await one.load();
  });
  await settled();
  assert.deepEqual([one.writing('c')?.text, texts()], ['have a look', ['have a look']]);
});

test('what is made elsewhere leaves the draft, too', async () => {
  const {tab, texts} = browser();
  const one = await tab();
  one.write('c/note', words('A note'));
  await one.spendElsewhere('c/note', async () => assert.deepEqual(texts(), ['A note']));
  assert.deepEqual([texts(), one.writing('c/note')?.text], [[], '']);
});

test('news that come late are older than what is written', async () => {
  const {clock, shelf, tab} = browser();
  const one = await tab();
  shelf.kept.set('u/o/c', {id: 'u/o/c', ...words('Older')});
  let open = () => {};
  shelf.isOpen = new Promise((resolve) => (open = resolve));
  const heard = one.heard('c');
  one.write('c', words('Newer'));
  const kept = clock.pass(300);
  await settled();
  open();
  await Promise.all([heard, kept]);
  assert.equal(one.writing('c')?.text, 'Newer');
});

test('what was read before it was saved is older than what was written before that', async () => {
  for (const read of [(one: Drafts) => one.heard('c'), (one: Drafts) => one.load()]) {
    const {clock, shelf, tab} = browser();
    const one = await tab();
    one.write('c', words('Hello'));
    let open = () => {};
    shelf.isOpen = new Promise((resolve) => (open = resolve));
    const done = read(one);
    await clock.pass(300);
    open();
    await done;
    assert.equal(one.writing('c')?.text, 'Hello');
  }
});

test('what another tab writes while words are sent here stays', async () => {
  const {clock, shelf, tab, texts} = browser();
  const [one, other] = [await tab(), await tab()];
  one.write('c', words('Once'));
  await one.spend('c', async (spent) => {
    await shelf.keep(spent);
    await one.load();
  });
  other.write('c', words('New'));
  other.saveAll();
  await clock.pass(1000);
  assert.deepEqual([texts(), one.writing('c')?.text], [['New'], 'New']);
});

test('two tabs send the same words once; who comes later is told, and may send them all the same', async () => {
  const {clock, shelf, tab, texts} = browser();
  const [one, other] = [await tab(), await tab()];
  one.write('c', words('Once'));
  await clock.pass(300);
  shelf.kept.delete('u/o/c');  // by the other one, which ended before it told so
  await assert.rejects(other.spend('c', (spent) => shelf.keep(spent)), DraftChanged);
  assert.equal(other.writing('c')?.text, 'Once');
  other.saveAll();
  await settled();
  assert.deepEqual(texts(), []);  // not unasked
  assert.equal(await other.spend('c', (spent) => shelf.keep(spent)), true);
  assert.deepEqual([other.writing('c')?.text, texts()], ['', []]);
  one.write('c', words('Twice'));
  await clock.pass(300);
  shelf.kept.set('u/o/c', {id: 'u/o/c', ...words('Thrice')});
  await assert.rejects(one.spend('c', (spent) => shelf.keep(spent)), DraftChanged);
  assert.equal(one.writing('c')?.text, 'Thrice');
});

test('where nothing can be kept, one writes all the same', async () => {
  const {clock, shelf, tab} = browser();
  const one = await tab();
  shelf.isFull = true;
  one.write('c', words('Hello'));
  await clock.pass(300);
  await one.heard('c');
  assert.equal(one.writing('c')?.text, 'Hello');
  shelf.isFull = false;
  await clock.pass(5000);
  assert.equal(shelf.kept.get('u/o/c')?.text, 'Hello');
});

/** What is being written that names something: `/hello` as the whole text but for spaces, which are not sent, or `@Gra` at the cursor. */
export interface Asked {
  readonly sign: '/' | '@';
  readonly words: string;
  readonly from: number;
  readonly to: number;
}

export function askedFor(text: string, cursor: number, isNote: boolean): Asked | null {
  if (!isNote) {
    const found = /^\s*\/([^\s/]{0,64})\s*$/u.exec(text);
    return found && cursor > 0 ? {sign: '/', words: found[1] ?? '', from: 0, to: text.length} : null;
  }
  const found = /(?:^|\s)@([\p{L}\p{N}][^@\n]{0,39}|)$/u.exec(text.slice(0, cursor));
  if (!found) return null;
  const words = found[1] ?? '';
  return {sign: '@', words, from: cursor - words.length - 1, to: cursor};
}

export function replaced(text: string, asked: Asked, by: string): {text: string; cursor: number} {
  return {text: text.slice(0, asked.from) + by + text.slice(asked.to), cursor: asked.from + by.length};
}

/** Those whose names a note has after an `@`. Longer names go first, so that Ann is not found in Anna. */
export function mentionsIn(text: string, members: readonly {uniqueId: string; name: string}[]): string[] {
  let rest = text;
  const found: string[] = [];
  for (const member of [...members].sort((a, b) => b.name.length - a.name.length)) {
    const at = '@' + member.name;
    if (!rest.includes(at)) continue;
    found.push(member.uniqueId);
    rest = rest.replaceAll(at, '');
  }
  return found;
}

const kPlain = /\p{M}/gu;
const plain = (text: string) => text.normalize('NFD').replace(kPlain, '').toLocaleLowerCase();

/** Those whose name, or a word of it, begins so. */
export function startingWith<T extends {name: string}>(all: readonly T[], words: string, most: number): T[] {
  const wanted = plain(words);
  const isFound = ({name}: T) => plain(name).startsWith(wanted) || plain(name).split(/\s+/).some((word) => word.startsWith(wanted));
  return all.filter(isFound).slice(0, most);
}

/** Quick replies that have the words: those whose shortcut begins so come first. */
export function repliesWith<T extends {shortcut: string; text: string}>(all: readonly T[], words: string, most: number): T[] {
  const wanted = plain(words);
  const begins = ({shortcut}: T) => plain(shortcut).startsWith(wanted);
  const others = all.filter((each) => !begins(each) && plain(each.shortcut + ' ' + each.text).includes(wanted));
  return [...all.filter(begins), ...others].slice(0, most);
}

/** An attribute as it is typed. `was` is the value it came with: what is not text stays so unless it is changed. */
export interface AttributeRow {
  readonly key: number;
  readonly name: string;
  readonly text: string;
  readonly was?: unknown;
}

let last = 0;
export const newRow = (): AttributeRow => ({key: ++last, name: '', text: ''});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const rowsOf = (attributes: Readonly<Record<string, unknown>>): AttributeRow[] =>
  Object.entries(attributes).map(([name, was]) => ({key: ++last, name, text: textOf(was), was}));

/** A number or true and false are kept as such; a number with a zero before it, or a plus, is a text such as a code. */
export function valueOf(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/.test(trimmed) ? Number(trimmed) : text;
}

export function attributesOfRows(rows: readonly AttributeRow[]): Record<string, unknown> {
  return Object.fromEntries(rows.filter(({name}) => name.trim() !== '')
    .map(({name, text, was}) => [name.trim(), was !== undefined && textOf(was) === text ? was : valueOf(text)]));
}

/** What is typed, upon attributes that somebody else changed meanwhile: those that were not touched are as they are there. */
export function mergedRows(mine: readonly AttributeRow[], was: readonly AttributeRow[], theirs: readonly AttributeRow[]): AttributeRow[] {
  const before = attributesOfRows(was);
  const nameOf = (row: AttributeRow) => row.name.trim();
  const isTouched = (row: AttributeRow) => {
    const name = nameOf(row);
    return name === '' || !(name in before) || textOf(attributesOfRows([row])[name]) !== textOf(before[name]);
  };
  const kept = mine.flatMap((row) => {
    if (isTouched(row)) return [row];
    const there = theirs.find((each) => nameOf(each) === nameOf(row));
    return there ? [{...there, key: row.key}] : [];
  });
  const added = theirs.filter((row) => !(nameOf(row) in before) && !mine.some((each) => nameOf(each) === nameOf(row)));
  return [...kept, ...added];
}

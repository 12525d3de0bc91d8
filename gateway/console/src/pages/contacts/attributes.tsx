import {Button, IconButton} from '../../design/button.tsx';
import {Stack} from '../../design/page.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useTexts} from '../../texts/index.tsx';
import {AttributeName} from './pickers.tsx';
import s from './attributes.module.css';

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

export function AttributeRows({rows, onChange}: {rows: readonly AttributeRow[]; onChange: (rows: readonly AttributeRow[]) => void}) {
  const {contacts: {attributes: words}} = useTexts();
  const change = (key: number, part: Partial<AttributeRow>) => onChange(rows.map((row) => (row.key === key ? {...row, ...part} : row)));
  return (
    <Stack gap={2}>
      {rows.map((row) => (
        <div key={row.key} className={s.row}>
          <AttributeName label={words.name} labelHidden value={row.name} onChange={(name) => change(row.key, {name})} />
          <TextField label={words.value} labelHidden value={row.text} onChange={(text) => change(row.key, {text})} />
          <IconButton icon="trash" label={words.remove(row.name)} onPress={() => onChange(rows.filter(({key}) => key !== row.key))} />
        </div>
      ))}
      <div><Button size="s" icon="plus" onPress={() => onChange([...rows, newRow()])}>{words.add}</Button></div>
    </Stack>
  );
}

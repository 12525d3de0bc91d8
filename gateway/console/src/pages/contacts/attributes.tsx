import {Banner} from '../../design/banner.tsx';
import {Button, IconButton} from '../../design/button.tsx';
import {Stack} from '../../design/page.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useTexts} from '../../texts/index.tsx';
import {AttributeName} from './pickers.tsx';
import {newRow, type AttributeRow} from './attribute_values.ts';
import s from './attributes.module.css';

export function AttributeRows({rows, onChange, error}: {rows: readonly AttributeRow[]; onChange: (rows: readonly AttributeRow[]) => void; error?: string | undefined}) {
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
      {error && <Banner kind="danger" live>{error}</Banner>}
      <div><Button size="s" icon="plus" onPress={() => onChange([...rows, newRow()])}>{words.add}</Button></div>
    </Stack>
  );
}

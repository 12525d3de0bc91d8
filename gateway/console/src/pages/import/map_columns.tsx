import {Banner} from '../../design/banner.tsx';
import {Select} from '../../design/select.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useTexts} from '../../texts/index.tsx';
import type {Column, ColumnsFault, Target} from './columns.ts';
import type {CsvRecord} from './csv.ts';
import s from './import.module.css';

const kKinds = ['name', 'phone', 'tags', 'attribute', 'none'] as const;

/** What each column is, with what stands in it. */
export function MapColumns({columns, rows, onChange, faults}:
  {columns: readonly Column[]; rows: readonly CsvRecord[]; onChange: (columns: readonly Column[]) => void; faults: readonly ColumnsFault[]}) {
  const {imports: words} = useTexts();
  const put = (index: number, target: Target) => onChange(columns.map((column, place) => (place === index ? {...column, target} : column)));
  const choose = (index: number, kind: Target['kind'], header: string) => {
    const cleared = columns.map((column, place): Column => // there is one of each
      place !== index && column.target.kind === kind && (kind === 'name' || kind === 'phone' || kind === 'tags') ? {...column, target: {kind: 'attribute', key: column.header}} : column);
    onChange(cleared.map((column, place) => (place === index ? {...column, target: kind === 'attribute' ? {kind, key: header} : {kind}} : column)));
  };
  const said = (fault: ColumnsFault): string => {
    switch (fault.kind) {
      case 'no phone': return words.faults.noPhone;
      case 'twice': return words.faults.twice(fault.target.kind === 'attribute' ? fault.target.key : words.targets[fault.target.kind]);
      case 'same header': return words.faults.sameHeader(fault.header);
      case 'no key': return words.faults.noKey(fault.header);
      case 'too many': return words.faults.tooMany;
    }
  };
  return (
    <div className={s.columns}>
      {faults.length > 0 && <Banner kind="danger" live>{faults.map((fault, place) => <p key={place}>{said(fault)}</p>)}</Banner>}
      <ul className={s.map}>
        {columns.map(({header, target}, index) => {
          const examples = [...new Set(rows.map((row) => row.fields[index]?.trim() ?? '').filter(Boolean))].slice(0, 3);
          const name = header || words.unnamed(index + 1);
          return (
            <li key={index} className={s.column}>
              <div className={s.source}>
                <bdi className={s.header}>{name}</bdi>
                <span className={s.examples}>{examples.length > 0 ? <bdi>{examples.join(', ')}</bdi> : words.nothing}</span>
              </div>
              <Select label={name} labelHidden value={target.kind} isDisabled={header === ''} onChange={(key) => choose(index, key as Target['kind'], header)}
                      options={kKinds.map((id) => ({id, text: words.targets[id]}))} />
              {target.kind === 'attribute' ? <TextField label={words.key} labelHidden value={target.key} onChange={(key) => put(index, {kind: 'attribute', key})} maxLength={255} /> : <span />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

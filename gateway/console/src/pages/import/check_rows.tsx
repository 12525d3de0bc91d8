import {Banner} from '../../design/banner.tsx';
import {Tag, Tags} from '../../design/badge.tsx';
import {Card} from '../../design/card.tsx';
import {Icon} from '../../design/icon.tsx';
import {Cell, Clip, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {useFormat, useTexts, type Texts} from '../../texts/index.tsx';
import {isShortened, type Column, type Judged, type RowFault} from './columns.ts';
import type {ImportChoices} from './options.tsx';
import s from './import.module.css';

/** The first rows as they would be taken, and why some would not. */
export function CheckRows({columns, rows, taken, isAll, brokenAt, choices: {country, onConflict}}:
  {columns: readonly Column[]; rows: readonly Judged[]; taken: number; isAll: boolean; brokenAt: number | null; choices: ImportChoices}) {
  const {imports: words, contacts} = useTexts();
  const format = useFormat();
  const bad = rows.filter((row) => row.fault).length;
  const said = bad > 0 ? words.bad(bad) : taken === rows.length ? words.allGood : words.good(taken, rows.length);
  const keys = columns.flatMap(({target}) => (target.kind === 'attribute' ? [target.key] : []));
  return (
    <>
      <Banner kind={bad > 0 || brokenAt !== null ? 'warning' : 'ok'} live title={brokenAt === null ? `${words.checked(rows.length)}: ${said}` : words.broken(brokenAt)}>
        {brokenAt !== null && <p>{words.brokenText}</p>}
        {bad > 0 && taken > 0 && <p>{words.badText}</p>}
        {!isAll && <p>{words.onlyFirst}</p>}
        {/* Which numbers are known already is found out while it is imported. */}
        {taken > 0 && <p>{words.conflict}: {onConflict === 'skip' ? `${words.skip}. ${words.skipNote}` : `${words.update}. ${words.updateNote}`}</p>}
      </Banner>
      <Card flush title={words.good(taken, rows.length)}>
        <div className={s.rows}>
          <Table label={words.checked(rows.length)} scrolls columns="3.5rem minmax(14rem, 2fr) minmax(8rem, 1.2fr) minmax(8rem, 1fr) minmax(8rem, 1fr) minmax(8rem, 1.6fr)" narrow="3rem minmax(0, 1fr)" rows={rows.length + 1}>
            <TableHead>
              <HeaderCell align="end">{words.line}</HeaderCell><HeaderCell>{words.result}</HeaderCell><HeaderCell wide>{words.targets.name}</HeaderCell>
              <HeaderCell wide>{words.targets.phone}</HeaderCell><HeaderCell wide>{words.targets.tags}</HeaderCell><HeaderCell wide>{contacts.create.attributes}</HeaderCell>
            </TableHead>
            <TableBody>
              {rows.map((row, place) => (
                <Row key={row.line} place={place + 2}>
                  <Cell align="end" isMuted>{format.number(row.line)}</Cell>
                  <Cell>{row.fault ? <span className={s.fault}><Icon name="danger" size={14} /><bdi>{saidOf(row.fault, words, country)}</bdi></span>
                    : row.repeats !== null ? words.repeats(row.repeats) : <span className={s.taken}><Icon name="ok" size={14} />{words.taken}</span>}</Cell>
                  <Cell wide><Clip>{row.name}</Clip></Cell>
                  <Cell wide><span dir="ltr">{row.phone}</span></Cell>
                  <Cell wide>{row.tags.length > 0 && <Tags>{row.tags.map((tag) => <Tag key={tag}>{tag}</Tag>)}</Tags>}</Cell>
                  <Cell wide isMuted><Clip>{keys.flatMap((key) => (row.attributes[key] === undefined ? [] : [`${key}: ${row.attributes[key]}`])).join(', ')}</Clip></Cell>
                </Row>
              ))}
            </TableBody>
          </Table>
        </div>
      </Card>
    </>
  );
}

function saidOf(fault: RowFault, words: Texts['imports'], country: string): string {
  if (fault.kind === 'fields') return words.rowFaults.fields(fault.fields, fault.columns);
  if (fault.kind !== 'phone') return words.rowFaults[fault.kind];
  const said = words.rowFaults.phone(fault.cell.slice(0, 40));
  if (isShortened(fault.cell)) return `${said}: ${words.rowFaults.shortened}`;
  if (fault.length) return `${said}: ${words.rowFaults.length(fault.length.code, fault.length.lengths.replaceAll('-', '–'), fault.length.digits)}`;
  return country === '' ? `${said} ${words.rowFaults.needsCountry}` : said;
}

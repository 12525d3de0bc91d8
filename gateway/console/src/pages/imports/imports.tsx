import {useImports} from '../../api/imports.ts';
import {useScope} from '../../api/scope.tsx';
import {ButtonLink} from '../../design/button.tsx';
import {Link} from '../../design/link.tsx';
import {Cell, HeaderCell, NewerPill, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {Listing} from '../audience/listing.tsx';
import {ImportRow} from './import_row.tsx';

export default function ImportsPage() {
  const {imports: words} = useTexts();
  const format = useFormat();
  const to = useAddress();
  const {store} = useScope();
  const imports = useImports();
  const mayImport = useHeld('BulkImport:Contacts');
  return (
    <Listing title={words.title} icon="upload" list={imports} empty={{title: words.empty, text: words.emptyText}}
             create={mayImport && <ButtonLink kind="primary" icon="upload" href={to('import')}>{words.wizard}</ButtonLink>}
             notice={imports.newer.isChanged && <NewerPill onPress={() => void imports.refresh()}>{words.newer}</NewerPill>}>
      <Table label={words.title} columns="minmax(12rem, 2fr) minmax(8rem, 1fr) 7rem 7rem 7rem 7rem 7rem" narrow="minmax(0, 1fr) auto 5rem" rows={(imports.total ?? 0) + 1}>
        <TableHead>
          <HeaderCell>{words.columns.when}</HeaderCell><HeaderCell>{words.columns.status}</HeaderCell><HeaderCell align="end">{words.columns.rows}</HeaderCell>
          <HeaderCell wide align="end">{words.columns.made}</HeaderCell><HeaderCell wide align="end">{words.columns.updated}</HeaderCell>
          <HeaderCell wide align="end">{words.columns.skipped}</HeaderCell><HeaderCell wide align="end">{words.columns.failed}</HeaderCell>
        </TableHead>
        <TableBody>
          {imports.ids.map((id, index) => {
            const known = store.get('import', id);
            return known && (
              <Row key={id} place={index + 2}>
                <Cell isName><Link quiet href={to('imports/' + id)}>{format.dateTime(known.createdAt)}</Link></Cell>
                <ImportRow id={id} />
              </Row>
            );
          })}
        </TableBody>
      </Table>
    </Listing>
  );
}

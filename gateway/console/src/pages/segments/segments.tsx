import {useScope} from '../../api/scope.tsx';
import {useSegmentCount, useSegments, type SegmentFilter} from '../../api/segments.ts';
import {ButtonLink} from '../../design/button.tsx';
import {Link} from '../../design/link.tsx';
import {Page, PageHeader} from '../../design/page.tsx';
import {EmptyState} from '../../design/state.tsx';
import {Cell, Clip, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useTitle} from '../../shell/title.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {ListState} from '../lists/list_state.tsx';

export default function SegmentsPage() {
  const {audience: {segments: words, columns}} = useTexts();
  useTitle(words.title);
  const format = useFormat();
  const to = useAddress();
  const {store} = useScope();
  const segments = useSegments({sort_by: 'name', order: 'asc'});
  const mayCreate = useHeld('Create:List');
  const maySee = useHeld('Get:Contact');
  const create = mayCreate && <ButtonLink kind="primary" icon="plus" href={to('segments/new')}>{words.create}</ButtonLink>;
  return (
    <Page header={<PageHeader title={words.title} description={words.text} {...(segments.total !== null && {count: format.number(segments.total)})} actions={create} />}>
      <ListState list={segments} isFiltered={false} empty={<EmptyState icon="segment" title={words.empty} actions={create}>{words.emptyText}</EmptyState>}>
        <Table label={words.title} columns="minmax(0, 2fr) minmax(0, 2fr) 9rem auto" narrow="minmax(0, 1fr) auto auto" rows={(segments.total ?? 0) + 1}>
          <TableHead>
            <HeaderCell>{columns.name}</HeaderCell><HeaderCell wide>{columns.description}</HeaderCell>
            <HeaderCell align="end">{columns.contacts}</HeaderCell><HeaderCell isHidden>{columns.actions}</HeaderCell>
          </TableHead>
          <TableBody>
            {segments.ids.map((id, index) => {
              const segment = store.get('segment', id);
              return segment && (
                <Row key={id} place={index + 2}>
                  <Cell isName><Link quiet href={to('segments/' + id)}><Clip>{segment.name}</Clip></Link></Cell>
                  <Cell wide isMuted><Clip>{segment.description}</Clip></Cell>
                  <Cell align="end"><CountOf filter={segment.filter} /></Cell>
                  <Cell align="end">{maySee && <ButtonLink size="s" kind="quiet" href={to('contacts', {segment: id})} aria-label={`${words.show}: ${segment.name}`}>{words.show}</ButtonLink>}</Cell>
                </Row>
              );
            })}
          </TableBody>
        </Table>
      </ListState>
    </Page>
  );
}

function CountOf({filter}: {filter: SegmentFilter}) {
  const {audience: {segments: words}} = useTexts();
  const format = useFormat();
  const {value, problem} = useSegmentCount(filter);
  return problem ? words.countUnknown : value ? format.number(value.numberOfContacts) : '…';
}

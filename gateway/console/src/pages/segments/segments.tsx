import {useEffect, useState} from 'react';
import {useScope} from '../../api/scope.tsx';
import {useSegmentCount, useSegments, type SegmentFilter} from '../../api/segments.ts';
import {ButtonLink} from '../../design/button.tsx';
import {Link} from '../../design/link.tsx';
import {Cell, Clip, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {TypedSearch} from '../../shell/typed_search.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {useListing} from '../audience/address.ts';
import {Listing} from '../audience/listing.tsx';

const kCountedAtOnce = 4;

export default function SegmentsPage() {
  const {audience: {segments: words, columns, ...common}} = useTexts();
  const to = useAddress();
  const {store} = useScope();
  const {search, by, order, onSearch, sorted} = useListing('segments', {name: 'asc', createdAt: 'desc'});
  const segments = useSegments({sort_by: by, order, ...(search.q && {search: search.q})});
  const [counted, setCounted] = useState<ReadonlySet<string>>(new Set());
  const due = new Set([...counted, ...segments.ids.filter((id) => store.get('segment', id) && !counted.has(id)).slice(0, kCountedAtOnce)]);
  const [mayCreate, maySee] = [useHeld('Create:List'), useHeld('Get:Contact')];
  return (
    <Listing title={words.title} text={words.text} icon="segment" list={segments} isFiltered={search.q !== undefined} empty={{title: words.empty, text: words.emptyText}}
             create={mayCreate && <ButtonLink kind="primary" icon="plus" href={to('segments/new')}>{words.create}</ButtonLink>}
             search={<TypedSearch label={common.search} clear={common.clearSearch} value={search.q} onSearch={onSearch} />}>
      <Table label={words.title} columns="minmax(0, 2fr) minmax(0, 2fr) 9rem auto" narrow="minmax(0, 1fr) auto auto" rows={(segments.total ?? 0) + 1}>
        <TableHead>
          <HeaderCell {...sorted('name')}>{columns.name}</HeaderCell><HeaderCell wide>{columns.description}</HeaderCell>
          <HeaderCell align="end">{columns.contacts}</HeaderCell><HeaderCell isHidden>{columns.actions}</HeaderCell>
        </TableHead>
        <TableBody>
          {segments.ids.map((id, index) => {
            const segment = store.get('segment', id);
            return segment && (
              <Row key={id} place={index + 2}>
                <Cell isName><Link quiet href={to('segments/' + id)}><Clip>{segment.name}</Clip></Link></Cell>
                <Cell wide isMuted><Clip>{segment.description}</Clip></Cell>
                <Cell align="end"><CountOf filter={segment.filter} isDue={due.has(id)} onCounted={() => setCounted((known) => new Set(known).add(id))} /></Cell>
                <Cell align="end">{maySee && <ButtonLink size="s" kind="quiet" href={to('contacts', {segment: id})} aria-label={`${words.show}: ${segment.name}`}>{words.show}</ButtonLink>}</Cell>
              </Row>
            );
          })}
        </TableBody>
      </Table>
    </Listing>
  );
}

/** Counting goes through many contacts: it begins when it is due. */
function CountOf({filter, isDue, onCounted}: {filter: SegmentFilter; isDue: boolean; onCounted: () => void}) {
  const {audience: {segments: words}} = useTexts();
  const format = useFormat();
  const mayCount = useHeld('Get:Contact');
  const {value, problem, triesAgainAt} = useSegmentCount(mayCount && isDue ? filter : null);
  const isCounted = value !== undefined || (problem !== null && triesAgainAt === null);
  useEffect(() => {
    if (isCounted) onCounted();
  }, [isCounted]);
  return problem || mayCount === false ? words.countUnknown : value ? format.number(value.numberOfContacts) : '…';
}

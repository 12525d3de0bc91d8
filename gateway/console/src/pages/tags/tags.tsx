import {Suspense, useState} from 'react';
import {useScope} from '../../api/scope.tsx';
import {useTags} from '../../api/tags.ts';
import {Tag} from '../../design/badge.tsx';
import {Button, ButtonLink} from '../../design/button.tsx';
import {Cell, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {TypedSearch} from '../../shell/typed_search.tsx';
import {useTexts} from '../../texts/index.tsx';
import {useListing} from '../audience/address.ts';
import {Listing, RowActions} from '../audience/listing.tsx';

const EditTag = part(() => import('./edit_tag.tsx'), (file) => file.EditTag);
const DeleteTag = part(() => import('./delete_tag.tsx'), (file) => file.DeleteTag);

export default function TagsPage() {
  const {audience: {tags: words, columns, ...common}} = useTexts();
  const to = useAddress();
  const {store} = useScope();
  const {search, order, onSearch, sorted} = useListing('tags', {label: 'asc'});
  const tags = useTags({sort_by: 'label', order, ...(search.q && {search: search.q})});
  const [edited, setEdited] = useState<string | 'new' | null>(null);
  const [deleted, setDeleted] = useState<string | null>(null);
  const [mayCreate, mayEdit, mayDelete, maySee] = [useHeld('Create:Tag'), useHeld('Update:Tag'), useHeld('Delete:Tag'), useHeld('Get:Contact')];
  return (
    <>
      <Listing narrow title={words.title} text={words.text} icon="tag" list={tags} isFiltered={search.q !== undefined} empty={{title: words.empty, text: words.emptyText}}
               create={mayCreate && <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>{words.create}</Button>}
               search={<TypedSearch label={common.search} clear={common.clearSearch} value={search.q} onSearch={onSearch} />}>
        <Table label={words.title} columns="minmax(0, 1fr) auto" rows={(tags.total ?? 0) + 1}>
          <TableHead><HeaderCell {...sorted('label')}>{words.label}</HeaderCell><HeaderCell isHidden>{columns.actions}</HeaderCell></TableHead>
          <TableBody>
            {tags.ids.map((id, index) => {
              const label = store.get('tag', id)?.label;
              return label !== undefined && (
                <Row key={id} place={index + 2}>
                  <Cell isName><Tag>{label}</Tag></Cell>
                  <Cell align="end">
                    <RowActions name={label} edit={common.rename} onEdit={mayEdit && (() => setEdited(id))} onDelete={mayDelete && (() => setDeleted(id))}>
                      {maySee && <ButtonLink size="s" kind="quiet" href={to('contacts', {tag: id})} aria-label={`${words.show}: ${label}`}>{words.show}</ButtonLink>}
                    </RowActions>
                  </Cell>
                </Row>
              );
            })}
          </TableBody>
        </Table>
      </Listing>
      {edited && <Suspense><EditTag key={edited} id={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /></Suspense>}
      {deleted && <Suspense><DeleteTag key={deleted} id={deleted} onClose={() => setDeleted(null)} /></Suspense>}
    </>
  );
}

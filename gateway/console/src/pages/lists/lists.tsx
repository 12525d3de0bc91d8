import {Suspense, useState} from 'react';
import {useLists} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {Tag, Tags} from '../../design/badge.tsx';
import {Button} from '../../design/button.tsx';
import {Link} from '../../design/link.tsx';
import {Cell, Clip, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {TypedSearch} from '../../shell/typed_search.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {useListing} from '../audience/address.ts';
import {Listing, RowActions} from '../audience/listing.tsx';

const EditList = part(() => import('./edit_list.tsx'), (file) => file.EditList);
const DeleteList = part(() => import('./delete_list.tsx'), (file) => file.DeleteList);

export default function ListsPage() {
  const {audience: {lists: words, columns, ...common}} = useTexts();
  const format = useFormat();
  const to = useAddress();
  const {store} = useScope();
  const {search, by, order, onSearch, sorted} = useListing('lists', {name: 'asc', numberOfContacts: 'desc', createdAt: 'desc'});
  const lists = useLists({sort_by: by, order, ...(search.q && {search: search.q})});
  const [edited, setEdited] = useState<string | 'new' | null>(null);
  const [deleted, setDeleted] = useState<string | null>(null);
  const [mayCreate, mayEdit, mayDelete] = [useHeld('Create:List'), useHeld('Update:List'), useHeld('Delete:List')];
  return (
    <>
      <Listing title={words.title} text={words.text} icon="list" list={lists} isFiltered={search.q !== undefined} empty={{title: words.empty, text: words.emptyText}}
               create={mayCreate && <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>{words.create}</Button>}
               search={<TypedSearch label={common.search} clear={common.clearSearch} value={search.q} onSearch={onSearch} />}>
        <Table label={words.title} columns="minmax(12rem, 2fr) minmax(8rem, 1.5fr) 7rem 9rem 8rem 4.5rem" narrow="minmax(0, 1fr) auto 4.5rem" rows={(lists.total ?? 0) + 1}>
          <TableHead>
            <HeaderCell {...sorted('name')}>{columns.name}</HeaderCell>
            <HeaderCell wide>{columns.tags}</HeaderCell>
            <HeaderCell align="end" {...sorted('numberOfContacts')}>{columns.contacts}</HeaderCell>
            <HeaderCell wide align="end">{columns.campaigns}</HeaderCell>
            <HeaderCell wide align="end" {...sorted('createdAt')}>{columns.created}</HeaderCell>
            <HeaderCell isHidden>{columns.actions}</HeaderCell>
          </TableHead>
          <TableBody>
            {lists.ids.map((id, index) => {
              const list = store.get('list', id);
              if (!list) return null;
              const tags = (list.tagIds ?? []).flatMap((tag) => store.get('tag', tag)?.label ?? []);
              return (
                <Row key={id} place={index + 2}>
                  <Cell isName><Link quiet href={to('contacts', {list: id})}><Clip>{list.name}</Clip></Link></Cell>
                  <Cell wide>{tags.length > 0 && <Tags>{tags.map((tag) => <Tag key={tag}>{tag}</Tag>)}</Tags>}</Cell>
                  <Cell align="end">{format.number(list.numberOfContacts)}</Cell>
                  <Cell wide align="end" isMuted>{format.number(list.numberOfCampaignsSent)}</Cell>
                  <Cell wide align="end" isMuted>{format.date(list.createdAt)}</Cell>
                  <Cell align="end"><RowActions name={list.name} edit={common.edit} onEdit={mayEdit && (() => setEdited(id))} onDelete={mayDelete && (() => setDeleted(id))} /></Cell>
                </Row>
              );
            })}
          </TableBody>
        </Table>
      </Listing>
      {edited && <Suspense><EditList key={edited} id={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /></Suspense>}
      {deleted && <Suspense><DeleteList key={deleted} id={deleted} onClose={() => setDeleted(null)} /></Suspense>}
    </>
  );
}

import {lazy, Suspense, useState} from 'react';
import {useLists} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {Tag, Tags} from '../../design/badge.tsx';
import {Button, IconButton} from '../../design/button.tsx';
import {Link} from '../../design/link.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {EmptyState} from '../../design/state.tsx';
import {Cell, Clip, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {SearchField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useTitle} from '../../shell/title.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {ListState} from './list_state.tsx';
import {useSlowly} from './use_slowly.ts';

const EditList = lazy(() => import('./edit_list.tsx').then((all) => ({default: all.EditList})));
const DeleteList = lazy(() => import('./delete_list.tsx').then((all) => ({default: all.DeleteList})));

type Sort = 'name' | 'numberOfContacts' | 'createdAt';

export default function ListsPage() {
  const {audience: {lists: words, columns, ...common}} = useTexts();
  useTitle(words.title);
  const format = useFormat();
  const to = useAddress();
  const {store} = useScope();
  const [text, setText] = useState('');
  const [sort, setSort] = useState<{by: Sort; order: 'asc' | 'desc'}>({by: 'name', order: 'asc'});
  const search = useSlowly(text.trim());
  const lists = useLists({sort_by: sort.by, order: sort.order, ...(search && {search})});
  const [edited, setEdited] = useState<string | 'new' | null>(null);
  const [deleted, setDeleted] = useState<string | null>(null);
  const [mayCreate, mayEdit, mayDelete] = [useHeld('Create:List'), useHeld('Update:List'), useHeld('Delete:List')];
  const create = mayCreate && <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>{words.create}</Button>;
  const sorted = (by: Sort, usual: 'asc' | 'desc') => ({
    sort: sort.by === by ? (sort.order === 'asc' ? 'ascending' as const : 'descending' as const) : 'none' as const,
    onSort: () => setSort({by, order: sort.by === by ? (sort.order === 'asc' ? 'desc' : 'asc') : usual}),
  });
  return (
    <Page wide header={<PageHeader title={words.title} description={words.text} {...(lists.total !== null && {count: format.number(lists.total)})} actions={create} />}>
      <ListState list={lists} isFiltered={search !== ''} empty={<EmptyState icon="list" title={words.empty} actions={create}>{words.emptyText}</EmptyState>}
                 search={<SearchField label={common.search} placeholder={common.search} clear={common.clearSearch} value={text} onChange={setText} maxLength={100} />}>
        <Table label={words.title} columns="minmax(12rem, 2fr) minmax(8rem, 1.5fr) 7rem 9rem 8rem 4.5rem" narrow="minmax(0, 1fr) auto 4.5rem" rows={(lists.total ?? 0) + 1}>
          <TableHead>
            <HeaderCell {...sorted('name', 'asc')}>{columns.name}</HeaderCell>
            <HeaderCell wide>{columns.tags}</HeaderCell>
            <HeaderCell align="end" {...sorted('numberOfContacts', 'desc')}>{columns.contacts}</HeaderCell>
            <HeaderCell wide align="end">{columns.campaigns}</HeaderCell>
            <HeaderCell wide align="end" {...sorted('createdAt', 'desc')}>{columns.created}</HeaderCell>
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
                  <Cell align="end">
                    <Stack row gap={1}>
                      {mayEdit && <IconButton size="s" icon="edit" label={`${common.edit}: ${list.name}`} onPress={() => setEdited(id)} />}
                      {mayDelete && <IconButton size="s" icon="trash" label={`${common.delete}: ${list.name}`} onPress={() => setDeleted(id)} />}
                    </Stack>
                  </Cell>
                </Row>
              );
            })}
          </TableBody>
        </Table>
      </ListState>
      {edited && <Suspense><EditList key={edited} id={edited === 'new' ? null : edited} onClose={() => setEdited(null)} /></Suspense>}
      {deleted && <Suspense><DeleteList key={deleted} id={deleted} onClose={() => setDeleted(null)} /></Suspense>}
    </Page>
  );
}

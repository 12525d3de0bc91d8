import {useState} from 'react';
import {useScope} from '../../api/scope.tsx';
import {useTags} from '../../api/tags.ts';
import {Tag} from '../../design/badge.tsx';
import {Button, ButtonLink, IconButton} from '../../design/button.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {EmptyState} from '../../design/state.tsx';
import {Cell, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {SearchField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useTitle} from '../../shell/title.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {ListState} from '../lists/list_state.tsx';
import {useSlowly} from '../lists/use_slowly.ts';
import {DeleteTag, EditTag} from './tag_dialogs.tsx';

export default function TagsPage() {
  const {audience: {tags: words, columns, ...common}} = useTexts();
  useTitle(words.title);
  const format = useFormat();
  const to = useAddress();
  const {store} = useScope();
  const [text, setText] = useState('');
  const search = useSlowly(text.trim());
  const tags = useTags({sort_by: 'label', order: 'asc', ...(search && {search})});
  const [edited, setEdited] = useState<string | 'new' | null>(null);
  const [deleted, setDeleted] = useState<string | null>(null);
  const [mayCreate, mayEdit, mayDelete, maySee] = [useHeld('Create:Tag'), useHeld('Update:Tag'), useHeld('Delete:Tag'), useHeld('Get:Contact')];
  const create = mayCreate && <Button kind="primary" icon="plus" onPress={() => setEdited('new')}>{words.create}</Button>;
  return (
    <Page header={<PageHeader title={words.title} description={words.text} {...(tags.total !== null && {count: format.number(tags.total)})} actions={create} />}>
      <ListState list={tags} isFiltered={search !== ''} empty={<EmptyState icon="tag" title={words.empty} actions={create}>{words.emptyText}</EmptyState>}
                 search={<SearchField label={common.search} placeholder={common.search} clear={common.clearSearch} value={text} onChange={setText} maxLength={100} />}>
        <Table label={words.title} columns="minmax(0, 1fr) auto" rows={(tags.total ?? 0) + 1}>
          <TableHead><HeaderCell>{words.label}</HeaderCell><HeaderCell isHidden>{columns.actions}</HeaderCell></TableHead>
          <TableBody>
            {tags.ids.map((id, index) => {
              const tag = store.get('tag', id);
              if (!tag) return null;
              return (
                <Row key={id} place={index + 2}>
                  <Cell isName><Tag>{tag.label}</Tag></Cell>
                  <Cell align="end">
                    <Stack row gap={1}>
                      {maySee && <ButtonLink size="s" kind="quiet" href={to('contacts', {tag: id})} aria-label={`${words.show}: ${tag.label}`}>{words.show}</ButtonLink>}
                      {mayEdit && <IconButton size="s" icon="edit" label={`${common.rename}: ${tag.label}`} onPress={() => setEdited(id)} />}
                      {mayDelete && <IconButton size="s" icon="trash" label={`${common.delete}: ${tag.label}`} onPress={() => setDeleted(id)} />}
                    </Stack>
                  </Cell>
                </Row>
              );
            })}
          </TableBody>
        </Table>
      </ListState>
      {edited && <EditTag key={edited} id={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
      {deleted && <DeleteTag key={deleted} id={deleted} onClose={() => setDeleted(null)} />}
    </Page>
  );
}

import {useState} from 'react';
import {useScope} from '../../api/scope.tsx';
import {Button} from '../../design/button.tsx';
import {Fields, Form} from '../../design/field.tsx';
import {Select} from '../../design/select.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import {AttributeName, PickOne, useListOptions, useSegmentOptions, useTagOptions} from './pickers.tsx';
import {attributesOf, changed, hasOf, kStatuses, type ContactsSearch, type ContactStatus} from './search.ts';

/** All that contacts can be filtered by, at once; what is left empty does not filter. */
export function FilterForm({search, onApply}: {search: ContactsSearch; onApply: (search: ContactsSearch) => void}) {
  const {contacts: words} = useTexts();
  const {store} = useScope();
  const [maySeeLists, maySeeTags] = [useHeld('Get:List'), useHeld('Get:Tag')];
  const [draft, setDraft] = useState<ContactsSearch>(search);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const put = (change: {[K in keyof ContactsSearch]?: ContactsSearch[K] | undefined}) => setDraft((draft) => changed(draft, change));
  const apply = () => {
    const attributes = {...attributesOf(draft.has), ...(name.trim() && value.trim() && {[name.trim()]: value.trim()})};
    onApply(changed(draft, {has: hasOf(attributes)}));
  };
  const chosen = (id: string | undefined, name: string | undefined) => (id === undefined ? null : {id, text: name ?? id});
  return (
    <Form onSubmit={apply} label={words.addFilterTitle}>
      <Fields>
        {maySeeTags && <PickOne label={words.by.tag} useChoices={useTagOptions} chosen={chosen(draft.tag, draft.tag && store.get('tag', draft.tag)?.label)} onPick={(tag) => put({tag: tag?.id})} />}
        {maySeeLists && <PickOne label={words.by.list} useChoices={useListOptions} chosen={chosen(draft.list, draft.list && store.get('list', draft.list)?.name)} onPick={(list) => put({list: list?.id})} />}
        {maySeeLists && <PickOne label={words.by.segment} useChoices={useSegmentOptions} chosen={chosen(draft.segment, draft.segment && store.get('segment', draft.segment)?.name)} onPick={(segment) => put({segment: segment?.id})} />}
        <Select label={words.by.status} placeholder={words.choose} value={draft.status ?? null} onChange={(key) => put({status: (key ?? undefined) as ContactStatus | undefined})}
                options={kStatuses.map((id) => ({id, text: words.statuses[id]}))} />
        <Fields columns>
          <AttributeName label={words.by.attribute} value={name} onChange={setName} />
          <TextField label={words.value} value={value} onChange={setValue} maxLength={255} />
        </Fields>
        <Button kind="primary" type="submit" wide>{words.apply}</Button>
      </Fields>
    </Form>
  );
}

import {useState} from 'react';
import {useContactAttributes} from '../../api/contacts.ts';
import {useLists} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {useSegments} from '../../api/segments.ts';
import {useTags} from '../../api/tags.ts';
import {Button} from '../../design/button.tsx';
import {Fields, Form} from '../../design/field.tsx';
import type {Option} from '../../design/list_box.tsx';
import {ComboBox} from '../../design/combo_box.tsx';
import {Select} from '../../design/select.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import {attributesOf, changed, hasOf, kStatuses, type ContactsSearch, type ContactStatus} from './search.ts';


/** All that contacts can be filtered by, at once; what is left empty does not filter. */
export function FilterForm({search, onApply}: {search: ContactsSearch; onApply: (search: ContactsSearch) => void}) {
  const {contacts: words} = useTexts();
  const {store} = useScope();
  const maySeeLists = useHeld('Get:List');
  const maySeeTags = useHeld('Get:Tag');
  const tags = useTags({sort_by: 'label', order: 'asc'}, maySeeTags === true);
  const lists = useLists({sort_by: 'name', order: 'asc'}, maySeeLists === true);
  const segments = useSegments({sort_by: 'name', order: 'asc'}, maySeeLists === true);
  const {value: known} = useContactAttributes();
  const [draft, setDraft] = useState<ContactsSearch>(search);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const put = (change: {[K in keyof ContactsSearch]?: ContactsSearch[K] | undefined}) => setDraft((draft) => changed(draft, change));
  const apply = () => {
    const attributes = {...attributesOf(draft.has), ...(name.trim() && value.trim() && {[name.trim()]: value.trim()})};
    onApply(changed(draft, {has: hasOf(attributes)}));
  };
  const named = (ids: readonly string[], textOf: (id: string) => string | undefined): Option[] =>
    ids.flatMap((id) => {
      const text = textOf(id);
      return text === undefined ? [] : [{id, text}];
    });
  const pick = (label: string, options: readonly Option[], chosen: string | undefined, onPick: (id: string | undefined) => void) => (
    <ComboBox label={label} options={options} empty={words.nothingFound} placeholder={words.choose} defaultSelectedKey={chosen ?? null}
              onSelectionChange={(key) => onPick(key === null ? undefined : String(key))} />
  );
  return (
    <Form onSubmit={apply} label={words.addFilterTitle}>
      <Fields>
        {maySeeTags && tags.asOf > 0 && pick(words.by.tag, named(tags.ids, (id) => store.get('tag', id)?.label), draft.tag, (tag) => put({tag}))}
        {maySeeLists && lists.asOf > 0 && pick(words.by.list, named(lists.ids, (id) => store.get('list', id)?.name), draft.list, (list) => put({list}))}
        {maySeeLists && segments.asOf > 0 && pick(words.by.segment, named(segments.ids, (id) => store.get('segment', id)?.name), draft.segment, (segment) => put({segment}))}
        <Select label={words.by.status} placeholder={words.choose} value={draft.status ?? null} onChange={(key) => put({status: (key ?? undefined) as ContactStatus | undefined})}
                options={kStatuses.map((id) => ({id, text: words.statuses[id]}))} />
        <Fields columns>
          <ComboBox label={words.by.attribute} allowsCustomValue empty={words.attributesEmpty} inputValue={name} onInputChange={setName}
                    options={(known?.attributes ?? []).map((each) => ({id: each.name, text: each.name, description: words.onContacts(each.numberOfContacts)}))}
                    onSelectionChange={(key) => key !== null && setName(String(key))} />
          <TextField label={words.value} value={value} onChange={setValue} maxLength={255} />
        </Fields>
        <Button kind="primary" type="submit" wide>{words.apply}</Button>
      </Fields>
    </Form>
  );
}

import {loadList, useCreateList, useUpdateList} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {TextArea, TextField} from '../../design/text_field.tsx';
import {useEdited} from '../../shell/edited.ts';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';
import {EditDialog} from '../audience/edit_dialog.tsx';
import {chosenTags, namesOf, TagsPicker, type Chosen} from '../contacts/pickers.tsx';

interface Draft {
  name: string;
  description: string;
  tags: readonly Chosen[];
}

/** Makes a list (`id` null), or changes one. */
export function EditList({id, onClose}: {id: string | null; onClose: () => void}) {
  const {audience: {lists: words, ...common}, contacts} = useTexts();
  const {store} = useScope();
  const edited = useEdited({
    kind: 'list', load: loadList,
    draftOf: (list): Draft => ({name: list?.name ?? '', description: list?.description ?? '', tags: chosenTags(store, list?.tagIds)}),
    bodyOf: ({name, description, tags}: Draft) => ({name: name.trim(), description, tags: tags.map((tag) => tag.id).sort()}),
  }, id, useCreateList(), useUpdateList());
  const {draft, put, at} = edited;
  return (
    <EditDialog title={id === null ? words.create : words.edit} action={id === null ? words.createAction : common.save} edited={edited} onClose={onClose}
                factsOf={({name, description, tags}) => [[common.name, name], [common.description, description], [contacts.tagsField, namesOf(tags)]]}
                onSaved={({name}) => toasts.add({title: id === null ? words.created : common.saved, text: name}, {timeout: 4000})}>
      <TextField label={common.name} value={draft.name} onChange={(name) => put({name})} autoFocus isRequired maxLength={255} error={at('name')} />
      <TextArea label={common.description} hint={common.optional} value={draft.description} onChange={(description) => put({description})} maxLength={2000} error={at('description')} />
      <TagsPicker label={contacts.tagsField} hint={common.optional} chosen={draft.tags} onChange={(tags) => put({tags})} mayCreate error={at('tags')} />
    </EditDialog>
  );
}

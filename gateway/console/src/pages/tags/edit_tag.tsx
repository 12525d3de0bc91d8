import {loadTag, useCreateTag, useUpdateTag} from '../../api/tags.ts';
import {TextField} from '../../design/text_field.tsx';
import {useEdited} from '../../shell/edited.ts';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';
import {EditDialog} from '../audience/edit_dialog.tsx';

interface Draft {
  label: string;
}

/** Makes a tag (`id` null), or gives one another label. */
export function EditTag({id, onClose}: {id: string | null; onClose: () => void}) {
  const {audience: {tags: words, ...common}} = useTexts();
  const edited = useEdited({
    kind: 'tag', load: loadTag,
    draftOf: (tag): Draft => ({label: tag?.label ?? ''}),
    bodyOf: ({label}: Draft) => ({label: label.trim()}),
  }, id, useCreateTag(), useUpdateTag());
  const {draft, put, at, problem} = edited;
  const isTaken = problem?.status === 409;
  return (
    <EditDialog size="s" title={id === null ? words.create : words.edit} action={id === null ? words.createAction : common.save} edited={edited} besides={[409]} onClose={onClose}
                factsOf={({label}) => [[words.label, label]]}
                onSaved={({label}) => toasts.add({title: id === null ? words.created : common.saved, text: label}, {timeout: 4000})}>
      <TextField label={words.label} value={draft.label} onChange={(label) => put({label})} autoFocus isRequired maxLength={255} error={at('label') ?? (isTaken ? words.known : undefined)} />
    </EditDialog>
  );
}

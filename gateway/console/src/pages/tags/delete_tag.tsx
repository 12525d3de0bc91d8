import {contactsFamily} from '../../api/contacts.ts';
import {usePart} from '../../api/hooks.ts';
import {useScope} from '../../api/scope.tsx';
import {useDeleteTag} from '../../api/tags.ts';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import {DeleteDialog} from '../audience/delete_dialog.tsx';
import {UsedBy} from '../audience/used_by.tsx';

/** Says how many contacts bear the tag, and what names it, before it goes. */
export function DeleteTag({id, onClose}: {id: string; onClose: () => void}) {
  const {audience: {tags: words}} = useTexts();
  const label = useScope().store.get('tag', id)?.label ?? '';
  const {value: total} = usePart(['contacts with the tag', id], async (scope, signal) => {
    const {meta} = await contactsFamily.load(scope, {tag: id}, {per_page: 1}, scope.store.asking(), signal);
    return {data: meta.total ?? null, degraded: [], version: null};
  }, {enabled: useHeld('Get:Contact') === true, isFresh: true});
  return (
    <DeleteDialog id={id} name={label} title={words.deleteTitle(label)} action={words.deleteAction} deleted={words.deleted} remove={useDeleteTag()} onClose={onClose}>
      <p>{typeof total === 'number' ? words.deleteText(total) : words.deleteUnknown}</p>
      <UsedBy used={{kind: 'tag', id}} />
    </DeleteDialog>
  );
}

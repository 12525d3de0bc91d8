import {useDeleteList} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {useTexts} from '../../texts/index.tsx';
import {DeleteDialog} from '../audience/delete_dialog.tsx';
import {UsedBy} from '../audience/used_by.tsx';

export function DeleteList({id, onClose}: {id: string; onClose: () => void}) {
  const {audience: {lists: words}} = useTexts();
  const {name = '', numberOfContacts = 0} = useScope().store.get('list', id) ?? {};
  return (
    <DeleteDialog id={id} name={name} title={words.deleteTitle(name)} action={words.deleteAction} deleted={words.deleted} remove={useDeleteList()} onClose={onClose}>
      <p>{words.deleteText(numberOfContacts)}</p>
      <UsedBy used={{kind: 'list', id}} />
    </DeleteDialog>
  );
}

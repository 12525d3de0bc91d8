import {useDeleteNote} from '../../api/notes.ts';
import {AlertDialog} from '../../design/dialog.tsx';
import {useTexts} from '../../texts/index.tsx';
import {useTellProblem} from './tell_problem.ts';

export function DeleteNote({id, onClose}: {id: string; onClose: () => void}) {
  const {inbox} = useTexts();
  const remove = useDeleteNote();
  const tell = useTellProblem();
  return (
    <AlertDialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={inbox.deleteNoteAsk} cancel={inbox.cancel} action={inbox.deleteNote}
                 isPending={remove.isUnderWay} onAction={() => void remove.change({id, version: null}).then(onClose, tell)}>
      {inbox.deleteNoteWords}
    </AlertDialog>
  );
}

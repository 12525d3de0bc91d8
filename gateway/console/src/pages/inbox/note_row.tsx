import {useState} from 'react';
import {useDeleteNote, useNote} from '../../api/notes.ts';
import {useScope} from '../../api/scope.tsx';
import {AlertDialog} from '../../design/dialog.tsx';
import {IconButton} from '../../design/button.tsx';
import {Message} from '../../design/message.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {Linked} from './linked.tsx';
import {useMemberName} from './names.ts';
import {useTellProblem} from './tell_problem.ts';

/** What a member told the others. No contact sees it. */
export function NoteRow({id, follows}: {id: string; follows: boolean}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {memberId} = useScope();
  const {value: note} = useNote(id);
  const author = useMemberName(note?.writtenBy.memberId);
  const mayDeleteAll = useHeld('Delete:Conversation') ?? false;
  const remove = useDeleteNote();
  const tell = useTellProblem();
  const [asks, setAsks] = useState(false);
  if (!note) return null;
  const mayDelete = note.writtenBy.memberId === memberId || mayDeleteAll;
  const time = format.time(note.createdAt) + (note.editedAt ? ' · ' + inbox.noteEdited : '');
  return (
    <>
      <Message kind="note" author={author} showsAuthor={!follows} follows={follows} head={inbox.note} text={<Linked text={note.text} />} time={time} at={note.createdAt}
               {...(mayDelete && {actions: <span className={s.on_hover}><IconButton size="s" icon="trash" label={inbox.deleteNote} onPress={() => setAsks(true)} /></span>})} />
      <AlertDialog isOpen={asks} onOpenChange={setAsks} title={inbox.deleteNoteAsk} cancel={inbox.cancel} action={inbox.deleteNote} isPending={remove.isUnderWay}
                   onAction={() => void remove.change({id, version: null}).then(() => setAsks(false), tell)}>{inbox.deleteNoteWords}</AlertDialog>
    </>
  );
}

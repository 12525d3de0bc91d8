import {Suspense, useState} from 'react';
import {useNote} from '../../api/notes.ts';
import {useScope} from '../../api/scope.tsx';
import {cx} from '../../design/cx.ts';
import {Message} from '../../design/message.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {Linked} from './linked.tsx';
import {useMemberName} from './names.ts';
import {QuickButton} from './quick_button.tsx';

const DeleteNote = part(() => import('./delete_note.tsx'), (file) => file.DeleteNote);

/** What a member told the others. No contact sees it. */
export function NoteRow({id, follows}: {id: string; follows: boolean}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {memberId} = useScope();
  const {value: note} = useNote(id);
  const author = useMemberName(note?.writtenBy.memberId);
  const mayDeleteAll = useHeld('Delete:Conversation') ?? false;
  const [asks, setAsks] = useState(false);
  if (!note) return null;
  const mayDelete = note.writtenBy.memberId === memberId || mayDeleteAll;
  const time = format.time(note.createdAt) + (note.editedAt ? ' · ' + inbox.noteEdited : '');
  return (
    <>
      <Message kind="note" author={author} showsAuthor={!follows} follows={follows} head={inbox.note} text={<Linked text={note.text} />} time={time} at={note.createdAt}
               {...(mayDelete && {actions: <span className={cx(s.on_hover, s.ours)}><QuickButton icon="trash" label={inbox.deleteNote} onPress={() => setAsks(true)} /></span>})} />
      {asks && <Suspense fallback={null}><DeleteNote id={id} onClose={() => setAsks(false)} /></Suspense>}
    </>
  );
}

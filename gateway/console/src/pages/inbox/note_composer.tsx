import {useRef, useState, type ReactNode, type RefObject} from 'react';
import {useMembers} from '../../api/members.ts';
import {useCreateNote} from '../../api/notes.ts';
import {useScope} from '../../api/scope.tsx';
import {Button} from '../../design/button.tsx';
import {Composer} from '../../design/composer.tsx';
import {useDraft} from '../../live/provider.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {SuggestionBox, type Suggestion} from './suggestion_box.tsx';
import {askedFor, mentionsIn, replaced} from './suggestions.ts';
import {useTellProblem} from './tell_problem.ts';

const kMost = 5000;

/** Writes to the other members. Whoever is named by @ hears of it. */
export function NoteComposer({conversationId, head, fieldRef, onSent}:
  {conversationId: string; head: ReactNode; fieldRef: RefObject<HTMLTextAreaElement | null>; onSent: () => void}) {
  const {inbox} = useTexts();
  const {store} = useScope();
  const {writing, write, spendElsewhere} = useDraft(conversationId + '/note');
  const members = useMembers({}, useHeld('Get:OrganizationMember') ?? false);
  // Of many members those too that only a search found.
  const chosen = useRef(new Set<string>());
  const create = useCreateNote();
  const tell = useTellProblem();
  const text = writing?.text ?? '';
  const [cursor, setCursor] = useState(0);
  const [isDismissed, setDismissed] = useState(false);
  const asked = isDismissed ? null : askedFor(text, Math.min(cursor, text.length), true);
  const over = Math.max(0, text.trim().length - kMost);
  const change = (words: string) => {
    write({text: words, replyToMessageId: null});
    setCursor(fieldRef.current?.selectionEnd ?? words.length);
    setDismissed(false);
  };
  const choose = ({id, title}: Suggestion) => {
    if (!asked) return;
    chosen.current.add(id);
    const next = replaced(text, asked, '@' + title + ' ');
    write({text: next.text, replyToMessageId: null});
    setDismissed(true);
    requestAnimationFrame(() => {
      fieldRef.current?.focus();
      fieldRef.current?.setSelectionRange(next.cursor, next.cursor);
    });
  };
  const save = async () => {
    if (text.trim() === '' || over > 0) return;
    const named = mentionsIn(text, [...new Set([...members.ids, ...chosen.current])].flatMap((id) => store.get('member', id) ?? []));
    try {
      // What could not be saved stays written.
      if (await spendElsewhere(() => create.change({conversationId, body: {text: text.trim(), mentions: named.slice(0, 50)}}))) onSent();
    } catch (error) {
      tell(error);
    }
  };
  return (
    <SuggestionBox asked={asked} field={fieldRef} onClose={() => setDismissed(true)} onChoose={choose}>
      {(aria) => (
        <Composer kind="note" label={inbox.writeNote} placeholder={inbox.notePlaceholder} value={text} onChange={change} onSend={() => void save()} head={head} ref={fieldRef}
                  isDisabled={writing === undefined} {...(aria && {suggestions: aria})}
                  end={
                    <>
                      {over > 0 && <span className={s.over} role="status">{inbox.tooLong(over)}</span>}
                      <Button kind="primary" icon="edit" isPending={create.isUnderWay} isDisabled={text.trim() === '' || over > 0} onPress={() => void save()}>{inbox.saveNote}</Button>
                    </>
                  } />
      )}
    </SuggestionBox>
  );
}

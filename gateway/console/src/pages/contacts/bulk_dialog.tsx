import {useState} from 'react';
import {ApiProblem} from '../../api/problem.ts';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {AlertDialog, Dialog} from '../../design/dialog.tsx';
import {Fields} from '../../design/field.tsx';
import {Select} from '../../design/select.tsx';
import {TextField} from '../../design/text_field.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {useTexts} from '../../texts/index.tsx';
import {valueOf} from './attribute_values.ts';
import type {BulkAction} from './own_change.ts';
import {AttributeName, ListsPicker, TagsPicker, type Chosen} from './pickers.tsx';
import {bulkContactsOf, kStatuses, type ContactsSearch, type ContactStatus} from './search.ts';
import type {Selection} from './selection.ts';
import type {Bulk} from './use_bulk.ts';

/**
 * Asks for what is to be done, and says in its button what happens to how many. That number does not change by itself: what was
 * read when the button is pressed is what happens, or nothing does.
 */
export function BulkDialog({action: type, selection, search, count: counted, bulk, onClose, onStarted, recount}: {
  action: BulkAction['type']; selection: Selection; search: ContactsSearch; count: number; bulk: Bulk;
  onClose: () => void; onStarted: () => void; recount: () => Promise<number | null>;
}) {
  const {contacts: words, shell} = useTexts();
  const [chosen, setChosen] = useState<readonly Chosen[]>([]);
  const [status, setStatus] = useState<ContactStatus>('Active');
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [isPending, setPending] = useState(false);
  const [isCounting, setCounting] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [seen, setSeen] = useState({selection, count: counted});
  const {count} = seen;
  const action = actionOf(type, {chosen, status, name, value});
  const run = async () => {
    if (!action || isPending) return;
    setPending(true);
    setProblem(null);
    try {
      if (seen.selection.kind === 'all') await bulk.startAll(bulkContactsOf(search), count, action);
      else bulk.startSome([...seen.selection.ids], action);
      onStarted();
      onClose();
    } catch (error) {
      if (error instanceof ApiProblem) setProblem(error);
    } finally {
      setPending(false);
    }
  };
  const isOtherNumber = problem?.status === 409 && problem.at('expected').length > 0;
  const countAgain = async () => {
    setCounting(true);
    const now = await recount().catch(() => null);
    setCounting(false);
    if (now === null) return;
    setSeen({selection, count: now});
    setProblem(null);
  };
  const notes = (
    <>
      {problem && (
        <Banner kind="danger" live actions={isOtherNumber && <Button size="s" isPending={isCounting} onPress={() => void countAgain()}>{words.lookAgain}</Button>}>
          {isOtherNumber ? words.otherNumber(count) : wordsOf(problem, shell)}
        </Banner>
      )}
      {seen.selection.kind === 'all' && <p>{words.filterText}</p>}
    </>
  );
  if (type === 'deleteContacts')
    return (
      <AlertDialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={words.deleteTitle(count)} cancel={words.cancel} action={words.doit.deleteContacts(count)}
                   isPending={isPending} isDisabled={count === 0} onAction={() => void run()}>
        <p>{words.deleteText}</p>{notes}
      </AlertDialog>
    );
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={words.actions[type]} close={words.close} onSubmit={() => void run()} actions={
      <>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button kind="primary" type="submit" isDisabled={!action || count === 0} isPending={isPending}>{words.doit[type](count)}</Button>
      </>
    }>
      <Fields>
        {(type === 'addTags' || type === 'removeTags') && <TagsPicker label={words.tagsField} chosen={chosen} onChange={setChosen} mayCreate={type === 'addTags'} />}
        {(type === 'addToLists' || type === 'removeFromLists') && <ListsPicker label={words.listsField} chosen={chosen} onChange={setChosen} />}
        {type === 'setStatus' && (
          <Select label={words.statusField} value={status} onChange={(key) => setStatus(key as ContactStatus)}
                  options={kStatuses.map((id) => ({id, text: words.statuses[id], description: words.statusNotes[id]}))} />
        )}
        {(type === 'setAttribute' || type === 'removeAttribute') && <AttributeName label={words.attributeField} value={name} onChange={setName} />}
        {type === 'setAttribute' && <TextField label={words.valueField} value={value} onChange={setValue} description={words.attributes.typeNote} />}
        {notes}
      </Fields>
    </Dialog>
  );
}

function actionOf(type: BulkAction['type'], {chosen, status, name, value}:
  {chosen: readonly Chosen[]; status: ContactStatus; name: string; value: string}): BulkAction | null {
  const ids = chosen.map((each) => each.id);
  switch (type) {
    case 'addTags': case 'removeTags': return ids.length > 0 ? {type, tags: ids} : null;
    case 'addToLists': case 'removeFromLists': return ids.length > 0 ? {type, listIds: ids} : null;
    case 'setStatus': return {type, status};
    case 'setAttribute': return name.trim() && value ? {type, attribute: name.trim(), value: valueOf(value)} : null;
    case 'removeAttribute': return name.trim() ? {type, attribute: name.trim()} : null;
    case 'deleteContacts': return {type};
  }
}

import {Suspense, useState} from 'react';
import {Button} from '../../design/button.tsx';
import {Menu} from '../../design/menu.tsx';
import {SelectionBar} from '../../design/table.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import type {BulkAction} from './own_change.ts';
import type {ContactsSearch} from './search.ts';
import {countOf, type Selection} from './selection.ts';
import type {Bulk} from './use_bulk.ts';

const BulkDialog = part(() => import('./bulk_dialog.tsx'), (file) => file.BulkDialog);
const kNeeds: Readonly<Record<BulkAction['type'], 'Update:Contact' | 'Update:List' | 'Delete:Contact'>> = {
  addTags: 'Update:Contact', removeTags: 'Update:Contact', addToLists: 'Update:List', removeFromLists: 'Update:List', setStatus: 'Update:Contact',
  setAttribute: 'Update:Contact', removeAttribute: 'Update:Contact', deleteContacts: 'Delete:Contact',
};

/** Over the rows: how many are selected, and what can be done with them. */
export function SelectionTools({selection, search, total, bulk, onAll, onClear, recount}: {
  selection: Selection; search: ContactsSearch; total: number; bulk: Bulk; onAll: () => void; onClear: () => void; recount: () => Promise<number | null>;
}) {
  const {contacts: words} = useTexts();
  const [action, setAction] = useState<BulkAction['type'] | null>(null);
  const held = {'Update:Contact': useHeld('Update:Contact'), 'Update:List': useHeld('Update:List'), 'Delete:Contact': useHeld('Delete:Contact')};
  const count = countOf(selection, total);
  const isBusy = bulk.current?.status === 'running' || bulk.current?.status === 'queued';
  const changes = (Object.keys(kNeeds) as BulkAction['type'][]).filter((type) => type !== 'deleteContacts' && held[kNeeds[type]]);
  return (
    <>
      <SelectionBar actions={
        <>
          {selection.kind === 'some' && count < total && <Button size="s" kind="quiet" onPress={onAll}>{words.selectAllInstead(total)}</Button>}
          {changes.length > 0 && (
            <Menu label={words.change} trigger={<Button size="s" icon="edit" isDisabled={isBusy}>{words.change}</Button>} onAction={(key) => setAction(key as BulkAction['type'])}
                  groups={[{id: 'changes', label: words.change, actions: changes.map((id) => ({id, text: words.actions[id]}))}]} />
          )}
          {held['Delete:Contact'] && <Button size="s" icon="trash" isDisabled={isBusy} onPress={() => setAction('deleteContacts')}>{words.delete}</Button>}
          <Button size="s" kind="quiet" icon="close" onPress={onClear}>{words.clearSelection}</Button>
        </>
      }>{selection.kind === 'all' ? words.allSelected(count) : words.selected(count)}</SelectionBar>
      {action && <Suspense><BulkDialog key={action} {...{action, selection, search, count, bulk, recount}} onClose={() => setAction(null)} onStarted={onClear} /></Suspense>}
    </>
  );
}

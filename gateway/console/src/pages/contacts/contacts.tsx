import {Suspense, useCallback, useRef, useState, type RefObject} from 'react';
import {useRouter, useSearch} from '@tanstack/react-router';
import {contactsExportAddress} from '../../api/contacts.ts';
import {useListById} from '../../api/lists.ts';
import type {Contact} from '../../api/entities.ts';
import {useScope} from '../../api/scope.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button, ButtonLink} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {Page, PageHeader} from '../../design/page.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {NewerPill} from '../../design/table.tsx';
import {ApiProblem} from '../../api/problem.ts';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useKeys} from '../../shell/keys.ts';
import {ProblemState, wordsOf} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {BulkProgress} from './bulk_progress.tsx';
import {ContactsTable} from './contacts_table.tsx';
import {DownloadLink} from './download_link.tsx';
import {Filters} from './filters.tsx';
import {Paging, shownOf} from './paging.tsx';
import {changed, contactsSearch, filterOf, isFiltered, isOfList, listingOf, type ContactsSearch} from './search.ts';
import type {Rows} from './rows.ts';
import {countOf, kMostByHand} from './selection.ts';
import {useBulk} from './use_bulk.ts';
import {useCurrent} from './use_current.ts';
import {useRows} from './use_rows.ts';
import {useSelection} from './use_selection.ts';
import s from './contacts.module.css';

const SelectionTools = part(() => import('./selection_tools.tsx'), (file) => file.SelectionTools);
const EditContact = part(() => import('../contact/edit_contact.tsx'), (file) => file.EditContact);

export default function ContactsPage() {
  const {contacts: words, shell} = useTexts();
  const format = useFormat();
  const scope = useScope();
  const router = useRouter();
  const to = useAddress();
  const search = contactsSearch(useSearch({strict: false}));
  const {first, rows} = useRows(listingOf(search));
  // The same contacts are selected however they are sorted.
  const {selection, refusal, closeRefusal, clear, selectAll, toggle: toggleId} = useSelection(JSON.stringify(filterOf(search)));
  const [isCreating, setCreating] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const bulk = useBulk();
  const [mayCreate, mayImport, mayExport, mayChange, mayJoin, maySeeLists] = [
    useHeld('Create:Contact'), useHeld('BulkImport:Contacts'), useHeld('Export:Contacts'),
    useHeld(['Update:Contact', 'Update:List', 'Delete:Contact']), useHeld('Update:List'), useHeld('Get:List'),
  ];

  const go = (next: ContactsSearch, replace = false) => void router.navigate({href: to('contacts', {...next}), replace});

  const total = rows.isBegun ? rows.total : first.total ?? 0;
  const shown = shownOf(total, search.page);
  const {current, choose, move, scrollTo, leave} = useCurrent(shown);
  const toggle = useCallback((row: number, isRange: boolean) => {
    const id = rows.id(row);
    if (id) toggleId(row, id, isRange ? (from) => rows.between(from, row) : undefined);
  }, [rows, toggleId]);
  const chosen = countOf(selection, total);
  useTitle(words.title);
  useContactsKeys({
    rows, current, move, toggle, field, ...(mayCreate && {create: () => setCreating(true)}),
    ...(chosen > 0 ? {clear} : current !== null && {clear: leave}),
  });

  const tellCreated = ({uniqueId, name, phone}: Contact) => toasts.add({
    title: words.create.created, text: name || phone,
    action: {text: words.create.open, onPress: () => void router.navigate({href: to('contacts/' + uniqueId)})},
  }, {timeout: 8000});
  const known = first.total !== null;
  // Where nobody is on a list that is there and that one may fill: a list that is no more has nobody, too.
  const list = useListById(known && total === 0 && mayJoin && maySeeLists && isOfList(search) ? search.list! : null);
  const importAddress = to('import', list.value ? {list: list.value.uniqueId} : {});
  const problem = first.problem ?? (rows.problem instanceof ApiProblem ? rows.problem : null);
  return (
    <Page wide fills header={
      <PageHeader title={words.title} {...(known && {count: format.number(total)})} actions={
        <>
          {mayExport && (
            <DownloadLink href={contactsExportAddress(scope, filterOf(search))} isDisabled={!known || total === 0}>{known && total > 0 ? words.exportAll(total) : words.export}</DownloadLink>
          )}
          {mayImport && <ButtonLink icon="upload" href={importAddress}>{words.importContacts}</ButtonLink>}
          {mayCreate && <Button kind="primary" icon="plus" onPress={() => setCreating(true)}>{words.newContact}</Button>}
        </>
      } />
    }>
      <div className={s.all}>
        <Filters search={search} onSearch={go} field={field} />
        {first.degraded.length > 0 && <Banner kind="degraded">{words.degraded}</Banner>}
        {bulk.current && <BulkProgress bulk={bulk} onEnd={() => void first.refresh()} />}
        {refusal && <Banner kind="warning" live close={words.close} onClose={closeRefusal}>{refusal === 'too many' ? words.tooMany(kMostByHand) : words.notLoaded}</Banner>}
        {known && problem && (
          <Banner kind="danger" live title={words.rowsFailed} actions={<Button size="s" icon="retry" onPress={() => (first.problem ? first.retry() : rows.retry())}>{shell.retry}</Button>}>
            {wordsOf(problem, shell)}
          </Banner>
        )}
        {!known && problem ? <ProblemState problem={problem} retry={first.retry} />
          : !known || list.isLoading ? <Loading label={words.loading}><Card><Skeleton kind="row" lines={12} /></Card></Loading>
            : total === 0 ? <Nothing search={search} isEmptyList={Boolean(list.value)} importAddress={mayImport && importAddress} onClear={() => go({})} {...(mayCreate && {onCreate: () => setCreating(true)})} />
              : (
                <div className={s.list}>
                  {chosen > 0 && mayChange && <Suspense><SelectionTools {...{selection, search, total, bulk}} onAll={selectAll} onClear={clear} recount={first.refresh} /></Suspense>}
                  {(first.newer.ids.length > 0 || first.newer.isChanged) && (
                    <NewerPill onPress={() => void first.refresh()}>{first.newer.ids.length > 0 ? words.newer(first.newer.ids.length) : words.changed}</NewerPill>
                  )}
                  <ContactsTable key={shown.page} {...{rows, search, selection, current, scrollTo}} from={shown.from} count={shown.count} onSearch={go} onToggle={toggle} onCurrent={choose}
                                 onToggleAll={() => (chosen === 0 ? selectAll() : clear())} />
                  {shown.pages > 1 && <Paging {...{shown, total}} onPage={(page) => go({...changed(search, {}), ...(page > 1 && {page})})} />}
                </div>
              )}
      </div>
      {isCreating && <Suspense><EditContact id={null} onSaved={tellCreated} onClose={() => setCreating(false)} /></Suspense>}
    </Page>
  );
}

interface KeysProps {
  rows: Rows;
  current: number | null;
  move: (step: number) => void;
  toggle: (row: number, isRange: boolean) => void;
  field: RefObject<HTMLInputElement | null>;
  /** Where one may. */
  create?: () => void;
  /** What Escape takes back, if there is something. */
  clear?: () => void;
}

function useContactsKeys({rows, current, move, toggle, field, create, clear}: KeysProps): void {
  const {contacts: words} = useTexts();
  const router = useRouter();
  const to = useAddress();
  useKeys([
    {keys: 'j', text: words.keys.next, run: () => move(1)},
    {keys: 'k', text: words.keys.previous, run: () => move(-1)},
    {keys: 'x', text: words.keys.select, run: () => current !== null && toggle(current, false), isDisabled: current === null},
    {keys: 'Shift+x', text: words.keys.selectTo, run: () => current !== null && toggle(current, true), isDisabled: current === null},
    {keys: 'Enter', text: words.keys.open, isDisabled: current === null, run: () => {
      const id = current === null ? undefined : rows.id(current);
      if (id) void router.navigate({href: to('contacts/' + id)});
    }},
    {keys: '/', text: words.keys.search, run: () => field.current?.focus()},
    {keys: 'n', text: words.newContact, run: () => create?.(), isDisabled: !create},
    {keys: 'Escape', text: words.keys.clear, run: () => clear?.(), isDisabled: !clear},
  ]);
}

/** Says why there is nobody, and what to do next. */
function Nothing({search, isEmptyList, importAddress, onClear, onCreate}:
  {search: ContactsSearch; isEmptyList: boolean; importAddress: string | false | undefined; onClear: () => void; onCreate?: () => void}) {
  const {contacts: words} = useTexts();
  if (isEmptyList)
    return (
      <EmptyState icon="list" title={words.emptyList.title} actions={
        <>
          {importAddress && <ButtonLink kind="primary" icon="upload" href={importAddress}>{words.importContacts}</ButtonLink>}
          <Button onPress={onClear}>{words.emptyList.all}</Button>
        </>
      }>{words.emptyList.text}</EmptyState>
    );
  if (isFiltered(search))
    return <EmptyState icon="search" title={words.noMatch.title} actions={<Button onPress={onClear}>{words.clearFilters}</Button>}>{words.noMatch.text}</EmptyState>;
  return (
    <EmptyState icon="contacts" title={words.empty.title} actions={
      <>
        {importAddress && <ButtonLink kind="primary" icon="upload" href={importAddress}>{words.importContacts}</ButtonLink>}
        {onCreate && <Button icon="plus" onPress={onCreate}>{words.newContact}</Button>}
      </>
    }>{words.empty.text}</EmptyState>
  );
}

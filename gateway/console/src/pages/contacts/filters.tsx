import {lazy, Suspense, useEffect, useRef, useState, type RefObject} from 'react';
import {useListById} from '../../api/lists.ts';
import {useSegment} from '../../api/segments.ts';
import {useTag} from '../../api/tags.ts';
import {Button} from '../../design/button.tsx';
import {FilterBar, FilterChip} from '../../design/page.tsx';
import {SearchField} from '../../design/text_field.tsx';
import {useTexts} from '../../texts/index.tsx';
import {attributesOf, changed, hasOf, isFiltered, type ContactsSearch} from './search.ts';

const FilterPopover = lazy(() => import('./filter_popover.tsx').then((all) => ({default: all.FilterPopover})));

type Change = (search: ContactsSearch, replace?: boolean) => void;

/** The search, and a chip for each thing that is filtered by. */
export function Filters({search, onSearch, field}: {search: ContactsSearch; onSearch: Change; field: RefObject<HTMLInputElement | null>}) {
  const {contacts: words} = useTexts();
  const [isOpen, setOpen] = useState(false);
  const without = (name: keyof ContactsSearch) => () => onSearch(changed(search, {[name]: undefined}));
  const chip = (name: string, value: string, onRemove: () => void) =>
    <FilterChip key={name + value} name={name} value={value} remove={words.removeFilter(`${name} ${value}`)} onRemove={onRemove} onPress={() => setOpen(true)} />;
  const attributes = attributesOf(search.has);
  return (
    <FilterBar label={words.filters} search={<Typed search={search} onSearch={onSearch} field={field} />}
               end={isFiltered(search) && <Button size="s" kind="quiet" onPress={() => onSearch(changed({...(search.sort && {sort: search.sort})}, {}))}>{words.clearFilters}</Button>}>
      {search.tag && <TagChip id={search.tag} chip={(text) => chip(words.by.tag, text, without('tag'))} />}
      {search.list && <ListChip id={search.list} chip={(text) => chip(words.by.list, text, without('list'))} />}
      {search.status && chip(words.by.status, words.statuses[search.status], without('status'))}
      {search.segment && <SegmentChip id={search.segment} chip={(text) => chip(words.by.segment, text, without('segment'))} />}
      {Object.entries(attributes).map(([name, value]) => chip(name, value, () => {
        const {[name]: _, ...rest} = attributes;
        onSearch(changed(search, {has: hasOf(rest)}));
      }))}
      <Suspense fallback={<Button size="s" icon="filter" isDisabled>{words.addFilter}</Button>}><FilterPopover {...{search, onSearch, isOpen}} onOpenChange={setOpen} /></Suspense>
    </FilterBar>
  );
}

const kPause = 250;

/** What is typed is asked for when the typing pauses, and stands in the address in place of what was there before. */
function Typed({search, onSearch, field}: {search: ContactsSearch; onSearch: Change; field: RefObject<HTMLInputElement | null>}) {
  const {contacts: words} = useTexts();
  const [text, setText] = useState(search.q ?? '');
  const sent = useRef(search.q ?? '');
  const send = useRef(onSearch);
  const latest = useRef(search);
  useEffect(() => {
    send.current = onSearch;
    latest.current = search;
  });
  useEffect(() => { // the address changed by itself
    if ((search.q ?? '') === sent.current) return;
    sent.current = search.q ?? '';
    setText(sent.current);
  }, [search.q]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      send.current(changed(latest.current, {q: sent.current || undefined}), true);
    }, kPause);
    return () => clearTimeout(timer);
  }, [text]);
  return <SearchField label={words.search} placeholder={words.search} clear={words.clearSearch} value={text} onChange={setText} maxLength={100} ref={field} />;
}

type Named = {id: string; chip: (text: string) => React.ReactNode};

/** A tag may be named by its label, too. */
function TagChip({id, chip}: Named) {
  const isId = /^[0-9a-f]{8}-/i.test(id);
  const {value} = useTag(isId ? id : null);
  return chip(isId ? value?.label ?? '…' : id);
}

function ListChip({id, chip}: Named) {
  const {contacts: words} = useTexts();
  const {value} = useListById(id);
  return chip(value === null ? words.unknownName : value?.name ?? '…');
}

function SegmentChip({id, chip}: Named) {
  const {contacts: words} = useTexts();
  const {value} = useSegment(id);
  return chip(value === null ? words.unknownName : value?.name ?? '…');
}


import {Suspense, useState, type RefObject} from 'react';
import {useListById} from '../../api/lists.ts';
import {useSegment} from '../../api/segments.ts';
import {useTag} from '../../api/tags.ts';
import {Button} from '../../design/button.tsx';
import {FilterBar, FilterChip} from '../../design/filter_bar.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {TypedSearch} from '../../shell/typed_search.tsx';
import {useTexts} from '../../texts/index.tsx';
import {attributesOf, changed, hasOf, isFiltered, type ContactsSearch} from './search.ts';

const FilterPopover = part(() => import('./filter_popover.tsx'), (file) => file.FilterPopover);

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
    <FilterBar label={words.filters} search={<TypedSearch label={words.search} clear={words.clearSearch} value={search.q} onSearch={(q) => onSearch(changed(search, {q: q || undefined}), true)} field={field} />}
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

type Named = {id: string; chip: (text: string) => React.ReactNode};

/** Null: it was deleted, or one may not see it. */
function useNameOf(name: string | null | undefined): string {
  const {contacts: words} = useTexts();
  return name === null ? words.unknownName : name ?? '…';
}

/** A tag may be named by its label, too. */
function TagChip({id, chip}: Named) {
  const isId = /^[0-9a-f]{8}-/i.test(id);
  const maySee = useHeld('Get:Tag');
  const {value} = useTag(isId && maySee ? id : null);
  return chip(useNameOf(!isId ? id : maySee === false ? null : value && value.label));
}

function ListChip({id, chip}: Named) {
  const maySee = useHeld('Get:List');
  const {value} = useListById(maySee ? id : null);
  return chip(useNameOf(maySee === false ? null : value && value.name));
}

function SegmentChip({id, chip}: Named) {
  const maySee = useHeld('Get:List');
  const {value} = useSegment(maySee ? id : null);
  return chip(useNameOf(maySee === false ? null : value && value.name));
}

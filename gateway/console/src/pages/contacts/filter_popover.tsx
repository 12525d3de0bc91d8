import {Suspense} from 'react';
import {Button} from '../../design/button.tsx';
import {Popover} from '../../design/popover.tsx';
import {part} from '../../parts.ts';
import {useTexts} from '../../texts/index.tsx';
import type {ContactsSearch} from './search.ts';

const FilterForm = part(() => import('./filter_form.tsx'), (file) => file.FilterForm);

/** The button that opens what one can filter by. It comes after the rows. */
export function FilterPopover({search, onSearch, isOpen, onOpenChange}:
  {search: ContactsSearch; onSearch: (search: ContactsSearch) => void; isOpen: boolean; onOpenChange: (isOpen: boolean) => void}) {
  const {contacts: words} = useTexts();
  return (
    <Popover label={words.addFilterTitle} isOpen={isOpen} onOpenChange={onOpenChange} trigger={<Button size="s" icon="filter">{words.addFilter}</Button>}>
      {(close) => <Suspense><FilterForm search={search} onApply={(next) => { onSearch(next); close(); }} /></Suspense>}
    </Popover>
  );
}

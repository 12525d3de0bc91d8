import {useEffect, useReducer, useRef, useState} from 'react';
import {useCampaigns} from '../../api/campaigns.ts';
import {useContactAttributes} from '../../api/contacts.ts';
import type {Entities, Kind} from '../../api/entities.ts';
import {entityOptions, type Load} from '../../api/hooks.ts';
import {useLists} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {useSegments} from '../../api/segments.ts';
import {useSlowly} from '../../api/slowly.ts';
import type {Store} from '../../api/store.ts';
import {useTags} from '../../api/tags.ts';
import {Tag, Tags} from '../../design/badge.tsx';
import {ComboBox} from '../../design/combo_box.tsx';
import type {IconName} from '../../design/icon.tsx';
import type {Option} from '../../design/option.tsx';
import {Stack} from '../../design/page.tsx';
import {useTexts, type Texts} from '../../texts/index.tsx';

export interface Chosen {
  /** Of a new tag its label. */
  readonly id: string;
  readonly text: string;
}

export const chosenTags = (store: Store, ids: readonly string[] = []): Chosen[] => ids.map((id) => ({id, text: store.get('tag', id)?.label ?? '…'}));
export const chosenLists = (store: Store, ids: readonly string[] = []): Chosen[] => ids.map((id) => ({id, text: store.get('list', id)?.name ?? '…'}));
export const namesOf = (chosen: readonly Chosen[]): string => chosen.map(({text}) => text).sort().join(', ');

/** What is chosen, by its names, which are asked for if they are not known; what was deleted is told. */
export function useChosen<K extends Kind>(kind: K, ids: readonly string[], load: Load<K>, nameOf: (value: Entities[K]) => string): Chosen[] {
  const {contacts: words} = useTexts();
  const scope = useScope();
  const {store} = scope;
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const unknown = ids.filter((id) => store.get(kind, id) === undefined).join();
  useEffect(() => {
    let isOver = false;
    for (const id of unknown.split(',').filter(Boolean))
      store.queries.fetchQuery(entityOptions(scope, kind, id, load)).then(() => isOver || draw(), () => undefined); // it stays without a name
    return () => {
      isOver = true;
    };
  }, [scope, kind, unknown]);
  return ids.map((id) => {
    const value = store.get(kind, id);
    return {id, text: value ? nameOf(value) : value === null ? words.unknownName : '…'};
  });
}

// ---- what there is to choose from, as the service finds it by what is typed ------------------------------------------

interface Found {
  readonly ids: readonly string[];
  readonly isLoading: boolean;
}
type OptionsOf = (typed: string, enabled?: boolean) => Option[];

/** Options of a kind, which `useAll` looks for when the typing pauses; those of before until its own are there. */
function optionsOf<K extends Kind>(kind: K, useAll: (search: {search?: string}, enabled?: boolean) => Found, optionOf: (value: Entities[K], words: Texts['contacts']) => Omit<Option, 'id'>): OptionsOf {
  return function useOptions(typed, enabled) {
    const {contacts: words} = useTexts();
    const {store} = useScope();
    const last = useRef<Option[]>([]);
    const search = useSlowly(typed.trim().slice(0, 100));
    const {ids, isLoading} = useAll(search ? {search} : {}, enabled);
    if (!isLoading)
      last.current = ids.flatMap((id) => {
        const value = store.get(kind, id);
        return value ? [{id, ...optionOf(value, words)}] : [];
      });
    return last.current;
  };
}

export const useTagOptions = optionsOf('tag', (search, enabled) => useTags({sort_by: 'label', order: 'asc', ...search}, enabled), ({label}) => ({text: label}));
export const useListOptions = optionsOf('list', (search, enabled) => useLists({sort_by: 'name', order: 'asc', ...search}, enabled),
  ({name, numberOfContacts}, words) => ({text: name, description: words.onContacts(numberOfContacts)}));
export const useSegmentOptions = optionsOf('segment', (search, enabled) => useSegments({sort_by: 'name', order: 'asc', ...search}, enabled), ({name}) => ({text: name}));
export const useCampaignOptions = optionsOf('campaign', (search, enabled) => useCampaigns({sort_by: 'createdAt', ...search}, enabled), ({name}) => ({text: name}));

// ---- fields ----------------------------------------------------------------------------------------------------------

/** One of many, found by typing; emptying the field takes it back. Its name may be known later. */
export function PickOne({label, placeholder, chosen, useChoices, onPick}:
  {label: string; placeholder?: string; chosen: Chosen | null; useChoices: OptionsOf; onPick: (chosen: Chosen | null) => void}) {
  const {contacts: words} = useTexts();
  const [typed, setTyped] = useState<string | null>(null);
  const input = typed ?? chosen?.text ?? '';
  const found = useChoices(input === chosen?.text ? '' : input);
  // The one that is chosen is among them, so that leaving the field keeps it.
  const options = chosen && !found.some(({id}) => id === chosen.id) ? [chosen, ...found] : found;
  return (
    <ComboBox label={label} options={options} empty={words.nothingFound} placeholder={placeholder ?? words.choose}
              inputValue={input} selectedKey={chosen?.id ?? null}
              onInputChange={(text) => {
                setTyped(text === chosen?.text ? null : text);
                if (text === '' && chosen) onPick(null);
              }}
              onSelectionChange={(key) => {
                setTyped(null);  // what was typed and not chosen, too
                const found = options.find(({id}) => id === key);
                if (found && found.id !== chosen?.id) onPick({id: String(found.id), text: found.text});
              }} />
  );
}

interface PickerProps {
  label: string;
  chosen: readonly Chosen[];
  onChange: (chosen: readonly Chosen[]) => void;
  error?: string | undefined;
  hint?: string;
}

const kNew = 'new:';

/** Several of many, found by typing. What is chosen stands under the field, and goes by its cross. */
export function PickMany({label, chosen, onChange, error, hint, options, input, onInput, empty, icon}:
  PickerProps & {options: readonly Option[]; input: string; onInput: (text: string) => void; empty: string; icon: IconName}) {
  const {contacts: words} = useTexts();
  const [isAgain, setAgain] = useState(false);
  const left = options.filter((option) => !chosen.some((each) => each.id === option.id));
  return (
    <Stack gap={2}>
      {/* A new one for each choice, so that its list closes and does not hide the buttons below. */}
      <ComboBox key={chosen.length} autoFocus={isAgain} menuTrigger="input" label={label} icon={icon} options={left} empty={empty} selectedKey={null} inputValue={input} onInputChange={onInput}
                {...(hint && {hint})} {...(error && {error})}
                onSelectionChange={(key) => {
                  const found = left.find((option) => option.id === key);
                  if (!found) return;
                  const id = String(found.id);
                  onChange([...chosen, id.startsWith(kNew) ? {id: id.slice(kNew.length), text: id.slice(kNew.length)} : {id, text: found.text}]);
                  setAgain(true);
                  onInput('');
                }} />
      {chosen.length > 0 && (
        <Tags label={label}>
          {chosen.map(({id, text}) => <Tag key={id} remove={words.removeChosen(text)} onRemove={() => onChange(chosen.filter((each) => each.id !== id))}>{text}</Tag>)}
        </Tags>
      )}
    </Stack>
  );
}

export function TagsPicker({mayCreate, ...rest}: PickerProps & {mayCreate?: boolean}) {
  const {contacts: words} = useTexts();
  const [input, setInput] = useState('');
  const options = useTagOptions(input);
  const typed = input.trim();
  const isNew = mayCreate && typed !== '' && !options.some(({text}) => text.toLowerCase() === typed.toLowerCase());
  return (
    <PickMany {...rest} icon="tag" input={input} onInput={setInput} empty={words.tagsEmpty}
              options={isNew ? [...options, {id: kNew + typed, text: words.newTag(typed), icon: 'plus'}] : options} />
  );
}

export function ListsPicker(props: PickerProps) {
  const {contacts: words} = useTexts();
  const [input, setInput] = useState('');
  return <PickMany {...props} icon="list" input={input} onInput={setInput} empty={words.listsEmpty} options={useListOptions(input)} />;
}

/** The name of an attribute: one that contacts have, the most frequent first, or a new one. */
export function AttributeName({label, labelHidden, value, onChange, error}:
  {label: string; labelHidden?: boolean; value: string; onChange: (name: string) => void; error?: string | undefined}) {
  const {contacts: words} = useTexts();
  const {value: known} = useContactAttributes();
  return (
    <ComboBox label={label} {...(labelHidden && {labelHidden})} {...(error && {error})} allowsCustomValue empty={words.attributesEmpty}
              inputValue={value} onInputChange={onChange} onSelectionChange={(key) => key !== null && onChange(String(key))}
              options={(known?.attributes ?? []).map(({name, numberOfContacts}) => ({id: name, text: name, description: words.onContacts(numberOfContacts)}))} />
  );
}

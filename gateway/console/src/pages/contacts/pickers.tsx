import {useState} from 'react';
import {useContactAttributes} from '../../api/contacts.ts';
import {useLists} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {useTags} from '../../api/tags.ts';
import {Tag, Tags} from '../../design/badge.tsx';
import type {IconName} from '../../design/icon.tsx';
import type {Option} from '../../design/list_box.tsx';
import {Stack} from '../../design/page.tsx';
import {ComboBox} from '../../design/combo_box.tsx';
import {useTexts} from '../../texts/index.tsx';

export interface Chosen {
  /** Of a new tag its label. */
  readonly id: string;
  readonly text: string;
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
  const {store} = useScope();
  const [input, setInput] = useState('');
  const {ids} = useTags({sort_by: 'label', order: 'asc', ...(input.trim() && {search: input.trim().slice(0, 100)})});
  const options: Option[] = ids.flatMap((id) => {
    const text = store.get('tag', id)?.label;
    return text === undefined ? [] : [{id, text}];
  });
  const typed = input.trim();
  const isNew = mayCreate && typed !== '' && !options.some(({text}) => text.toLowerCase() === typed.toLowerCase());
  return (
    <PickMany {...rest} icon="tag" input={input} onInput={setInput} empty={words.tagsEmpty}
              options={isNew ? [...options, {id: kNew + typed, text: words.newTag(typed), icon: 'plus'}] : options} />
  );
}

export function ListsPicker(props: PickerProps) {
  const {contacts: words} = useTexts();
  const {store} = useScope();
  const [input, setInput] = useState('');
  const {ids} = useLists({sort_by: 'name', order: 'asc', ...(input.trim() && {search: input.trim().slice(0, 100)})});
  const options = ids.flatMap((id): Option[] => {
    const list = store.get('list', id);
    return list ? [{id, text: list.name, description: words.onContacts(list.numberOfContacts)}] : [];
  });
  return <PickMany {...props} icon="list" input={input} onInput={setInput} empty={words.listsEmpty} options={options} />;
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

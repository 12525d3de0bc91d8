import {useMemo} from 'react';
import {RadioGroup} from '../../design/choice.tsx';
import {Fields} from '../../design/field.tsx';
import {ComboBox} from '../../design/combo_box.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {PickOne, useListOptions, type Chosen} from '../contacts/pickers.tsx';
import {callingCode, phoneRegions} from './phone.ts';

export interface ImportChoices {
  readonly country: string;
  readonly onConflict: 'skip' | 'update';
  readonly list: Chosen | null;
}

const kNone = 'none';

export function Options({choices, onChange}: {choices: ImportChoices; onChange: (change: Partial<ImportChoices>) => void}) {
  const {imports: words, contacts} = useTexts();
  const format = useFormat();
  const [mayUpdate, mayJoin, maySee] = [useHeld('Update:Contact'), useHeld('Update:List'), useHeld('Get:List')];
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames([format.locale], {type: 'region'});
    return phoneRegions.map((id) => ({id, text: `${names.of(id) ?? id} (\u2066+${callingCode(id)}\u2069)`})).sort((a, b) => format.compare(a.text, b.text));
  }, [format]);
  return (
    <Fields>
      <Fields columns>
        <ComboBox label={words.country} description={words.countryNote} empty={contacts.nothingFound} defaultSelectedKey={choices.country || kNone}
                  onSelectionChange={(key) => onChange({country: key === null || key === kNone ? '' : String(key)})}
                  options={[{id: kNone, text: words.countryNone}, ...countries]} />
        {mayJoin && maySee && <PickOne label={words.list} placeholder={words.listNone} useChoices={useListOptions} chosen={choices.list} onPick={(list) => onChange({list})} />}
      </Fields>
      <RadioGroup label={words.conflict} value={choices.onConflict} onChange={(value) => onChange({onConflict: value as 'skip' | 'update'})} choices={[
        {value: 'skip', text: words.skip, description: words.skipNote},
        {value: 'update', text: words.update, description: mayUpdate === false ? words.takes('Update:Contact') : words.updateNote, isDisabled: mayUpdate === false},
      ]} />
    </Fields>
  );
}

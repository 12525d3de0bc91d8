import {useState, type ReactNode} from 'react';
import {loadCampaign} from '../../api/campaigns.ts';
import {useContactAttributes} from '../../api/contacts.ts';
import {loadList} from '../../api/lists.ts';
import {loadTag} from '../../api/tags.ts';
import {Tag, Tags} from '../../design/badge.tsx';
import {Button, IconButton} from '../../design/button.tsx';
import {Icon} from '../../design/icon.tsx';
import {ComboBox} from '../../design/combo_box.tsx';
import {Select} from '../../design/select.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useTexts} from '../../texts/index.tsx';
import {ListsPicker, PickMany, TagsPicker, useCampaignOptions, useChosen, type Chosen} from '../contacts/pickers.tsx';
import {kStatuses, type ContactStatus} from '../contacts/search.ts';
import {DaysEditor} from './days_editor.tsx';
import type {EditorProps} from './group_editor.tsx';
import {replaced, retyped, usualType, type Condition, type ConditionType, type Did, type Node, type TextOperator} from './model.ts';
import s from './segment.module.css';

const kOfContact: readonly ConditionType[] = ['text', 'number', 'date', 'yesNo', 'present', 'tag', 'list', 'status'];
const kDone: readonly ConditionType[] = ['lastInbound', 'lastCampaign', 'campaign'];

export function ConditionEditor({condition, root, onChange, faults, told}: EditorProps & {condition: Condition}) {
  const {audience: {segments: words}} = useTexts();
  const put = (part: object) => onChange(replaced(root, condition.id, (node) => ({...node, ...part}) as Node));
  const fault = faults.get(condition.id);
  const options = (types: readonly ConditionType[]) => types.map((id) => ({id, text: words.types[id]}));
  return (
    <div className={s.condition}>
      {condition.not && <span className={s.not}>{words.not}</span>}
      <div className={s.fields}>
        <Select label={words.type} value={condition.type} onChange={(key) => onChange(replaced(root, condition.id, () => retyped(condition, key as ConditionType)))}
                options={[{id: 'contact', text: words.ofContacts, options: options(kOfContact)}, {id: 'done', text: words.didThings, options: options(kDone)}]} />
        {'attribute' in condition && <AttributeField condition={condition} put={put} />}
        <Details condition={condition} put={put} />
        {(fault || told.has(condition.id)) && <p className={s.fault} role="alert"><Icon name="danger" size={14} />{fault ? words.faults[fault] : told.get(condition.id)}</p>}
      </div>
      <div className={s.buttons}>
        <IconButton icon="block" label={words.negate} isOn={condition.not} onPress={() => put({not: !condition.not})} />
        <IconButton icon="trash" label={words.remove} onPress={() => onChange(replaced(root, condition.id, () => null))} />
      </div>
    </div>
  );
}

type Put = (part: object) => void;

/** One of the attributes that contacts have, with what its values are; choosing it chooses how it is compared. */
function AttributeField({condition, put}: {condition: Condition & {attribute: string}; put: Put}) {
  const {audience: {segments: words}, contacts} = useTexts();
  const {value: known} = useContactAttributes(useHeld('Get:Contact') ?? false);
  const choose = (name: string) => {
    const found = known?.attributes.find((each) => each.name === name);
    const type = found && condition.attribute === '' && condition.type === 'text' ? usualType(found.types) : condition.type;
    put(type === condition.type ? {attribute: name} : {...retyped({...condition, attribute: name} as Condition, type)});
  };
  return (
    <ComboBox label={words.attribute} allowsCustomValue empty={contacts.attributesEmpty} inputValue={condition.attribute} onInputChange={(attribute) => put({attribute})}
              onSelectionChange={(key) => key !== null && choose(String(key))}
              options={(known?.attributes ?? []).map(({name, numberOfContacts, types}) => ({
                id: name, text: name, description: `${contacts.onContacts(numberOfContacts)}: ${words.typesOf(types.text, types.number, types.date, types.yesNo)}`,
              }))} />
  );
}

function Details({condition, put}: {condition: Condition; put: Put}): ReactNode {
  const {audience: {segments: words}} = useTexts();
  const ids = (chosen: readonly Chosen[]) => put({ids: chosen.map(({id}) => id)});
  switch (condition.type) {
    case 'text':
      return (
        <>
          <Select label={words.compare} value={condition.operator} onChange={(key) => put({operator: key as TextOperator})}
                  options={(['is', 'contains', 'startsWith'] as const).map((id) => ({id, text: words.operators[id]}))} />
          <Values values={condition.values} onChange={(values) => put({values})} />
        </>
      );
    case 'number':
      return (
        <>
          <Bound value={condition.low} isOpen={condition.lowIsOpen} open={words.moreThan} closed={words.atLeast} onValue={(low) => put({low})} onOpen={(lowIsOpen) => put({lowIsOpen})} />
          <Bound value={condition.high} isOpen={condition.highIsOpen} open={words.lessThan} closed={words.atMost} onValue={(high) => put({high})} onOpen={(highIsOpen) => put({highIsOpen})} />
        </>
      );
    case 'date': case 'lastInbound': case 'lastCampaign':
      return <DaysEditor days={condition.days} mayBeAny={condition.type !== 'date'} onChange={(days) => put({days})} />;
    case 'yesNo':
      return <Select label={words.compare} value={String(condition.is)} onChange={(key) => put({is: key === 'true'})} options={[{id: 'true', text: words.yes}, {id: 'false', text: words.no}]} />;
    case 'present': return null;
    case 'tag': return <PickTags ids={condition.ids} onChange={ids} />;
    case 'list': return <PickLists ids={condition.ids} onChange={ids} />;
    case 'status':
      return (
        <PickStatuses chosen={condition.statuses} onChange={(statuses) => put({statuses})} />
      );
    case 'campaign':
      return (
        <>
          <Select label={words.compare} value={condition.did} onChange={(key) => put({did: key as Did})}
                  options={(['received', 'read', 'clicked', 'replied'] as const).map((id) => ({id, text: words.did[id]}))} />
          <PickCampaigns ids={condition.ids} onChange={ids} />
        </>
      );
  }
}

function Bound({value, isOpen, open, closed, onValue, onOpen}:
  {value: string; isOpen: boolean; open: string; closed: string; onValue: (text: string) => void; onOpen: (isOpen: boolean) => void}) {
  const {audience: {segments: {compare}}} = useTexts();
  return (
    <div className={s.bound}>
      <Select label={compare} value={String(isOpen)} onChange={(key) => onOpen(key === 'true')} options={[{id: 'false', text: closed}, {id: 'true', text: open}]} />
      <TextField label={isOpen ? open : closed} labelHidden inputMode="decimal" value={value} onChange={onValue} />
    </div>
  );
}

function Values({values, onChange}: {values: readonly string[]; onChange: (values: readonly string[]) => void}) {
  const {audience: {segments: words}, contacts} = useTexts();
  const [text, setText] = useState('');
  const add = () => {
    if (text !== '' && !values.includes(text) && values.length < 100) onChange([...values, text]);
    setText('');
  };
  return (
    <div className={s.values}>
      <div className={s.typed}>
        <TextField label={words.values} value={text} onChange={setText} maxLength={255} onBlur={add}
                   onKeyDown={(event) => {
                     if (event.key !== 'Enter') return;
                     event.preventDefault();
                     add();
                   }} />
        <Button icon="plus" onPress={add}>{words.valueAdd}</Button>
      </div>
      {values.length > 0 && <Tags label={words.values}>{values.map((each) => <Tag key={each} remove={contacts.removeChosen(each)} onRemove={() => onChange(values.filter((other) => other !== each))}>{each}</Tag>)}</Tags>}
    </div>
  );
}

function PickStatuses({chosen, onChange}: {chosen: readonly ContactStatus[]; onChange: (statuses: readonly ContactStatus[]) => void}) {
  const {audience: {segments: words}, contacts} = useTexts();
  const [input, setInput] = useState('');
  return <PickMany label={words.statuses} icon="filter" empty={contacts.nothingFound} input={input} onInput={setInput}
                   options={kStatuses.map((id) => ({id, text: contacts.statuses[id]}))} chosen={chosen.map((id) => ({id, text: contacts.statuses[id]}))}
                   onChange={(all) => onChange(all.map(({id}) => id as ContactStatus))} />;
}

interface PickProps {
  ids: readonly string[];
  onChange: (chosen: readonly Chosen[]) => void;
}

function PickTags({ids, onChange}: PickProps) {
  const {contacts: words} = useTexts();
  return <TagsPicker label={words.tagsField} chosen={useChosen('tag', ids, loadTag, (tag) => tag.label)} onChange={onChange} />;
}

function PickLists({ids, onChange}: PickProps) {
  const {contacts: words} = useTexts();
  return <ListsPicker label={words.listsField} chosen={useChosen('list', ids, loadList, (list) => list.name)} onChange={onChange} />;
}

function PickCampaigns({ids, onChange}: PickProps) {
  const {audience: {segments: words}} = useTexts();
  const [input, setInput] = useState('');
  return <PickMany label={words.campaigns} icon="campaign" empty={words.campaignsEmpty} input={input} onInput={setInput} onChange={onChange}
                   options={useCampaignOptions(input, useHeld('Get:Campaign') === true)} chosen={useChosen('campaign', ids, loadCampaign, (campaign) => campaign.name)} />;
}

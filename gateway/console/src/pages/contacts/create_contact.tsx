import {useState} from 'react';
import {useRouter} from '@tanstack/react-router';
import {useCreateContact} from '../../api/contacts.ts';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {Dialog} from '../../design/dialog.tsx';
import {Fields} from '../../design/field.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useAddress} from '../../shell/address.ts';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';
import {attributesOfRows, type AttributeRow} from './attribute_values.ts';
import {AttributeRows} from './attributes.tsx';
import {ListsPicker, TagsPicker, type Chosen} from './pickers.tsx';

/** Adds one contact by hand. What is wrong is told at its field. */
export function CreateContact({onClose}: {onClose: () => void}) {
  const {contacts: words, shell} = useTexts();
  const router = useRouter();
  const to = useAddress();
  const create = useCreateContact();
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  const [tags, setTags] = useState<readonly Chosen[]>([]);
  const [lists, setLists] = useState<readonly Chosen[]>([]);
  const [attributes, setAttributes] = useState<readonly AttributeRow[]>([]);
  const {problem} = create;
  const at = (field: string) => problem?.at(field).join(' ') || undefined;
  const isTaken = problem?.status === 409 && !problem.at('phone').length;
  const besides = problem && !isTaken && problem.besides(['name', 'phone', 'tags', 'lists']).length + Number(problem.faults.length === 0) > 0;
  // A field that is told to be wrong keeps the form from being sent until something is changed.
  const changing = <T,>(set: (value: T) => void) => (value: T) => {
    if (problem) create.reset();
    set(value);
  };
  const save = async () => {
    try {
      const contact = await create.change({
        name: name.trim(), phone: phone.trim(),
        ...(tags.length > 0 && {tags: tags.map(({id}) => id)}),
        ...(lists.length > 0 && {lists: lists.map(({id}) => id)}),
        ...(attributes.length > 0 && {attributes: attributesOfRows(attributes)}),
      });
      toasts.add({
        title: words.create.created, text: contact.name || contact.phone,
        action: {text: words.create.open, onPress: () => void router.navigate({href: to('contacts/' + contact.uniqueId)})},
      }, {timeout: 8000});
      onClose();
    } catch {
      // It is told in the dialog.
    }
  };
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={words.create.title} close={words.close} onSubmit={() => void save()} actions={
      <>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button kind="primary" type="submit" isPending={create.isUnderWay}>{words.create.create}</Button>
      </>
    }>
      <Fields>
        {besides && <Banner kind="danger" live>{wordsOf(problem, shell)}</Banner>}
        <TextField label={words.create.name} value={name} onChange={changing(setName)} autoFocus maxLength={255} error={at('name')} />
        <TextField label={words.create.phone} type="tel" value={phone} onChange={changing(setPhone)} description={words.create.phoneNote}
                   error={at('phone') ?? (isTaken ? problem.detail || words.create.known : undefined)} />
        <TagsPicker label={words.tagsField} hint={words.optional} chosen={tags} onChange={changing(setTags)} mayCreate error={at('tags')} />
        <ListsPicker label={words.listsField} hint={words.optional} chosen={lists} onChange={changing(setLists)} error={at('lists')} />
        <AttributeRows rows={attributes} onChange={changing(setAttributes)} />
      </Fields>
    </Dialog>
  );
}

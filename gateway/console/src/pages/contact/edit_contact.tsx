import {loadContact, useCreateContact, useUpdateContact} from '../../api/contacts.ts';
import type {Contact} from '../../api/entities.ts';
import {useScope} from '../../api/scope.tsx';
import {Select} from '../../design/select.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useEdited} from '../../shell/edited.ts';
import {useTexts} from '../../texts/index.tsx';
import {EditDialog} from '../audience/edit_dialog.tsx';
import {attributesOfRows, mergedRows, rowsOf, textOf, type AttributeRow} from '../contacts/attribute_values.ts';
import {AttributeRows} from '../contacts/attributes.tsx';
import {chosenLists, chosenTags, ListsPicker, namesOf, TagsPicker, type Chosen} from '../contacts/pickers.tsx';
import {kStatuses, type ContactStatus} from '../contacts/search.ts';

interface Draft {
  name: string;
  phone: string;
  status: ContactStatus;
  tags: readonly Chosen[];
  lists: readonly Chosen[];
  attributes: readonly AttributeRow[];
}

const ids = (chosen: readonly Chosen[]) => chosen.map(({id}) => id).sort();

/** Adds a contact by hand (`id` null), or changes one. What is wrong is told at its field. */
export function EditContact({id, onSaved, onClose}: {id: string | null; onSaved: (contact: Contact) => void; onClose: () => void}) {
  const {contact: {facts, ...words}, contacts, audience: common} = useTexts();
  const {store} = useScope();
  const edited = useEdited({
    kind: 'contact', load: loadContact,
    draftOf: (contact): Draft => ({
      name: contact?.name ?? '', phone: contact?.phone ?? '', status: contact?.status ?? 'Active',
      tags: chosenTags(store, contact?.tagIds), lists: chosenLists(store, contact?.listIds), attributes: rowsOf(contact?.attributes ?? {}),
    }),
    bodyOf: ({name, phone, status, tags, lists, attributes}: Draft) => ({
      name: name.trim(), phone: phone.trim(), status, tags: ids(tags), lists: ids(lists), attributes: attributesOfRows(attributes),
    }),
    merges: {attributes: mergedRows},
  }, id, useCreateContact(), useUpdateContact());
  const {draft, put, at, problem} = edited;
  const isTaken = problem?.status === 409;
  const hint = id === null ? {hint: common.optional} : {};
  return (
    <EditDialog title={id === null ? contacts.newContact : words.editTitle} action={id === null ? contacts.create.create : common.save} edited={edited} besides={[409]}
                onSaved={onSaved} onClose={onClose}
                factsOf={({name, phone, status, tags, lists, attributes}) => [
                  [common.name, name], [facts.phone, phone], [facts.status, contacts.statuses[status]], [facts.tags, namesOf(tags)], [facts.lists, namesOf(lists)],
                  [facts.attributes, Object.entries(attributesOfRows(attributes)).map(([key, value]) => `${key}: ${textOf(value)}`).join('\n')],
                ]}>
      <TextField label={common.name} value={draft.name} onChange={(name) => put({name})} autoFocus isRequired={id === null} maxLength={255} error={at('name')} />
      <TextField label={contacts.create.phone} type="tel" isRequired={id === null} value={draft.phone} onChange={(phone) => put({phone})} {...(id === null && {description: contacts.create.phoneNote})}
                 error={at('phone') ?? (isTaken ? contacts.create.known : undefined)} />
      {id !== null && (
        <Select label={contacts.statusField} value={draft.status} onChange={(key) => put({status: key as ContactStatus})}
                options={kStatuses.map((each) => ({id: each, text: contacts.statuses[each], description: contacts.statusNotes[each]}))} />
      )}
      <TagsPicker label={contacts.tagsField} {...hint} chosen={draft.tags} onChange={(tags) => put({tags})} mayCreate error={at('tags')} />
      <ListsPicker label={contacts.listsField} {...hint} chosen={draft.lists} onChange={(lists) => put({lists})} error={at('lists')} />
      <AttributeRows rows={draft.attributes} onChange={(attributes) => put({attributes})} error={at('attributes')} />
    </EditDialog>
  );
}

import {useEffect, useState} from 'react';
import {loadContact, useUpdateContact} from '../../api/contacts.ts';
import type {Contact} from '../../api/entities.ts';
import {readVersioned} from '../../api/hooks.ts';
import {useScope} from '../../api/scope.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {Dialog} from '../../design/dialog.tsx';
import {Fields} from '../../design/field.tsx';
import {Select} from '../../design/select.tsx';
import {TextField} from '../../design/text_field.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';
import {attributesOfRows, rowsOf, textOf, type AttributeRow} from '../contacts/attribute_values.ts';
import {AttributeRows} from '../contacts/attributes.tsx';
import {ListsPicker, TagsPicker, type Chosen} from '../contacts/pickers.tsx';
import {kStatuses, type ContactStatus} from '../contacts/search.ts';
import s from './contact.module.css';

interface Draft {
  name: string;
  phone: string;
  status: ContactStatus;
  tags: readonly Chosen[];
  lists: readonly Chosen[];
  attributes: readonly AttributeRow[];
}

/** Changes a contact as it was when the dialog was opened. Who was faster is shown beside what was typed. */
export function EditContact({contact, onClose}: {contact: Contact; onClose: () => void}) {
  const {contact: words, contacts, shell} = useTexts();
  const scope = useScope();
  const {store} = scope;
  const update = useUpdateContact();
  const draftOf = (from: Contact): Draft => ({
    name: from.name, phone: from.phone, status: from.status, attributes: rowsOf(from.attributes),
    tags: (from.tagIds ?? []).map((id) => ({id, text: store.get('tag', id)?.label ?? '…'})),
    lists: (from.listIds ?? []).map((id) => ({id, text: store.get('list', id)?.name ?? '…'})),
  });
  const [draft, setDraft] = useState(() => draftOf(contact));
  const [base, setBase] = useState(contact);
  const [version, setVersion] = useState(store.version('contact', contact.uniqueId));
  const [theirs, setTheirs] = useState<Contact | null>(null);
  useEffect(() => { // a version that belongs to what is shown
    if (version) return;
    readVersioned(scope, 'contact', contact.uniqueId, loadContact).then((now) => {
      setBase(now.value);
      setVersion(now.version);
    }, () => undefined);
  }, [scope, contact.uniqueId, version]);
  const {problem} = update;
  const put = (part: Partial<Draft>) => {
    if (problem) update.reset();  // a field that is told to be wrong keeps the form from being sent
    setDraft((known) => ({...known, ...part}));
  };
  const at = (field: string) => problem?.at(field).join(' ') || undefined;
  const isTaken = problem?.status === 409 && problem.at('phone').length === 0;
  const save = async (against: Contact, withVersion: string | null) => {
    const body = changesOf(against, draft);
    if (Object.keys(body).length === 0) return onClose();
    try {
      await update.change({id: contact.uniqueId, version: withVersion, body});
      toasts.add({title: words.saved, text: draft.name || draft.phone}, {timeout: 4000});
      onClose();
    } catch (error) {
      const current = (error as typeof problem)?.current;
      if (!current) return;
      setTheirs(current.value as Contact);
      setVersion(current.version);
    }
  };
  const takeTheirs = () => {
    if (!theirs) return;
    setDraft(draftOf(theirs));
    setBase(theirs);
    setTheirs(null);
  };
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={words.editTitle} close={contacts.close} onSubmit={() => void save(theirs ?? base, version)} actions={
      theirs ? (
        <>
          <Button onPress={takeTheirs}>{words.conflict.takeTheirs}</Button>
          <Button kind="primary" type="submit" isPending={update.isUnderWay}>{words.conflict.keepYours}</Button>
        </>
      ) : (
        <>
          <Button onPress={onClose}>{contacts.cancel}</Button>
          <Button kind="primary" type="submit" isPending={update.isUnderWay}>{words.save}</Button>
        </>
      )
    }>
      <Fields>
        {theirs && <Conflict theirs={draftOf(theirs)} yours={draft} />}
        {problem && problem.status !== 412 && !isTaken && problem.besides(['name', 'phone', 'tags', 'lists']).length + Number(problem.faults.length === 0) > 0 && (
          <Banner kind="danger" live>{wordsOf(problem, shell)}</Banner>
        )}
        <TextField label={contacts.create.name} value={draft.name} onChange={(name) => put({name})} autoFocus maxLength={255} error={at('name')} />
        <TextField label={contacts.create.phone} type="tel" value={draft.phone} onChange={(phone) => put({phone})} error={at('phone') ?? (isTaken ? problem.detail : undefined)} />
        <Select label={contacts.statusField} value={draft.status} onChange={(key) => put({status: key as ContactStatus})}
                options={kStatuses.map((id) => ({id, text: contacts.statuses[id], description: contacts.statusNotes[id]}))} />
        <TagsPicker label={contacts.tagsField} chosen={draft.tags} onChange={(tags) => put({tags})} mayCreate error={at('tags')} />
        <ListsPicker label={contacts.listsField} chosen={draft.lists} onChange={(lists) => put({lists})} error={at('lists')} />
        <AttributeRows rows={draft.attributes} onChange={(attributes) => put({attributes})} />
      </Fields>
    </Dialog>
  );
}

const sorted = (ids: readonly string[]) => [...ids].sort().join();

/** Only what is another than it was. */
function changesOf(from: Contact, {name, phone, status, tags, lists, attributes}: Draft) {
  const now = attributesOfRows(attributes);
  const [tagIds, listIds] = [tags.map(({id}) => id), lists.map(({id}) => id)];
  return {
    ...(name !== from.name && {name}),
    ...(phone !== from.phone && {phone}),
    ...(status !== from.status && {status}),
    ...(sorted(tagIds) !== sorted(from.tagIds ?? []) && {tags: tagIds}),
    ...(sorted(listIds) !== sorted(from.listIds ?? []) && {lists: listIds}),
    ...(JSON.stringify(now) !== JSON.stringify(from.attributes) && {attributes: now}),
  };
}

/** Both versions, of the fields that differ. */
function Conflict({theirs, yours}: {theirs: Draft; yours: Draft}) {
  const {contact: {conflict: words, facts}, contacts} = useTexts();
  const names = (chosen: readonly Chosen[]) => chosen.map(({text}) => text).sort().join(', ');
  const values = (draft: Draft) => Object.entries(attributesOfRows(draft.attributes)).map(([name, value]) => `${name}: ${textOf(value)}`).join('\n');
  const pairs = [
    [contacts.create.name, theirs.name, yours.name], [facts.phone, theirs.phone, yours.phone],
    [facts.status, contacts.statuses[theirs.status], contacts.statuses[yours.status]],
    [facts.tags, names(theirs.tags), names(yours.tags)], [facts.lists, names(theirs.lists), names(yours.lists)],
    [facts.attributes, values(theirs), values(yours)],
  ].filter(([, there, here]) => there !== here);
  return (
    <Banner kind="warning" live title={words.title}>
      <div className={s.compared}>
        <p>{words.text}</p>
        <div className={s.pair}><span className={s.head}>{words.field}</span><span className={s.head}>{words.theirs}</span><span className={s.head}>{words.yours}</span></div>
        {pairs.map(([field, there, here]) => (
          <div key={field} className={s.pair}><span>{field}</span><bdi className={s.text}>{there || '–'}</bdi><bdi className={s.text}>{here || '–'}</bdi></div>
        ))}
      </div>
    </Banner>
  );
}

import {useEffect, useState} from 'react';
import {loadList, useCreateList, useUpdateList} from '../../api/lists.ts';
import {readVersioned} from '../../api/hooks.ts';
import type {ApiProblem} from '../../api/problem.ts';
import {useScope} from '../../api/scope.tsx';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {Dialog} from '../../design/dialog.tsx';
import {Fields} from '../../design/field.tsx';
import {TextArea, TextField} from '../../design/text_field.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';
import {TagsPicker, type Chosen} from '../contacts/pickers.tsx';

/** Makes a list (`id` null), or changes one as it was when the dialog was opened. */
export function EditList({id, onClose}: {id: string | null; onClose: () => void}) {
  const {audience: {lists: words, ...common}, contacts, shell} = useTexts();
  const scope = useScope();
  const {store} = scope;
  const known = id === null ? null : store.get('list', id);
  const create = useCreateList();
  const update = useUpdateList();
  const {problem, isUnderWay, reset} = id === null ? create : update;
  const changing = <T,>(set: (value: T) => void) => (value: T) => {
    if (problem) reset();  // a field that is told to be wrong keeps the form from being sent
    set(value);
  };
  const [name, setName] = useState(known?.name ?? '');
  const [description, setDescription] = useState(known?.description ?? '');
  const [tags, setTags] = useState<readonly Chosen[]>(() => (known?.tagIds ?? []).map((tag) => ({id: tag, text: store.get('tag', tag)?.label ?? '…'})));
  const [version, setVersion] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<{name: string; description: string} | null>(null);
  useEffect(() => {
    if (id !== null) readVersioned(scope, 'list', id, loadList).then((now) => setVersion(now.version), () => undefined);
  }, [scope, id]);
  const at = (field: string) => problem?.at(field).join(' ') || undefined;
  const save = async () => {
    const body = {name: name.trim(), description, tags: tags.map((tag) => tag.id)};
    try {
      if (id === null) await create.change(body);
      else await update.change({id, version, body});
      toasts.add({title: id === null ? words.created : common.saved, text: body.name}, {timeout: 4000});
      onClose();
    } catch (error) {
      const current = (error as ApiProblem).current;
      if (!current) return;
      setVersion(current.version);
      setTheirs(current.value as {name: string; description: string});
    }
  };
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={id === null ? words.create : words.edit} close={common.close} onSubmit={() => void save()} actions={
      <>
        <Button onPress={theirs ? () => { setName(theirs.name); setDescription(theirs.description); setTheirs(null); } : onClose}>{theirs ? common.takeTheirs : common.cancel}</Button>
        <Button kind="primary" type="submit" isPending={isUnderWay}>{theirs ? common.keepMine : id === null ? words.createAction : common.save}</Button>
      </>
    }>
      <Fields>
        {theirs && <Banner kind="warning" live title={common.conflict}><bdi>{theirs.name}</bdi>{theirs.description && <>: <bdi>{theirs.description}</bdi></>}</Banner>}
        {problem && problem.status !== 412 && problem.besides(['name', 'description', 'tags']).length + Number(problem.faults.length === 0) > 0 && <Banner kind="danger" live>{wordsOf(problem, shell)}</Banner>}
        <TextField label={common.name} value={name} onChange={changing(setName)} autoFocus maxLength={255} error={at('name')} />
        <TextArea label={common.description} hint={common.optional} value={description} onChange={changing(setDescription)} maxLength={2000} error={at('description')} />
        <TagsPicker label={contacts.tagsField} hint={common.optional} chosen={tags} onChange={changing(setTags)} mayCreate error={at('tags')} />
      </Fields>
    </Dialog>
  );
}

import {useEffect, useState} from 'react';
import {useContacts} from '../../api/contacts.ts';
import {readVersioned} from '../../api/hooks.ts';
import {ApiProblem} from '../../api/problem.ts';
import {useScope} from '../../api/scope.tsx';
import {loadTag, useCreateTag, useDeleteTag, useUpdateTag} from '../../api/tags.ts';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {AlertDialog, Dialog} from '../../design/dialog.tsx';
import {Fields} from '../../design/field.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';

/** Makes a tag (`id` null), or gives one another label. */
export function EditTag({id, onClose}: {id: string | null; onClose: () => void}) {
  const {audience: {tags: words, ...common}, shell} = useTexts();
  const scope = useScope();
  const create = useCreateTag();
  const update = useUpdateTag();
  const {problem, isUnderWay, reset} = id === null ? create : update;
  const [label, setLabel] = useState(id === null ? '' : scope.store.get('tag', id)?.label ?? '');
  const [version, setVersion] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<string | null>(null);
  useEffect(() => {
    if (id !== null) readVersioned(scope, 'tag', id, loadTag).then((now) => setVersion(now.version), () => undefined);
  }, [scope, id]);
  const save = async () => {
    const body = {label: label.trim()};
    try {
      if (id === null) await create.change(body);
      else await update.change({id, version, body});
      toasts.add({title: id === null ? words.created : common.saved, text: body.label}, {timeout: 4000});
      onClose();
    } catch (error) {
      const current = (error as ApiProblem).current;
      if (!current) return;
      setVersion(current.version);
      setTheirs((current.value as {label: string}).label);
    }
  };
  const said = problem && problem.status !== 412 ? problem.at('label').join(' ') || wordsOf(problem, shell) : undefined;
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} size="s" title={id === null ? words.create : words.edit} close={common.close} onSubmit={() => void save()} actions={
      <>
        <Button onPress={theirs !== null ? () => { setLabel(theirs); setTheirs(null); } : onClose}>{theirs !== null ? common.takeTheirs : common.cancel}</Button>
        <Button kind="primary" type="submit" isPending={isUnderWay}>{theirs !== null ? common.keepMine : id === null ? words.createAction : common.save}</Button>
      </>
    }>
      <Fields>
        {theirs !== null && <Banner kind="warning" live title={common.conflict}><bdi>{theirs}</bdi></Banner>}
        <TextField label={words.label} value={label} onChange={(text) => {
          if (problem) reset();  // a field that is told to be wrong keeps the form from being sent
          setLabel(text);
        }} autoFocus maxLength={255} error={said} />
      </Fields>
    </Dialog>
  );
}

/** Says how many contacts bear the tag, before it goes. */
export function DeleteTag({id, onClose}: {id: string; onClose: () => void}) {
  const {audience: {tags: words, ...common}, shell} = useTexts();
  const label = useScope().store.get('tag', id)?.label;
  const {total} = useContacts({tag: id}, useHeld('Get:Contact') === true);
  const remove = useDeleteTag();
  const run = () => remove.change({id, version: null}).then(() => {
    toasts.add({title: words.deleted, text: label}, {timeout: 5000});
    onClose();
  }, (error: unknown) => {
    if (error instanceof ApiProblem) toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)});
  });
  return (
    <AlertDialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={words.deleteTitle(label ?? '')} cancel={common.cancel} action={words.deleteAction}
                 isPending={remove.isUnderWay} onAction={() => void run()}>
      {total === null ? words.deleteUnknown : words.deleteText(total)}
    </AlertDialog>
  );
}

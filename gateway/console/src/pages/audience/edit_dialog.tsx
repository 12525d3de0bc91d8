import type {ReactNode} from 'react';
import {Button} from '../../design/button.tsx';
import {Dialog} from '../../design/dialog.tsx';
import {Fields} from '../../design/field.tsx';
import {Conflict, type Facts} from '../../shell/conflict.tsx';
import type {Edited} from '../../shell/edited.ts';
import {FormProblem} from '../../shell/form_problem.tsx';
import {useUnsaved} from '../../shell/unsaved.ts';
import {useTexts} from '../../texts/index.tsx';

/** Makes or changes one thing. Who was faster is shown beside what was typed. */
export function EditDialog<D extends object, T>({title, action, size, edited, factsOf, besides = [], onSaved, onClose, children}: {
  title: string; action: string; size?: 's'; edited: Edited<D, T>; factsOf: (draft: D) => Facts;
  /** Problems that a field tells, by their status. */
  besides?: readonly number[];
  onSaved: (saved: T) => void; onClose: () => void; children: ReactNode;
}) {
  const {audience: common, shell: {conflict: words}} = useTexts();
  const {draft, conflict, problem} = edited;
  useUnsaved(edited.isChanged);
  const save = async () => {
    const saved = await edited.save();
    if (saved === undefined) return;
    if (saved !== null) onSaved(saved);
    onClose();
  };
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} {...(size && {size})} title={title} close={common.close} onSubmit={() => void save()} actions={
      <>
        <Button onPress={conflict ? edited.takeTheirs : onClose}>{conflict ? words.takeTheirs : common.cancel}</Button>
        <Button kind="primary" type="submit" isPending={edited.isUnderWay}>{conflict ? words.keepYours : action}</Button>
      </>
    }>
      <Fields>
        {conflict && <Conflict was={factsOf(conflict.was)} theirs={factsOf(conflict.theirs)} yours={factsOf(draft)} />}
        <FormProblem problem={problem && besides.includes(problem.status) ? null : problem} besides={Object.keys(draft)} />
        {children}
      </Fields>
    </Dialog>
  );
}

import type {ReactNode} from 'react';
import {ApiProblem} from '../../api/problem.ts';
import {AlertDialog} from '../../design/dialog.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTexts} from '../../texts/index.tsx';

/** Asks before one thing is deleted, and says what became of it. */
export function DeleteDialog({id, name, title, action, deleted, remove, onDeleted, onClose, children}: {
  id: string; name: string; title: string; action: string; deleted: string; onDeleted?: () => void; onClose: () => void; children: ReactNode;
  remove: {change(value: {id: string; version: null}): Promise<unknown>; readonly isUnderWay: boolean};
}) {
  const {audience: common, shell} = useTexts();
  const run = async () => {
    try {
      await remove.change({id, version: null});
    } catch (error) {
      if (error instanceof ApiProblem) toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)});
      return;
    }
    toasts.add({title: deleted, text: name}, {timeout: 6000});
    onClose();
    onDeleted?.();
  };
  return (
    <AlertDialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={title} cancel={common.cancel} action={action}
                 isPending={remove.isUnderWay} onAction={() => void run()}>{children}</AlertDialog>
  );
}

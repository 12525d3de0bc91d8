import {AlertDialog} from '../design/dialog.tsx';
import {useTexts} from '../texts/index.tsx';
import type {Leaving} from './unsaved.ts';

/** Asks who is about to leave what is not saved. */
export default function LeavingDialog({leaving}: {leaving: Leaving}) {
  const {shell: {leaving: words}} = useTexts();
  return (
    <AlertDialog isOpen onOpenChange={(isOpen) => isOpen || leaving.stay()} title={words.title} cancel={words.stay} action={words.leave}
                 onAction={() => leaving.leave()}>{leaving.loss()}</AlertDialog>
  );
}

import {makeToasts, ToastRegion} from '../design/toast.tsx';
import {useTexts} from '../texts/index.tsx';
import {showToastsBy} from './toasts.ts';

const queue = makeToasts();
showToastsBy((words, options) => queue.add(words, options));

/** Where toasts appear, over all pages. */
export default function Notices() {
  const {shell} = useTexts();
  return <ToastRegion toasts={queue} label={shell.notifications} close={shell.close} />;
}

import {ToastRegion} from '../design/toast.tsx';
import {useTexts} from '../texts/index.tsx';
import {queue} from './toast_queue.ts';

/** Where toasts appear, over all pages. Loaded with the first one. */
export default function Notices() {
  const {shell} = useTexts();
  return <ToastRegion toasts={queue} label={shell.notifications} close={shell.close} />;
}

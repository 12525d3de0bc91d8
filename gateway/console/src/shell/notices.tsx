import {useEffect} from 'react';
import {makeToasts, ToastRegion} from '../design/toast.tsx';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {showToastsBy} from './toasts.ts';

const queue = makeToasts();
showToastsBy((words, options) => queue.add(words, options));

/** Where toasts appear, over all pages. What one person was told, the next is not. */
export default function Notices() {
  const {shell} = useTexts();
  const person = useWho()?.user.uniqueId;
  useEffect(() => () => queue.clear(), [person]);
  return <ToastRegion toasts={queue} label={shell.notifications} close={shell.close} />;
}

import {useState} from 'react';
import {storage} from '../../live/storage.ts';

const kName = 'parley.inbox side';

/** Whether the third pane is open where there is room for it. This browser keeps it. */
export function useSideOpen(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => storage.getItem(kName) !== 'false');
  return [isOpen, (next) => {
    setOpen(next);
    storage.setItem(kName, String(next));
  }];
}

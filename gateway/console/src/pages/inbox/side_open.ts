import {useState} from 'react';

const kName = 'parley.inbox side';

/** Whether the third pane is open where there is room for it. This browser keeps it. */
export function useSideOpen(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => {
    try {
      return localStorage.getItem(kName) !== 'false';
    } catch {
      return true;
    }
  });
  return [isOpen, (next) => {
    setOpen(next);
    try {
      localStorage.setItem(kName, String(next));
    } catch {
      // Then it is so until the page is closed.
    }
  }];
}

import {useEffect, useRef, type ClipboardEvent} from 'react';

/** Takes files that are dropped anywhere on the page: beside a field the browser would open them in place of the page. */
export function useDroppedFiles(take: (files: FileList) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const isOurs = (event: DragEvent) => !event.defaultPrevented && event.dataTransfer?.types.includes('Files');
    const over = (event: DragEvent) => {
      if (isOurs(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!isOurs(event) || !event.dataTransfer) return;
      event.preventDefault();
      if (!document.querySelector('[role=dialog]')) latest.current(event.dataTransfer.files);
    };
    addEventListener('dragover', over);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('drop', drop);
    };
  }, []);
}

/** The files that are pasted. Words out of a text editor come with a picture of themselves, which nobody wants. */
export function pastedFiles(event: ClipboardEvent): FileList | null {
  const {files, types} = event.clipboardData;
  return files.length > 0 && !types.includes('text/plain') ? files : null;
}

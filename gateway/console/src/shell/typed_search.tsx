import {useEffect, useRef, useState, type RefObject} from 'react';
import {SearchField} from '../../design/text_field.tsx';

const kPause = 250;

/** A search that is in the address: what is typed is asked for when the typing pauses. */
export function TypedSearch({label, clear, value = '', onSearch, field}:
  {label: string; clear: string; value?: string | undefined; onSearch: (text: string) => void; field?: RefObject<HTMLInputElement | null>}) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const send = useRef(onSearch);
  useEffect(() => {
    send.current = onSearch;
  });
  useEffect(() => { // the address changed by itself
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      send.current(sent.current);
    }, kPause);
    return () => clearTimeout(timer);
  }, [text]);
  return <SearchField label={label} placeholder={label} clear={clear} value={text} onChange={setText} maxLength={100} {...(field && {ref: field})} />;
}

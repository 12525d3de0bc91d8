import {useEffect, useRef, useState, type RefObject} from 'react';
import {SearchField} from '../design/text_field.tsx';

const kPause = 250;

/** `/console/o/ORGANIZATION/PAGE`; where one goes is in the address before its page is there. */
const pageOfAddress = () => location.pathname.split('/', 5).join('/');

export interface TypedSearchProps {
  label: string;
  placeholder?: string;
  /** What the button that empties the field is called. */
  clear: string;
  /** What the address has. */
  value?: string | undefined;
  onSearch: (text: string) => void;
  /** Instead of `onSearch('')` where the field is emptied by its button. */
  onClear?: () => void;
  field?: RefObject<HTMLInputElement | null>;
}

/** A search that is in the address: what is typed is asked for when the typing pauses. */
export function TypedSearch({label, placeholder = label, clear, value = '', onSearch, onClear, field}: TypedSearchProps) {
  const [text, setText] = useState(value);
  // What the address has, or will have: it comes there later than it was asked to, and one may have typed on by then.
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
    const page = pageOfAddress();
    const timer = setTimeout(() => {
      if (pageOfAddress() !== page) return; // one is on the way elsewhere, and is not to be led back
      sent.current = text.trim();
      send.current(sent.current);
    }, kPause);
    return () => clearTimeout(timer);
  }, [text]);
  const empty = onClear && (() => {
    sent.current = '';
    onClear();
  });
  return <SearchField {...{label, placeholder, clear}} value={text} onChange={setText} maxLength={100} {...(empty && {onClear: empty})} {...(field && {ref: field})} />;
}

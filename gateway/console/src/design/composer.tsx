import type {KeyboardEvent, ReactNode, RefAttributes} from 'react';
import {TextArea} from 'react-aria-components/TextArea';
import {cx} from './cx.ts';
import s from './composer.module.css';

export interface ComposerProps extends RefAttributes<HTMLTextAreaElement> {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** By Ctrl+Enter or ⌘+Enter; with `entersToSend` by Enter alone. */
  onSend: () => void;
  entersToSend?: boolean;
  placeholder?: string;
  /** A note is seen by members alone: it looks different, so that nobody sends one to a contact. */
  kind?: 'message' | 'note';
  /** Above: a SegmentedControl of message and note, the time that is left to answer. */
  head?: ReactNode;
  /** What is answered, or attached. */
  above?: ReactNode;
  /** IconButtons: attach, templates. */
  tools?: ReactNode;
  /** The button that sends, and what is said beside it. */
  end: ReactNode;
  isDisabled?: boolean;
  /** A list that fits what is written: its id, and that of the entry that Enter would take. */
  suggestions?: {controls: string; active: string};
}

export function Composer({
  label, value, onChange, onSend, entersToSend, placeholder, kind = 'message', head, above, tools, end, isDisabled, suggestions, ref,
}: ComposerProps) {
  const keys = (event: KeyboardEvent) => {
    // A composing input method uses Enter for itself.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey || (entersToSend && !event.shiftKey)) { event.preventDefault(); onSend(); }
  };
  return (
    <div className={cx(s.composer, kind === 'note' && s.note)}>
      {head && <div className={s.head}>{head}</div>}
      <div className={s.box}>
        {above && <div className={s.above}>{above}</div>}
        <TextArea
          aria-label={label} className={s.text ?? ''} rows={2} value={value} onChange={(event) => onChange(event.target.value)} onKeyDown={keys}
          {...(value && {dir: 'auto'})} {...(placeholder && {placeholder})} {...(isDisabled && {disabled: true})} {...(ref && {ref})}
          {...(suggestions && {'aria-autocomplete': 'list', 'aria-controls': suggestions.controls, 'aria-activedescendant': suggestions.active})}
        />
        <div className={s.foot}><div className={s.tools}>{tools}</div><div className={s.end}>{end}</div></div>
      </div>
    </div>
  );
}

/** Takes the composer's place when nothing can be written: why, and what can be done instead. */
export function ComposerClosed({children, actions}: {children: ReactNode; actions?: ReactNode}) {
  return <div className={s.composer}><div className={cx(s.box, s.closed)}><div className={s.why}>{children}</div>{actions}</div></div>;
}

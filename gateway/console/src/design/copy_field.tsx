import {useEffect, useId, useState} from 'react';
import {Button} from './button.tsx';
import {cx} from './cx.ts';
import {fieldStyles as f} from './field.tsx';
import s from './copy_field.module.css';

export interface CopyFieldProps {
  label: string;
  value: string;
  /** The button, before and after. */
  copy: string;
  copied: string;
  description?: string;
  /** Several lines, such as recovery codes. */
  lines?: boolean;
  onCopy?: () => void;
}

/** What is taken elsewhere: a key, an invitation's address, recovery codes. It can also be selected by hand. */
export function CopyField({label, value, copy, copied, description, lines, onCopy}: CopyFieldProps) {
  const id = useId();
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(false), 2500);
    return () => clearTimeout(timer);
  }, [done]);
  const press = () => void navigator.clipboard.writeText(value).then(() => { setDone(true); onCopy?.(); }, () => undefined);
  return (
    <div className={f.field} role="group" aria-labelledby={id}>
      <span id={id} className={f.label}>{label}</span>
      <div className={cx(s.box, lines && s.lines)}>
        <code className={s.value} dir="ltr">{value}</code>
        <Button size="s" icon={done ? 'check' : 'copy'} onPress={press}><span aria-live="polite">{done ? copied : copy}</span></Button>
      </div>
      {description && <span className={f.description}>{description}</span>}
    </div>
  );
}

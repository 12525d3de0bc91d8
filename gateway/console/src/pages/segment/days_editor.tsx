import {Select} from '../../design/select.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useTexts} from '../../texts/index.tsx';
import type {Days} from './model.ts';
import s from './segment.module.css';

const kModes = ['last', 'before', 'next', 'between', 'relative'] as const;

/** When: by days counted from today, or by dates. */
export function DaysEditor({days, mayBeAny, onChange}: {days: Days; mayBeAny: boolean; onChange: (days: Days) => void}) {
  const {audience: {segments: words}} = useTexts();
  const modes = mayBeAny ? ['any', ...kModes] as const : kModes;
  const put = (part: Partial<Days>) => onChange({...days, ...part});
  const type = days.mode === 'between' ? 'date' : 'text';
  const value = (text: string) => (type === 'date' ? text : text.trim());
  return (
    <>
      <Select label={words.when} value={days.mode} onChange={(key) => put({mode: key as Days['mode']})} options={modes.map((id) => ({id, text: words.modes[id]}))} />
      {(days.mode === 'last' || days.mode === 'before' || days.mode === 'next') && <TextField label={words.days} inputMode="numeric" value={days.count} onChange={(count) => put({count})} />}
      {(days.mode === 'between' || days.mode === 'relative') && (
        <div className={s.bound}>
          <TextField label={words.from} type={type as 'text'} value={days.from} onChange={(from) => put({from: value(from)})} />
          <TextField label={words.to} type={type as 'text'} value={days.to} onChange={(to) => put({to: value(to)})} />
        </div>
      )}
    </>
  );
}

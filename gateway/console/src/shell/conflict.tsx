import {Banner} from '../design/banner.tsx';
import {cx} from '../design/cx.ts';
import {useTexts} from '../texts/index.tsx';
import s from './conflict.module.css';

/** What a form shows of something, as words: each field by its label. */
export type Facts = readonly (readonly [label: string, value: string])[];

/** Somebody else was faster: what is there now beside what would be saved, of the fields in which either differs from what it was. */
export function Conflict({was, theirs, yours}: {was: Facts; theirs: Facts; yours: Facts}) {
  const {shell: {conflict: words}} = useTexts();
  const rows = theirs.map(([label, there], place) => ({label, there, here: yours[place]?.[1] ?? '', before: was[place]?.[1] ?? ''}));
  return (
    <Banner kind="warning" live title={words.title}>
      <div className={s.compared}>
        <p>{words.text}</p>
        <div className={s.row}><span className={cx(s.label, s.head)}>{words.field}</span><span className={s.head}>{words.theirs}</span><span className={s.head}>{words.yours}</span></div>
        {rows.filter(({there, here, before}) => there !== here || there !== before).map(({label, there, here}) => (
          <div key={label} className={s.row}>
            <span className={s.label}>{label}</span>
            <bdi className={s.value}>{there || '–'}</bdi>
            {here === there ? <span className={s.head}>{words.same}</span> : <bdi className={s.value}>{here || '–'}</bdi>}
          </div>
        ))}
      </div>
    </Banner>
  );
}

import type {ReactNode} from 'react';
import {Label} from 'react-aria-components/Label';
import {ProgressBar as AriaProgressBar} from 'react-aria-components/ProgressBar';
import {cx} from './cx.ts';
import s from './progress.module.css';

export interface ProgressBarProps {
  label: string;
  labelHidden?: boolean;
  /** 0 to 100; absent while nobody knows. */
  value?: number;
  /** In words, such as "1,204 of 8,000". Spoken instead of percent. */
  valueText?: string;
  tone?: 'accent' | 'ok' | 'warning' | 'danger';
}

export function ProgressBar({label, labelHidden, value, valueText, tone = 'accent'}: ProgressBarProps) {
  return (
    <AriaProgressBar
      className={s.progress ?? ''} {...(value === undefined ? {isIndeterminate: true} : {value})} {...(valueText && {valueLabel: valueText})}
    >
      {({percentage, valueText: spoken}) => (
        <>
          <div className={cx(s.words, labelHidden && 'only-spoken')}><Label>{label}</Label><span className={s.value}>{spoken}</span></div>
          <svg className={cx(s.track, s[tone])} aria-hidden="true" width="100%" height="6">
            <rect className={percentage === undefined ? s.unknown : s.fill} width={percentage === undefined ? '30%' : `${percentage}%`} height="6" rx="3" />
          </svg>
        </>
      )}
    </AriaProgressBar>
  );
}

/** Grey in the shape of what is coming. Shows itself after 150 ms, so quick answers do not flicker. */
export function Skeleton({kind = 'text', lines = 1}: {kind?: 'text' | 'row' | 'title' | 'avatar' | 'block'; lines?: number}) {
  return <div className={s.skeletons} aria-hidden="true">{Array.from({length: lines}, (_, line) => <span key={line} className={cx(s.skeleton, s[`of_${kind}`])} />)}</div>;
}

/** Around skeletons: tells screen readers that something is loading. */
export function Loading({label, children}: {label: string; children: ReactNode}) {
  return <div role="status" aria-busy="true"><span className="only-spoken">{label}</span>{children}</div>;
}

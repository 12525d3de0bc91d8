import {useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent} from 'react';
import {useLocale} from 'react-aria-components/I18nProvider';
import {cx} from './cx.ts';
import {seriesClass, seriesDashes, type Series} from './plot.tsx';
import {labelledOf, movedBy, pathOf, placeAt, ticksOf} from './plot_scale.ts';
import s from './line_plot.module.css';

export interface PlotLine {
  series: Series;
  text: string;
  /** null: not known. */
  values: readonly (number | null)[];
}

export interface LinePlotProps {
  /** What it shows. Spoken, with what the cursor is at. */
  label: string;
  lines: readonly PlotLine[];
  /** Short, under the axis, and in full, at the cursor: one of each place. */
  marks: readonly {short: string; long: string}[];
  tick: (value: number) => string;
  value: (value: number | null) => string;
  /** All that is at a place, in one sentence. */
  spoken: (place: number) => string;
  height?: number;
}

const kAbove = 10;
const kBelow = 24;
const kEdge = 10;
const kLabelWidth = 62;

/**
 * Lines over time. The cursor follows the pointer and the arrow keys (Home, End, and a week by Page up and down) and reads
 * out what is there: to assistive technology it is a slider, whose value is the sentence. Lines differ by dashes and by
 * the shapes of their points, too. Where text runs to the left, so does time.
 */
export function LinePlot({label, lines, marks, tick, value, spoken, height = 232}: LinePlotProps) {
  const isMirrored = useLocale().direction === 'rtl';
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [cursor, setCursor] = useState<number | null>(null);
  const [kept, setKept] = useState<number | null>(null);
  const count = marks.length;
  const last = count - 1;
  const at = cursor === null ? null : Math.min(last, cursor);
  const most = Math.max(0, ...lines.flatMap((line) => line.values.map((each) => each ?? 0)));
  const ticks = ticksOf(most);
  const top = ticks[ticks.length - 1] ?? 1;
  const margin = Math.max(...ticks.map((each) => tick(each).length)) * 7 + 12;
  const inner = Math.max(0, width - margin - kEdge);
  const across = (pixel: number) => (isMirrored ? width - pixel : pixel);
  const x = (place: number) => across(margin + (count > 1 ? (place / last) * inner : inner / 2));
  const y = (amount: number) => kAbove + (1 - amount / top) * (height - kAbove - kBelow);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = movedBy(event.key, at ?? last, count, isMirrored);
    if (next === null) return;
    event.preventDefault();
    setKept(next);
    setCursor(next);
  };
  const onPointerMove = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    setCursor(placeAt(across(event.clientX - box.left) - margin, inner, count));
  };
  const readAt = at ?? last;
  return (
    <div
      ref={frame} className={s.frame} style={{blockSize: height}} role="slider" tabIndex={0} aria-label={label} aria-orientation="horizontal"
      aria-valuemin={0} aria-valuemax={Math.max(0, last)} aria-valuenow={Math.max(0, readAt)} aria-valuetext={spoken(readAt)} onKeyDown={onKeyDown}
      onFocus={(event) => { if (event.currentTarget.matches(':focus-visible')) setCursor(kept ?? last); }} onBlur={() => setCursor(null)}
      onPointerMove={onPointerMove} onPointerDown={onPointerMove} onPointerLeave={(event) => setCursor(event.currentTarget.matches(':focus-visible') ? kept : null)}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true" className={s.drawing}>
          {ticks.map((each) => (
            <g key={each}>
              <line className={cx(s.grid, each === 0 && s.base)} x1={across(margin)} x2={across(width - kEdge)} y1={y(each)} y2={y(each)} />
              <text className={s.tick} x={across(margin - 8)} y={y(each)} dy="0.32em" textAnchor={isMirrored ? 'start' : 'end'} direction="ltr">{tick(each)}</text>
            </g>
          ))}
          {labelledOf(count, inner, kLabelWidth).map((place) => (
            <text key={place} className={s.tick} x={anchoredAt(x(place), width)} y={height - 6} textAnchor="middle">{marks[place]?.short}</text>
          ))}
          {at !== null && <line className={s.cursor} x1={x(at)} x2={x(at)} y1={kAbove - 4} y2={y(0)} />}
          {lines.map((line) => (
            <g key={line.series} className={seriesClass(line.series)}>
              <path className={s.line} d={pathOf(line.values, x, y)} strokeDasharray={seriesDashes[line.series]} />
              {line.values.map((each, place) => each !== null && (count <= 31 || place === at) && (
                <path key={place} className={cx(s.point, place === at && s.pointed)} d={shapes[line.series]} transform={`translate(${x(place)} ${y(each)}) scale(${place === at ? 1.35 : 1})`} />
              ))}
            </g>
          ))}
        </svg>
      )}
      {at !== null && (
        <div className={s.read} style={x(at) > width / 2 ? {right: width - x(at) + 12} : {left: x(at) + 12}} aria-hidden="true">
          <p className={s.when}>{marks[at]?.long}</p>
          {lines.map((line) => (
            <p key={line.series} className={s.entry}>
              <svg className={seriesClass(line.series)} width="12" height="12" viewBox="-6 -6 12 12"><path d={shapes[line.series]} fill="currentColor" transform="scale(1.2)" /></svg>
              <span>{line.text}</span><b>{value(line.values[at] ?? null)}</b>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

/** What the points of a series look like: a circle, a square, a triangle, a diamond, a cross. */
const shapes: Readonly<Record<Series, string>> = {
  1: 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0Z', 2: 'M-2.7-2.7h5.4v5.4h-5.4Z', 3: 'M0-3.6 3.4 2.6H-3.4Z', 4: 'M0-3.8 3.8 0 0 3.8-3.8 0Z',
  5: 'M-1-3.5h2v2.5h2.5v2h-2.5v2.5h-2v-2.5h-2.5v-2h2.5Z',
};

/** A label stays inside. */
const anchoredAt = (middle: number, width: number) => Math.min(width - 24, Math.max(24, middle));

function useWidth(ref: {readonly current: HTMLElement | null}): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

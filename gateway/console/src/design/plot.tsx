import type {ReactNode} from 'react';
import {Card} from './card.tsx';
import {cx} from './cx.ts';
import {SegmentedControl} from './tabs.tsx';
import s from './plot.module.css';

export type Series = 1 | 2 | 3 | 4 | 5;

/** How a line of a series is dashed, so that its colour is not all that tells it. */
export const seriesDashes: Readonly<Record<Series, string>> = {1: 'none', 2: '6 3', 3: '2 3', 4: '9 3 2 3', 5: '1 2'};

export interface LegendEntry {
  series: Series;
  text: string;
  /** Where the pointer or the arrow keys are. */
  value?: ReactNode;
}

export interface PlotCardProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  legend?: readonly LegendEntry[];
  /** The words of the switch, and which is seen. The page keeps it in the address. */
  view: {label: string; plot: string; table: string; shown: 'plot' | 'table'; onShow: (shown: 'plot' | 'table') => void};
  plot: ReactNode;
  table: ReactNode;
}

/** A plot, and the same as a table. */
export function PlotCard({title, description, actions, legend, view, plot, table}: PlotCardProps) {
  return (
    <Card
      title={title} description={description}
      actions={
        <>
          {actions}
          <SegmentedControl
            label={view.label} selected={view.shown} onSelect={(id) => view.onShow(id === 'table' ? 'table' : 'plot')}
            segments={[{id: 'plot', text: view.plot, icon: 'chart', iconOnly: true}, {id: 'table', text: view.table, icon: 'list', iconOnly: true}]}
          />
        </>
      }
    >
      {view.shown === 'table' ? table : (
        <>
          {legend && (
            <ul className={s.legend}>
              {legend.map(({series, text, value}) => (
                <li key={series} className={s.entry}>
                  <svg className={cx(s.line, s[`series_${series}`])} width="22" height="8" aria-hidden="true"><path d="M1 4h20" strokeDasharray={seriesDashes[series]} /></svg>
                  {text}{value !== undefined && <b>{value}</b>}
                </li>
              ))}
            </ul>
          )}
          <div className={s.plot}>{plot}</div>
        </>
      )}
    </Card>
  );
}

/** The class that gives a line or an area the colour of its series, as `currentColor`. */
export const seriesClass = (series: Series) => s[`series_${series}`] ?? '';

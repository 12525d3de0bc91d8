import type {ReactNode} from 'react';
import {LinePlot} from '../../design/line_plot.tsx';
import {PlotCard, type Series} from '../../design/plot.tsx';
import {EmptyState} from '../../design/state.tsx';
import {Cell, HeaderCell, Row, Table, TableBody, TableHead} from '../../design/table.tsx';
import {useFormat, useTexts, type Format, type Texts} from '../../texts/index.tsx';
import {kMeasures, sumOfPoints, type Measure, type Point} from './figures.ts';
import s from './home.module.css';

const kSeries: Readonly<Record<Measure, Series>> = {sent: 1, delivered: 2, read: 3, replied: 4};

interface Props {
  points: readonly Point[];
  isByHour: boolean;
  hasReplies: boolean;
  view: 'plot' | 'table';
  onShow: (view: 'plot' | 'table') => void;
  actions?: ReactNode;
}

/** Messages by the day or hour. */
export function MessagesPlot({points, isByHour, hasReplies, view, onShow, actions}: Props) {
  const {home} = useTexts();
  const {figures} = home;
  const format = useFormat();
  const measures = kMeasures.filter((each) => each !== 'replied' || hasReplies);
  const isNothing = measures.every((each) => sumOfPoints(points, each) === 0);
  const value = (count: number | null) => (count === null ? home.unknown : format.number(count));
  const marks = points.map((each) => markOf(each, isByHour, format));
  const title = isByHour ? figures.byHour : figures.byDay;
  const plot = isNothing
    ? <EmptyState small level={3} icon="chart" title={figures.none}>{figures.noneText}</EmptyState>
    : (
      <LinePlot
        label={`${title}. ${figures.plotHint}`} marks={marks} value={value} tick={(each) => format.number(each, {notation: 'compact'})}
        spoken={(place) => spokenOf(points[place], marks[place]?.long ?? '', measures, home, value)}
        lines={measures.map((measure) => ({series: kSeries[measure], text: figures.measures[measure], values: points.map((each) => each[measure])}))}
      />
    );
  return (
    <PlotCard
      title={title} {...(actions ? {actions} : {})} view={{label: figures.view, plot: figures.plot, table: figures.table, shown: view, onShow}} plot={plot}
      {...(isNothing ? {} : {legend: measures.map((measure) => ({series: kSeries[measure], text: figures.measures[measure]}))})}
      table={<PointsTable {...{points, marks, measures, title, isByHour, value}} />}
    />
  );
}

interface Mark {
  /** Under the axis, in a row of the table, and where there is room. */
  short: string;
  medium: string;
  long: string;
}

function markOf({at}: Point, isByHour: boolean, format: Format): Mark {
  if (isByHour) return {short: format.time(at), medium: format.time(at), long: format.time(at)};
  const short = {day: 'numeric', month: 'short'} as const;
  return {short: format.written(at, short), medium: format.written(at, {weekday: 'short', ...short}), long: format.day(at)};
}

/** All measures of a point in a sentence. */
export function spokenOf(point: Point | undefined, when: string, measures: readonly Measure[], {figures}: Texts['home'], value: (count: number | null) => string): string {
  if (!point) return '';
  return figures.spoken(when, measures.map((each) => figures.measured(figures.measures[each], value(point[each]))).join(', '));
}

interface TableProps {
  points: readonly Point[];
  marks: readonly Mark[];
  measures: readonly Measure[];
  title: string;
  isByHour: boolean;
  value: (count: number | null) => string;
}

/** The same as a table, the latest first, and its sums, which are the figures above. */
function PointsTable({points, marks, measures, title, isByHour, value}: TableProps) {
  const {home: {figures}} = useTexts();
  const columns = `minmax(7rem, 2fr) repeat(${measures.length}, minmax(4rem, 1fr))`;
  return (
    <div className={s.table}>
      <Table label={title} columns={columns} narrow={`minmax(4rem, 1.4fr) repeat(${measures.length}, minmax(2.5rem, 1fr))`}>
        <TableHead>
          <HeaderCell>{isByHour ? figures.hour : figures.day}</HeaderCell>
          {measures.map((each) => <HeaderCell key={each} align="end">{figures.measures[each]}</HeaderCell>)}
        </TableHead>
        <TableBody>
          <Row>
            <Cell isName>{figures.total}</Cell>
            {measures.map((each) => <Cell key={each} align="end"><b>{value(sumOfPoints(points, each))}</b></Cell>)}
          </Row>
          {points.map((point, place) => (
            <Row key={point.label}>
              <Cell isName>{marks[place]?.medium}</Cell>
              {measures.map((each) => <Cell key={each} align="end">{value(point[each])}</Cell>)}
            </Row>
          )).reverse()}
        </TableBody>
      </Table>
    </div>
  );
}

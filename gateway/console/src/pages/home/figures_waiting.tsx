import {Card} from '../../design/card.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './home.module.css';

/** In place of the figures until they are there, as large as they are. */
export function FiguresWaiting() {
  return <><div className={s.figures_waiting}><Card>{null}</Card></div><PlotWaiting /></>;
}

export function PlotWaiting() {
  const {home: {figures}, shell} = useTexts();
  return <Card title={figures.byDay}><Loading label={shell.loading}><div className={s.plot_waiting}><Skeleton kind="block" lines={2} /></div></Loading></Card>;
}

import {useCampaign} from '../../api/campaigns.ts';
import type {Campaign} from '../../api/entities.ts';
import {useImport} from '../../api/imports.ts';
import {StatusDot} from '../../design/badge.tsx';
import {Card} from '../../design/card.tsx';
import {Link} from '../../design/link.tsx';
import {Loading, ProgressBar, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {usePlaces} from '../../shell/places.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {sideBySide} from './concern_words.ts';
import type {HomeData, May} from './data.ts';
import s from './home.module.css';

/** Campaigns and imports that run, with their progress as events tell it. */
export function Running({data: {running, importing, queued}, may}: {data: HomeData; may: May}) {
  const {home, shell} = useTexts();
  const asked = [...(may('Get:Campaign') ? [running] : []), ...(may('BulkImport:Contacts') ? [importing, queued] : [])];
  const imports = [...(importing.value?.some ?? []), ...(queued.value?.some ?? [])];
  const campaigns = running.value?.some ?? [];
  const problem = asked.map((each) => each.problem).find((each) => each !== null);
  const rest = asked.reduce((sum, {value}) => sum + (value ? value.total - value.some.length : 0), 0);
  const {title, empty, emptyText, more} = home.running;
  return (
    <Card title={title} flush>
      {campaigns.length + imports.length > 0 ? (
        <ul aria-label={title}>
          {campaigns.map(({uniqueId}) => <CampaignEntry key={uniqueId} id={uniqueId} />)}
          {imports.map(({uniqueId}) => <ImportEntry key={uniqueId} id={uniqueId} />)}
          {rest > 0 && <li className={s.run}><span className={s.run_note}>{more(rest)}</span></li>}
        </ul>
      ) : problem ? <ProblemState small level={3} problem={problem} retry={() => asked.forEach((each) => each.retry())} />
        : asked.every((each) => each.value) ? <EmptyState small level={3} icon="campaign" title={empty}>{emptyText}</EmptyState>
          : <Loading label={shell.loading}><div className={s.waiting}><Skeleton kind="row" lines={2} /></div></Loading>}
    </Card>
  );
}

/** Who is done with, one way or another: the others wait, or are on the way. */
export const doneOf = ({recipients, pending}: Campaign['progress']) => Math.max(0, recipients - pending);

function CampaignEntry({id}: {id: string}) {
  const {home: {running}} = useTexts();
  const format = useFormat();
  const place = usePlaces();
  const {value: campaign} = useCampaign(id);
  if (!campaign) return null;
  const {progress, statusReason, name} = campaign;
  const href = place('campaigns/' + id, {}, 'campaigns/$campaign');
  const waits = statusReason !== '';
  const failed = progress.failed + progress.undelivered;
  const notes = [
    ...(progress.rate > 0 ? [running.rate(progress.rate)] : []), ...(progress.secondsLeft !== null ? [running.left(format.duration(progress.secondsLeft * 1000))] : []),
    ...(failed > 0 ? [running.failed(failed)] : []),
  ];
  const done = doneOf(progress);
  return (
    <li className={s.run}>
      <div className={s.run_line}>
        <span className={s.run_name}>{href ? <Link quiet href={href}><bdi>{name}</bdi></Link> : <bdi>{name}</bdi>}</span>
        <StatusDot tone={waits ? 'warning' : 'information'} live={!waits}>{waits ? running.waits : running.running}</StatusDot>
      </div>
      <ProgressBar label={name} labelHidden value={progress.recipients ? (100 * done) / progress.recipients : 0} valueText={running.campaign(done, progress.recipients)} {...(waits && {tone: 'warning' as const})} />
      <p className={s.run_note}>{sideBySide([running.campaign(done, progress.recipients), ...notes])}</p>
      {waits && <p className={s.run_note}><bdi>{statusReason}</bdi></p>}
    </li>
  );
}

function ImportEntry({id}: {id: string}) {
  const {home: {running}} = useTexts();
  const format = useFormat();
  const place = usePlaces();
  const {value} = useImport(id);
  if (!value) return null;
  const href = place('imports/' + id, {}, 'imports/$import');
  const name = running.importFrom(format.dateTime(value.createdAt));
  const isQueued = value.status === 'Queued';
  const notes = [running.rows(value.rowsRead), ...(value.failed > 0 ? [running.failed(value.failed)] : [])];
  return (
    <li className={s.run}>
      <div className={s.run_line}>
        <span className={s.run_name}>{href ? <Link quiet href={href}>{name}</Link> : name}</span>
        <StatusDot tone={isQueued ? 'neutral' : 'information'} live={!isQueued}>{isQueued ? running.queued : running.running}</StatusDot>
      </div>
      <ProgressBar label={name} labelHidden value={value.percent} valueText={format.percent(value.percent / 100)} />
      <p className={s.run_note}>{sideBySide([format.percent(value.percent / 100), ...notes])}</p>
    </li>
  );
}

import {memo, Suspense} from 'react';
import {useNavigate, useSearch} from '@tanstack/react-router';
import {useCampaignFigures, useEarlierCampaignFigures, useEarlierFigures, useFigures} from '../../api/home.ts';
import {ButtonLink} from '../../design/button.tsx';
import {Card, Figure, Figures} from '../../design/card.tsx';
import {Icon} from '../../design/icon.tsx';
import {SegmentedControl} from '../../design/tabs.tsx';
import {part} from '../../parts.ts';
import {useOrganizationId} from '../../shell/address.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {changeOf, kMeasures, pointsOf, shareOf, totalsOf, type Change, type Totals} from './figures.ts';
import {PlotWaiting} from './figures_waiting.tsx';
import type {May} from './data.ts';
import type {HomeSearch} from './search.ts';
import {csvAddress, dayOf, kSpans, spanBefore, spanOf, type Days} from './spans.ts';
import s from './home.module.css';

const MessagesPlot = part(() => import('./messages_plot.tsx'), (file) => file.MessagesPlot);

const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What went out and what came of it, against the span before; and by the day, as a plot or a table. It renders for its own parts alone. */
export default memo(function FiguresCard({may, now}: {may: May; now: number}) {
  const {home: {figures}} = useTexts();
  const search: HomeSearch = useSearch({strict: false});
  const navigate = useNavigate();
  const organization = useOrganizationId();
  const days = search.days ?? 7;
  const {primary, campaigns, before} = useSpans(days, now, may);
  const show = (change: HomeSearch) => void navigate({to: '.', search: {...search, ...change}, replace: true, resetScroll: false});
  const totals = totalsOf(primary.value, campaigns.value);
  return (
    <>
      <Card
        title={figures.titles[days]} description={figures.compared[days]} flush
        actions={
          <SegmentedControl label={figures.span} selected={String(days)} segments={kSpans.map((each) => ({id: String(each), text: figures.spans[each]}))}
                            onSelect={(id) => show({days: kSpans.find((each) => String(each) === id) ?? 7})} />
        }
      >
        {primary.problem && !primary.value ? <ProblemState small level={3} problem={primary.problem} retry={primary.retry} />
          : <TotalFigures totals={totals} before={before} isLoading={primary.isLoading} seesReplies={may('Get:CampaignAnalytics')} />}
      </Card>
      {primary.value ? (
        <Suspense fallback={<PlotWaiting />}>
          <MessagesPlot
            points={pointsOf(primary.value, campaigns.value)} isByHour={days === 1} view={search.view ?? 'plot'} onShow={(view) => show({view})} hasReplies={may('Get:CampaignAnalytics')}
            actions={<ButtonLink size="s" icon="download" href={csvAddress(organization, spanOf(days, new Date(now), timezone))} download aria-label={figures.csv}>CSV</ButtonLink>}
          />
        </Suspense>
      ) : primary.isLoading && <PlotWaiting />}
    </>
  );
});

function useSpans(days: Days, now: number, may: May) {
  const seesAll = may('Get:PrimaryAnalytics');
  const seesCampaigns = may('Get:CampaignAnalytics');
  // A span is anew with each day; within a day its end moves whenever it is asked for.
  const name = `${days} ${dayOf(new Date(now))} ${timezone}`;
  const span = () => spanOf(days, new Date(), timezone);
  const spanEarlier = () => spanBefore(days, new Date(), timezone);
  const primary = useFigures(name, span, seesAll);
  const campaigns = useCampaignFigures(name, span, seesAll && seesCampaigns);
  const earlier = useEarlierFigures(name, spanEarlier, seesAll);
  const earlierCampaigns = useEarlierCampaignFigures(name, spanEarlier, seesAll && seesCampaigns);
  return {primary, campaigns, before: totalsOf(earlier.value, earlierCampaigns.value)};
}

interface TotalsProps {
  totals: Totals;
  before: Totals;
  isLoading: boolean;
  seesReplies: boolean;
}

/** Counts, with their shares, and how they differ from before. */
function TotalFigures({totals, before, isLoading, seesReplies}: TotalsProps) {
  const {home} = useTexts();
  const {figures} = home;
  const format = useFormat();
  return (
    <Figures>
      {kMeasures.filter((each) => each !== 'replied' || seesReplies).map((measure) => {
        const counted = totals[measure];
        const earlier = before[measure];
        if (!counted) return <Figure key={measure} label={figures.measures[measure]} value={isLoading ? '–' : home.unknown} isUnknown note={<span className={s.note}><span>&nbsp;</span><span>&nbsp;</span></span>} />;
        const share = measure === 'sent' ? null : shareOf(counted);
        const change = earlier && changeOf(counted.count, earlier.count);
        const shared = share === null || measure === 'sent' ? '' : figures.share[measure](share);
        const note = <span className={s.note}><span className={s.change}>{change ? <Difference change={change} /> : <>&nbsp;</>}</span>{shared && <span>{shared}</span>}</span>;
        return <Figure key={measure} label={figures.measures[measure]} value={format.number(counted.count)} note={note} />;
      })}
    </Figures>
  );
}

function Difference({change: {direction, by}}: {change: Change}) {
  const {home: {figures}} = useTexts();
  if (direction === 'same') return figures.same;
  if (by === null) return figures.noneBefore;
  return <><Icon name={direction === 'up' ? 'arrow_up' : 'arrow_down'} size={14} />{figures[direction](by)}</>;
}

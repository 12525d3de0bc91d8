import {Suspense} from 'react';
import {Columns, Page, PageHeader, Stack} from '../../design/page.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {Spoken} from '../../design/spoken.tsx';
import {ForbiddenState} from '../../design/state.tsx';
import {part} from '../../parts.ts';
import {useHeldPermissions, useWho} from '../../session/provider.tsx';
import {useNow} from '../../shell/clock.ts';
import {ProblemState} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {FiguresWaiting} from './figures_waiting.tsx';
import {beginningOf, FirstSteps} from './first_steps.tsx';
import {isLoading, useHomeData, type May} from './data.ts';
import {Running} from './running.tsx';
import {useIsWaiting} from './use_patience.ts';
import {Waiting} from './waiting.tsx';
import {WantsAction} from './wants_action.tsx';

// The plot is drawn when the rest is there.
const FiguresCard = part(() => import('./figures_card.tsx'), (file) => file.default);

/** Of these the home shows something: whoever holds none has nothing to see here. */
const kShown = [
  'Get:Conversation', 'Get:PrimaryAnalytics', 'Get:Campaign', 'Get:PhoneNumbers', 'Get:MessageTemplates', 'Get:Organization',
  'Update:IntegrationSettings', 'BulkImport:Contacts',
];

export default function HomePage() {
  const {home, shell} = useTexts();
  const format = useFormat();
  useTitle(home.title);
  const now = useNow(60_000);
  const who = useWho();
  const {held, problem, retry} = useHeldPermissions();
  const may: May = (permission) => (held as readonly string[] | undefined)?.includes(permission) ?? false;
  const name = '\u2068' + (who?.user.name ?? '') + '\u2069';
  const header = <PageHeader title={<><Spoken>{home.title + ': '}</Spoken>{home.greeting(new Date(now).getHours(), name)}</>} description={format.day(now, now)} />;
  return (
    <Page wide header={header}>
      {held ? kShown.some(may) ? <Content may={may} now={now} /> : <ForbiddenState title={home.nothingAllowed} permission={kShown[0]!}>{shell.forbiddenText}</ForbiddenState>
        : problem ? <ProblemState problem={problem} retry={retry} />
          : <Waits />}
    </Page>
  );
}

function Content({may, now}: {may: May; now: number}) {
  const data = useHomeData(may);
  const beginning = beginningOf(data);
  const isNew = beginning && (beginning.contacts === 0 || beginning.numbers === 0);
  // Nothing can have happened yet.
  const isEmpty = beginning && beginning.contacts === 0 && beginning.numbers === 0;
  const isWaiting = useIsWaiting(isLoading(data));
  return (
    <>
      {isWaiting && <Waits />}
      <div hidden={isWaiting}>
        <Stack gap={4}>
          {isNew && <FirstSteps {...beginning} may={may} />}
          {!isEmpty && <WantsAction data={data} now={now} />}
          {!isEmpty && may('Get:PrimaryAnalytics') && <Suspense fallback={<FiguresWaiting />}><FiguresCard may={may} now={now} /></Suspense>}
          <Columns>
            {may('Get:Conversation') && <Waiting data={data} now={now} />}
            {(may('Get:Campaign') || may('BulkImport:Contacts')) && <Running data={data} may={may} />}
          </Columns>
        </Stack>
      </div>
    </>
  );
}

function Waits() {
  const {shell} = useTexts();
  return <Loading label={shell.loading}><Stack gap={4}><Skeleton kind="block" lines={3} /></Stack></Loading>;
}

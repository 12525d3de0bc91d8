import {useState} from 'react';
import {Banner} from '../../design/banner.tsx';
import {Button, ButtonLink} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {cx} from '../../design/cx.ts';
import {Icon} from '../../design/icon.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {usePlaces} from '../../shell/places.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {wordsOf} from './concern_words.ts';
import {concernsOf, type Concern} from './concerns.ts';
import {doubtsOf, isLoading, knownOf, type HomeData} from './data.ts';
import s from './home.module.css';

const kMostShown = 6;

/** What wants action, the worst first; and what could not be asked, which may want some, too. */
export function WantsAction({data, now}: {data: HomeData; now: number}) {
  const {home: {wants}, shell} = useTexts();
  const [isWhole, setWhole] = useState(false);
  const concerns = concernsOf(knownOf(data), now);
  // A button takes as much room as the last one.
  const rest = concerns.length > kMostShown + 1 ? concerns.length - kMostShown : 0;
  const shown = isWhole || rest === 0 ? concerns : concerns.slice(0, kMostShown);
  return (
    <Card title={wants.title} flush>
      {concerns.length === 0 && isLoading(data)
        ? <Loading label={shell.loading}><div className={s.waiting}><Skeleton kind="row" lines={3} /></div></Loading>
        : concerns.length === 0
          ? <Calm isPartly={doubtsOf(data).unknown.length > 0} />
          : <ul className={s.concerns} aria-label={wants.title}>{shown.map((each) => <Entry key={each.key} concern={each} now={now} />)}</ul>}
      {rest > 0 && (
        <div className={s.rest}>
          <Button kind="quiet" size="s" aria-expanded={isWhole} onPress={() => setWhole(!isWhole)}>{isWhole ? wants.less : wants.more(rest)}</Button>
        </div>
      )}
      <Doubts data={data} />
    </Card>
  );
}

function Entry({concern, now}: {concern: Concern; now: number}) {
  const {home} = useTexts();
  const format = useFormat();
  const place = usePlaces();
  const {title, text, page, route, search, go} = wordsOf(concern, home, format, now);
  const href = place(page, search, route);
  return (
    <li className={s.concern}>
      <Icon name={concern.weight} size={20} className={cx(s.sign, s[concern.weight])} />
      <div className={s.words}>
        <p className={s.what}>{title}</p>
        {text && <p className={s.why}>{text}</p>}
      </div>
      {href && <ButtonLink size="s" href={href} aria-label={`${go}: ${title}`}>{go}</ButtonLink>}
    </li>
  );
}

function Calm({isPartly}: {isPartly: boolean}) {
  const {home: {wants}} = useTexts();
  if (isPartly) return <EmptyState small level={3} icon="offline" title={wants.partly}>{wants.partlyText}</EmptyState>;
  return <EmptyState small level={3} icon="check" title={wants.calm}>{wants.calmText}</EmptyState>;
}

function Doubts({data}: {data: HomeData}) {
  const {home, shell} = useTexts();
  const format = useFormat();
  const {unknown, old, retry} = doubtsOf(data);
  const named = (names: typeof unknown) => format.list(names.map((each) => home.parts[each]));
  if (unknown.length + old.length === 0) return null;
  return (
    <div className={s.doubts}>
      {unknown.length > 0 && <Banner kind="degraded" actions={<Button size="s" icon="retry" onPress={retry}>{shell.retry}</Button>}>{home.unknownParts(named(unknown))}</Banner>}
      {old.length > 0 && <Banner kind="degraded">{home.oldParts(named(old))}</Banner>}
    </div>
  );
}

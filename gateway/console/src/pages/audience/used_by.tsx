import {Badge} from '../../design/badge.tsx';
import {useTexts} from '../../texts/index.tsx';
import {useUses, type Used} from './uses.ts';
import s from './audience.module.css';

const kShown = 5;

/** What goes wrong without a list, tag or segment, before it is deleted: the campaigns and segments that name it. */
export function UsedBy({used}: {used: Used}) {
  const {audience: {uses: words}} = useTexts();
  const uses = useUses(used);
  if (!uses) return <p aria-live="polite">{words.looking}</p>;
  const {campaigns, segments} = uses;
  const named = (isExcluded: boolean) => (campaigns ?? []).filter((each) => each.isExcluded === isExcluded)
    .map(({campaign: {name, status}}) => <><bdi>{name}</bdi> <Badge>{words.statuses[status]}</Badge></>);
  return (
    <div className={s.uses} aria-live="polite">
      {campaigns === null ? <p>{words.campaignsUnknown}</p> : campaigns.length === 0 && <p>{words.noCampaigns}</p>}
      <Named text={words.campaigns[used.kind]} more={words.more} names={named(false)} />
      <Named text={words.excluded} more={words.more} names={named(true)} />
      {used.kind !== 'segment' && (segments === null ? <p>{words.segmentsUnknown}</p> : <Named text={words.segments} more={words.more} names={segments.map(({name}) => <bdi>{name}</bdi>)} />)}
    </div>
  );
}

function Named({text, names, more}: {text: string; names: readonly React.ReactNode[]; more: (count: number) => string}) {
  const rest = names.length - kShown;
  return names.length > 0 && (
    <div>
      <p>{text}</p>
      <ul className={s.names}>{names.slice(0, kShown).map((name, place) => <li key={place}>{name}</li>)}{rest > 0 && <li>{more(rest)}</li>}</ul>
    </div>
  );
}

import {campaignsFamily} from '../../api/campaigns.ts';
import type {Campaign, Segment} from '../../api/entities.ts';
import {usePart, type Family} from '../../api/hooks.ts';
import type {Scope} from '../../api/scope.tsx';
import {segmentsFamily, type SegmentFilter} from '../../api/segments.ts';
import {useHeld} from '../../session/provider.tsx';

export interface Used {
  readonly kind: 'list' | 'tag' | 'segment';
  readonly id: string;
}

export interface CampaignUse {
  readonly campaign: Campaign;
  /** It keeps the contacts of the list out, so that they get the campaign once the list is gone. */
  readonly isExcluded: boolean;
}

/** What names a list, tag or segment: campaigns that may still send, and segments. Null for what cannot be known just now. */
export interface Uses {
  readonly campaigns: readonly CampaignUse[] | null;
  readonly segments: readonly Segment[] | null;
}

const kNotOver = ['Draft', 'Scheduled', 'Running', 'Paused'] as const;
const kMostPages = 20;

/** Asked anew each time: what was known a minute ago is no ground to delete something on. Undefined until it is known. */
export function useUses(used: Used): Uses | undefined {
  const [maySeeCampaigns, maySeeSegments] = [useHeld('Get:Campaign'), useHeld('Get:List')];
  const {value} = usePart(['uses', used], async (scope, signal) => {
    const [campaigns, segments] = await Promise.all([
      maySeeCampaigns ? campaignsWith(scope, used, signal) : null,
      maySeeSegments && used.kind !== 'segment' ? segmentsWith(scope, used, signal) : null,
    ].map((asked) => Promise.resolve(asked).catch(() => null)));
    return {data: {campaigns, segments} as Uses, degraded: [], version: null};
  }, {enabled: maySeeCampaigns !== undefined && maySeeSegments !== undefined, isFresh: true});
  return value;
}

/** All of a list, unless it is longer than anybody would wait for. */
async function all<F>(scope: Scope, family: Family<F>, filter: F, signal: AbortSignal): Promise<string[] | null> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < kMostPages; ++page) {
    const {ids: more, meta} = await family.load(scope, filter, {per_page: 100, ...(cursor !== null && {cursor})}, scope.store.asking(), signal);
    ids.push(...more);
    cursor = meta.nextCursor;
    if (cursor === null) return ids;
  }
  return null;
}

async function campaignsWith(scope: Scope, {kind, id}: Used, signal: AbortSignal): Promise<CampaignUse[] | null> {
  const pages = await Promise.all(kNotOver.map((status) => all(scope, campaignsFamily, {status, ...(kind === 'tag' && {tag: id})}, signal)));
  if (pages.includes(null)) return null;
  return pages.flat().flatMap((each) => {
    const campaign = scope.store.get('campaign', each!);
    if (!campaign) return [];
    const isExcluded = kind === 'list' && campaign.excludedListIds.includes(id);
    const isNamed = kind === 'tag' || (kind === 'list' ? campaign.listIds : campaign.segmentIds).includes(id);
    return isNamed || isExcluded ? [{campaign, isExcluded}] : [];
  });
}

async function segmentsWith(scope: Scope, used: Used, signal: AbortSignal): Promise<Segment[] | null> {
  const ids = await all(scope, segmentsFamily, {sort_by: 'name', order: 'asc'}, signal);
  return ids && ids.flatMap((id) => {
    const segment = scope.store.get('segment', id);
    return segment && isNamedIn(segment.filter, used) ? [segment] : [];
  });
}

export function isNamedIn(filter: SegmentFilter, used: Used): boolean {
  switch (filter.type) {
    case 'all': case 'any': return filter.conditions.some((each) => isNamedIn(each, used));
    case 'not': return isNamedIn(filter.condition, used);
    case 'tag': return used.kind === 'tag' && filter.tagIds.includes(used.id);
    case 'list': return used.kind === 'list' && filter.listIds.includes(used.id);
    default: return false;
  }
}

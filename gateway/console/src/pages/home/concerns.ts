import type {components} from '#schema';
import type {Campaign, Template} from '../../api/entities.ts';

type Schemas = components['schemas'];
type QuotaUse = Schemas['QuotaUse'];

/** Something that wants to be done, or to be known by whoever can do it. */
export type Concern =
  | {readonly kind: 'stopped'; readonly number: Schemas['PhoneNumber']; readonly stop: Schemas['SendingStopped']}
  | {readonly kind: 'unregistered'; readonly number: Schemas['PhoneNumber']}
  | {readonly kind: 'notice'; readonly notice: Schemas['AccountNotice']}
  | {readonly kind: 'paused'; readonly campaign: Campaign}
  | {readonly kind: 'ending'; readonly count: number; readonly firstAt: string}
  | {readonly kind: 'mine' | 'nobodys'; readonly count: number}
  | {readonly kind: 'template'; readonly template: Template}
  | {readonly kind: 'quota'; readonly quota: QuotaUse & {limit: number}}
  | {readonly kind: 'webhook'; readonly webhook: Schemas['Webhook']};

export type Weight = 'danger' | 'warning' | 'information';
const kWeights: readonly Weight[] = ['danger', 'warning', 'information'];

/** What is known; a part that is not, or that one may not see, is not there. */
export interface Known {
  readonly phoneNumbers?: Pick<Schemas['PhoneNumbersResponse'], 'phoneNumbers' | 'notices'> | undefined;
  readonly paused?: readonly Campaign[] | undefined;
  readonly mine?: Waiting | undefined;
  readonly nobodys?: Waiting | undefined;
  readonly templates?: readonly Template[] | undefined;
  readonly usage?: readonly QuotaUse[] | undefined;
  readonly webhooks?: readonly Schemas['Webhook'][] | undefined;
}

/** Conversations that wait for an answer: how many, and when those windows end of which that is near. */
export interface Waiting {
  readonly total: number;
  readonly ends: readonly string[];
}

const kNearEnd = 2 * 3_600_000;
const kNoticeDays = 7;

/** The worst first; among equals in the order of what they are about. */
export function concernsOf(known: Known, now: number): Concern[] {
  const concerns = [
    ...(known.phoneNumbers?.phoneNumbers ?? []).flatMap(ofNumber),
    ...(known.phoneNumbers?.notices ?? []).filter((each) => isOfConcern(each, now)).map((notice) => ({kind: 'notice', notice}) as const),
    ...(known.webhooks ?? []).filter(isUnwell).map((webhook) => ({kind: 'webhook', webhook}) as const),
    ...(known.paused ?? []).map((campaign) => ({kind: 'paused', campaign}) as const),
    ...ofWaiting(known, now),
    ...(known.templates ?? []).map((template) => ({kind: 'template', template}) as const),
    ...(known.usage ?? []).filter(isScarce).map((quota) => ({kind: 'quota', quota}) as const),
  ];
  return concerns.sort((a, b) => kWeights.indexOf(weightOf(a)) - kWeights.indexOf(weightOf(b)));
}

function ofNumber(number: Schemas['PhoneNumber']): Concern[] {
  if (number.sendingStopped) return [{kind: 'stopped', number, stop: number.sendingStopped}];
  return number.registered ? [] : [{kind: 'unregistered', number}];
}

function ofWaiting({mine, nobodys}: Known, now: number): Concern[] {
  const ends = [...(mine?.ends ?? []), ...(nobodys?.ends ?? [])].filter((each) => isNearEnd(each, now)).sort();
  return [
    ...(ends[0] === undefined ? [] : [{kind: 'ending', count: ends.length, firstAt: ends[0]}] as const),
    ...(mine && mine.total > 0 ? [{kind: 'mine', count: mine.total}] as const : []),
    ...(nobodys && nobodys.total > 0 ? [{kind: 'nobodys', count: nobodys.total}] as const : []),
  ];
}

export function isNearEnd(endsAt: string | null | undefined, now: number): boolean {
  const left = endsAt ? Date.parse(endsAt) - now : 0;
  return left > 0 && left <= kNearEnd;
}

/** What is left of a window, in whole minutes: it is shown anew each minute. Less than 0 where it is over. */
export const leftOf = (endsAt: string, now: number) => Math.ceil((Date.parse(endsAt) - now) / 60_000) * 60_000;

const isOfConcern = (notice: Schemas['AccountNotice'], now: number) =>
  notice.severity === 'Critical' && now - Date.parse(notice.at) < kNoticeDays * 86_400_000;

/** Switched off by its owner it is as they want it. */
const isUnwell = (webhook: Schemas['Webhook']) => webhook.disabledAt !== null || (webhook.active && webhook.failingSince !== null);

const isScarce = (quota: QuotaUse): quota is QuotaUse & {limit: number} =>
  quota.limit !== null && quota.limit > 0 && quota.used > 0.8 * quota.limit;

export function weightOf(concern: Concern): Weight {
  switch (concern.kind) {
    case 'stopped':
    case 'unregistered':
    case 'notice':
      return 'danger';
    case 'webhook':
      return concern.webhook.disabledAt ? 'danger' : 'warning';
    case 'quota':
      return concern.quota.used >= concern.quota.limit ? 'danger' : 'warning';
    case 'paused':
    case 'ending':
    case 'template':
      return 'warning';
    case 'mine':
    case 'nobodys':
      return 'information';
  }
}

/** One of each, for React. */
export function keyOf(concern: Concern): string {
  switch (concern.kind) {
    case 'stopped':
    case 'unregistered':
      return concern.kind + concern.number.uniqueId;
    case 'notice':
      return concern.kind + concern.notice.uniqueId;
    case 'paused':
      return concern.kind + concern.campaign.uniqueId;
    case 'template':
      return concern.kind + concern.template.uniqueId;
    case 'quota':
      return concern.kind + concern.quota.name;
    case 'webhook':
      return concern.kind + concern.webhook.uniqueId;
    default:
      return concern.kind;
  }
}

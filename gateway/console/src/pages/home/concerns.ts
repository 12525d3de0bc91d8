import type {components} from '#schema';
import type {Campaign, Template} from '../../api/entities.ts';
import {serviceWindow} from '../inbox/service_window.ts';

type Schemas = components['schemas'];
type QuotaUse = Schemas['QuotaUse'];

export type Weight = 'danger' | 'warning' | 'information';
const kWeights: readonly Weight[] = ['danger', 'warning', 'information'];

type Subject =
  | {readonly kind: 'stopped'; readonly number: Schemas['PhoneNumber']; readonly stop: Schemas['SendingStopped']}
  | {readonly kind: 'unregistered'; readonly number: Schemas['PhoneNumber']}
  | {readonly kind: 'notice'; readonly notice: Schemas['AccountNotice']}
  | {readonly kind: 'paused'; readonly campaign: Campaign}
  | {readonly kind: 'ending'; readonly count: number; readonly firstAt: string}
  | {readonly kind: 'mine' | 'nobodys'; readonly count: number}
  | {readonly kind: 'template'; readonly template: Template}
  | {readonly kind: 'quota'; readonly quota: QuotaUse & {limit: number}}
  | {readonly kind: 'webhook'; readonly webhook: Schemas['Webhook']};

/** Something that wants to be done, or to be known by whoever can do it. */
export type Concern = Subject & {
  /** Of all concerns it has this one alone. */
  readonly key: string;
  readonly weight: Weight;
};

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

const kNoticeDays = 7;
const kScarce = 0.8;

/** The worst first; among equals in the order of what they are about. */
export function concernsOf(known: Known, now: number): Concern[] {
  const concerns = [
    ...each(known.phoneNumbers?.phoneNumbers, ofNumber),
    ...each(known.phoneNumbers?.notices, (notice) => ofNotice(notice, now)),
    ...each(known.webhooks, ofWebhook),
    ...each(known.paused, (campaign) => ({kind: 'paused', campaign, key: 'paused ' + campaign.uniqueId, weight: 'warning'})),
    ...ofWaiting(known, now),
    ...each(known.templates, (template) => ({kind: 'template', template, key: 'template ' + template.uniqueId, weight: 'warning'})),
    ...each(known.usage, ofQuota),
  ];
  return concerns.sort((a, b) => kWeights.indexOf(a.weight) - kWeights.indexOf(b.weight));
}

const each = <T>(all: readonly T[] | undefined, concernOf: (one: T) => Concern | null): Concern[] =>
  (all ?? []).flatMap((one) => concernOf(one) ?? []);

function ofNumber(number: Schemas['PhoneNumber']): Concern | null {
  const stop = number.sendingStopped;
  if (stop) return {kind: 'stopped', number, stop, key: 'stopped ' + number.uniqueId, weight: 'danger'};
  return number.registered ? null : {kind: 'unregistered', number, key: 'unregistered ' + number.uniqueId, weight: 'danger'};
}

function ofNotice(notice: Schemas['AccountNotice'], now: number): Concern | null {
  const isOld = now - Date.parse(notice.at) >= kNoticeDays * 86_400_000;
  return isOld || notice.severity !== 'Critical' ? null : {kind: 'notice', notice, key: 'notice ' + notice.uniqueId, weight: 'danger'};
}

/** Switched off by its owner it is as they want it. */
function ofWebhook(webhook: Schemas['Webhook']): Concern | null {
  const isOff = webhook.disabledAt !== null;
  if (!isOff && !(webhook.active && webhook.failingSince !== null)) return null;
  return {kind: 'webhook', webhook, key: 'webhook ' + webhook.uniqueId, weight: isOff ? 'danger' : 'warning'};
}

function ofQuota({limit, ...use}: QuotaUse): Concern | null {
  if (limit === null || limit <= 0 || use.used <= kScarce * limit) return null;
  return {kind: 'quota', quota: {...use, limit}, key: 'quota ' + use.name, weight: use.used >= limit ? 'danger' : 'warning'};
}

function ofWaiting({mine, nobodys}: Known, now: number): Concern[] {
  const ends = [...(mine?.ends ?? []), ...(nobodys?.ends ?? [])].filter((end) => isShort(end, now)).sort();
  const concerns: Concern[] = [];
  if (ends[0] !== undefined) concerns.push({kind: 'ending', count: ends.length, firstAt: ends[0], key: 'ending', weight: 'warning'});
  if (mine && mine.total > 0) concerns.push({kind: 'mine', count: mine.total, key: 'mine', weight: 'information'});
  if (nobodys && nobodys.total > 0) concerns.push({kind: 'nobodys', count: nobodys.total, key: 'nobodys', weight: 'information'});
  return concerns;
}

function isShort(endsAt: string, now: number): boolean {
  const window = serviceWindow(endsAt, now);
  return window.kind === 'open' && window.isShort;
}

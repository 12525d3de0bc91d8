import type {components, paths} from '#schema';
import type {Answer} from './client.ts';
import {takeConversation, type Campaign, type Conversation, type Import, type Template} from './entities.ts';
import {ask, usePart} from './hooks.ts';
import type {Span} from './organization.ts';
import type {Scope} from './scope.tsx';

/*
 * Parts that the home shows. Each is small and of one permission, so that it can be unknown, or not allowed, by itself.
 * Events make them stale: live/apply.ts.
 */

type Schemas = components['schemas'];

const kQuarter = 15 * 60_000;
const kPerPage = 100;
const kMostSkipped = 10_000;

/** Figures of a span up to now: `span` is asked for when they are, as now moves. */
export const useFigures = (name: string, span: () => Span, enabled: boolean) =>
  usePart(['figures', 'primary', name], (scope, signal) => askPrimary(scope, span(), signal), {enabled});

export const useCampaignFigures = (name: string, span: () => Span, enabled: boolean) =>
  usePart(['figures', 'campaigns', name], (scope, signal) => askCampaigns(scope, span(), signal), {enabled});

/** Figures of an earlier span hardly change any more. */
export const useEarlierFigures = (name: string, span: () => Span, enabled: boolean) =>
  usePart(['earlier figures', 'primary', name], (scope, signal) => askPrimary(scope, span(), signal), {enabled, every: kQuarter});

export const useEarlierCampaignFigures = (name: string, span: () => Span, enabled: boolean) =>
  usePart(['earlier figures', 'campaigns', name], (scope, signal) => askCampaigns(scope, span(), signal), {enabled, every: kQuarter});

// They may be had as CSV, too: then the answer would be a text.
async function askPrimary(scope: Scope, query: Span, signal: AbortSignal): Promise<Answer<Schemas['PrimaryAnalytics']>> {
  const {data, ...rest} = await ask(scope, scope.api.GET('/api/analytics/primary', {params: {query}, signal}));
  if (typeof data === 'string') throw new Error('figures as text');
  return {data: data.analytics, ...rest};
}

async function askCampaigns(scope: Scope, query: Span, signal: AbortSignal): Promise<Answer<Schemas['CampaignAnalytics']>> {
  const {data, ...rest} = await ask(scope, scope.api.GET('/api/analytics/campaigns', {params: {query}, signal}));
  if (typeof data === 'string') throw new Error('figures as text');
  return {data: data.analytics, ...rest};
}

export const useWebhooks = (enabled: boolean) => usePart(['webhooks'], (scope, signal) =>
  ask(scope, scope.api.GET('/api/webhooks', {signal})), {enabled});

/** What came of something by pages: those of the first, and how many there are. */
export interface Some<T> {
  readonly some: readonly T[];
  readonly total: number;
}

/** Campaigns in one status. How each stands now is in the entity. */
export const useCampaignsIn = (status: Campaign['status'], enabled: boolean) =>
  usePart(['campaigns in', status], async (scope, signal): Promise<Answer<Some<Campaign>>> => {
    const into = scope.store.asking();
    const query = {status, per_page: 20};
    const {data, ...rest} = await ask(scope, scope.api.GET('/api/campaigns', {params: {query}, signal}));
    const some = data.campaigns.map((each) => into.take('campaign', each));
    return {data: {some, total: data.paginationMeta.total}, ...rest};
  }, {enabled});

export const useImportsIn = (status: Import['status'], enabled: boolean) =>
  usePart(['imports in', status], async (scope, signal): Promise<Answer<Some<Import>>> => {
    const into = scope.store.asking();
    const query = {status, per_page: 20};
    const {data, ...rest} = await ask(scope, scope.api.GET('/api/contacts/imports', {params: {query}, signal}));
    const some = data.imports.map((each) => into.take('import', each));
    return {data: {some, total: data.paginationMeta.total}, ...rest};
  }, {enabled});

export const useTemplatesIn = (status: string, enabled: boolean) =>
  usePart(['templates in', status], async (scope, signal): Promise<Answer<Some<Template>>> => {
    const into = scope.store.asking();
    const query = {status, per_page: kPerPage};
    const {data, ...rest} = await ask(scope, scope.api.GET('/api/organization/templates', {params: {query}, signal}));
    const some = data.templates.map((each) => into.take('template', each));
    return {data: {some, total: data.paginationMeta.total}, ...rest};
  }, {enabled});

type Asked = NonNullable<paths['/api/conversations']['get']['parameters']['query']>;

/**
 * Conversations that wait for an answer of a member, or of anybody (`none`): those that will have to wait no longer first.
 * They are sorted by when something was last said, so the windows of the last ones end first.
 */
export const useAwaiting = (assignedTo: string, enabled: boolean) =>
  usePart(['awaiting', assignedTo], async (scope, signal): Promise<Answer<Some<Conversation>>> => {
    const askPage = async (query: Asked) => {
      const into = scope.store.asking();
      const fixed = {awaiting: true, has_inbound: true, assigned_to: assignedTo} as const;
      const call = scope.api.GET('/api/conversations', {params: {query: {...fixed, ...query}}, signal});
      const {data, degraded, ...rest} = await ask(scope, call);
      const some = data.conversations.map((each) => takeConversation(into, each, degraded));
      return {data: {some, total: data.paginationMeta.total}, degraded, ...rest};
    };
    const first = await askPage({per_page: kPerPage});
    const {total} = first.data;
    if (total <= kPerPage) return first;
    // The last page whose windows are open is where those are that end soon.
    const end = await boundary(Math.min(total, kMostSkipped), async (skip) => {
      const {some} = (await askPage({per_page: 1, skip})).data;
      return isOpen(some[0], scope.wire.now());
    });
    const page = await askPage({per_page: kPerPage, skip: Math.max(0, end - kPerPage)});
    return {...page, data: {some: page.data.some, total}};
  }, {enabled});

export const isOpen = (conversation: Conversation | undefined, now: number) =>
  Boolean(conversation?.serviceWindowEndsAt && Date.parse(conversation.serviceWindowEndsAt) > now);

/** How many of `count` are so, where all that are come before all that are not. */
export async function boundary(count: number, isSo: (place: number) => Promise<boolean>): Promise<number> {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isSo(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

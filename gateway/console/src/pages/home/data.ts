import {useAwaiting, useCampaignsIn, useImportsIn, useTemplatesIn, useWebhooks} from '../../api/home.ts';
import type {Context} from '../../api/client.ts';
import type {State} from '../../api/hooks.ts';
import {usePhoneNumbers, useUsage} from '../../api/organization.ts';
import {useScope} from '../../api/scope.tsx';
import type {Texts} from '../../texts/index.tsx';
import type {Known} from './concerns.ts';

export type May = (permission: string) => boolean;
type Part = State & {value: unknown; degraded: readonly Context[]};

/** Everything but the figures, each part asked for only by who may see it. */
export function useHomeData(may: May) {
  const {memberId} = useScope();
  const seesConversations = may('Get:Conversation');
  const seesTemplates = may('Get:MessageTemplates');
  const seesCampaigns = may('Get:Campaign');
  const seesImports = may('BulkImport:Contacts');
  return {
    numbers: usePhoneNumbers(may('Get:PhoneNumbers')),
    paused: useCampaignsIn('Paused', seesCampaigns),
    running: useCampaignsIn('Running', seesCampaigns),
    mine: useAwaiting(memberId, seesConversations),
    nobodys: useAwaiting('none', seesConversations),
    rejected: useTemplatesIn('REJECTED', seesTemplates),
    pausedTemplates: useTemplatesIn('PAUSED', seesTemplates),
    disabledTemplates: useTemplatesIn('DISABLED', seesTemplates),
    usage: useUsage(may('Get:Organization')),
    webhooks: useWebhooks(may('Update:IntegrationSettings')),
    importing: useImportsIn('Running', seesImports),
    queued: useImportsIn('Queued', seesImports),
  };
}
export type HomeData = ReturnType<typeof useHomeData>;

/** What of it is known. */
export function knownOf(data: HomeData): Known {
  const waiting = (part: HomeData['mine']) => part.value && {
    total: part.value.total,
    ends: part.value.some.flatMap((each) => each.serviceWindowEndsAt ?? []),
  };
  const templates = [data.rejected, data.pausedTemplates, data.disabledTemplates];
  return {
    phoneNumbers: data.numbers.value,
    paused: data.paused.value?.some,
    mine: waiting(data.mine),
    nobodys: waiting(data.nobodys),
    templates: templates.flatMap((each) => each.value?.some ?? []),
    usage: data.usage.value?.usage,
    webhooks: data.webhooks.value?.webhooks,
  };
}

type PartName = keyof Texts['home']['parts'];

const groupsOf = (data: HomeData): Readonly<Record<PartName, readonly Part[]>> => ({
  numbers: [data.numbers],
  campaigns: [data.paused, data.running],
  conversations: [data.mine, data.nobodys],
  templates: [data.rejected, data.pausedTemplates, data.disabledTemplates],
  usage: [data.usage],
  webhooks: [data.webhooks],
  imports: [data.importing, data.queued],
});

/** Parts that could not be asked, and those that are as they were when the channel last answered. */
export function doubtsOf(data: HomeData): {unknown: PartName[]; old: PartName[]; retry: () => void} {
  const groups = Object.entries(groupsOf(data)) as [PartName, readonly Part[]][];
  const isUnknown = (part: Part) => part.problem !== null || part.degraded.some((each) => each !== 'channel');
  const unknown = groups.filter(([, all]) => all.some(isUnknown));
  const old = groups.filter(([, all]) => all.some((part) => part.degraded.includes('channel')) && !all.some(isUnknown));
  return {
    unknown: unknown.map(([name]) => name),
    old: old.map(([name]) => name),
    retry: () => unknown.forEach(([, all]) => all.forEach((part) => isUnknown(part) && part.retry())),
  };
}

export const isLoading = (data: HomeData) => Object.values(data).some((part: Part) => part.isLoading);

import {family, loadBy, useEntity, useList, type Family, type Filter, type Load} from './hooks.ts';

export type CampaignsFilter = Filter<'/api/campaigns'>;

export const campaignsFamily: Family<CampaignsFilter> = family('campaigns', 20,
  ({api}, filter, paging, signal) => api.GET('/api/campaigns', {params: {query: {...filter, ...paging}}, signal}),
  (into, {campaigns}) => campaigns.map((each) => into.take('campaign', each)));
export const useCampaigns = (filter: CampaignsFilter = {}, enabled?: boolean) => useList(campaignsFamily, filter, enabled);

export const loadCampaign: Load<'campaign'> = loadBy(({api}, request) => api.GET('/api/campaigns/{id}', request), (into, {campaign}) => into.take('campaign', campaign));
export const useCampaign = (id: string | null) => useEntity('campaign', id, loadCampaign);

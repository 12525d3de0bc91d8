import {ask, useEntity, useList, type Family, type Filter, type Load} from './hooks.ts';

export type CampaignsFilter = Filter<'/api/campaigns'>;

export const campaignsFamily: Family<CampaignsFilter> = {
  name: 'campaigns',
  perPage: 20,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/campaigns', {params: {query}, signal}));
    return {ids: data.campaigns.map((each) => into.take('campaign', each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useCampaigns = (filter: CampaignsFilter = {}, enabled?: boolean) => useList(campaignsFamily, filter, enabled);

export const loadCampaign: Load<'campaign'> = async (scope, id, into, signal) => {
  const call = scope.api.GET('/api/campaigns/{id}', {params: {path: {id}}, ...(signal && {signal})});
  const {data, ...rest} = await ask(scope, call);
  return {data: into.take('campaign', data.campaign), ...rest};
};
export const useCampaign = (id: string | null) => useEntity('campaign', id, loadCampaign);

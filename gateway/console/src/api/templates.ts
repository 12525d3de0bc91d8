import {ask, useList, useSearchedList, type Family, type Filter} from './hooks.ts';

export type TemplatesFilter = Filter<'/api/organization/templates'>;

/** Templates are in the order of their names. `degraded` names `channel` where the list is the last that was known. */
export const templatesFamily: Family<TemplatesFilter> = {
  name: 'templates',
  perPage: 100,
  async load(scope, filter, paging, into, signal) {
    const query = {...filter, ...paging};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/organization/templates', {params: {query}, signal}));
    return {ids: data.templates.map((each) => into.take('template', each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useTemplates = (filter: TemplatesFilter = {}, enabled?: boolean) => useList(templatesFamily, filter, enabled);
export const useSearchedTemplates = (filter: TemplatesFilter, words: string) => useSearchedList(templatesFamily, filter, words);

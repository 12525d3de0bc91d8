import {family, useList, useSearchedList, type Family, type Filter} from './hooks.ts';

export type TemplatesFilter = Filter<'/api/organization/templates'>;

/** Templates are in the order of their names. `degraded` names `channel` where the list is the last that was known. */
export const templatesFamily: Family<TemplatesFilter> = family('templates', 100,
  ({api}, filter, paging, signal) => api.GET('/api/organization/templates', {params: {query: {...filter, ...paging}}, signal}),
  (into, {templates}) => templates.map((each) => into.take('template', each)));
export const useTemplates = (filter: TemplatesFilter = {}, enabled?: boolean) => useList(templatesFamily, filter, enabled);
export const useSearchedTemplates = (filter: TemplatesFilter, words: string) => useSearchedList(templatesFamily, filter, words);

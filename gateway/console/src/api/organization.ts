import type {paths} from '#schema';
import {ask, usePart} from './hooks.ts';

/** The numbers of the account, with what the channel told of it. */
export const usePhoneNumbers = (enabled = true) => usePart(['phone numbers'], (scope, signal) =>
  ask(scope, scope.api.GET('/api/organization/phone-numbers', {signal})), {enabled});

/** What is used of all quotas; `missing` and `degraded` say which are unknown. */
export const useUsage = (enabled = true) => usePart(['usage'], (scope, signal) =>
  ask(scope, scope.api.GET('/api/organization/usage', {signal})), {enabled});

export type Span = NonNullable<paths['/api/analytics/primary']['get']['parameters']['query']>;

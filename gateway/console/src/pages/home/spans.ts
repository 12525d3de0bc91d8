import type {Span} from '../../api/organization.ts';

/** How many days the figures are of; of one day they are by the hour. */
export const kSpans = [1, 7, 30] as const;
export type Days = (typeof kSpans)[number];

/** The calendar day of a moment where the browser is: 2026-01-31. */
export function dayOf(moment: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** The same time of day some days earlier, whatever clocks did meanwhile. */
export function daysBefore(moment: Date, days: number): Date {
  const earlier = new Date(moment);
  earlier.setDate(earlier.getDate() - days);
  return earlier;
}

/** Today and the days before it, up to now. */
export const spanOf = (days: Days, now: Date, timezone: string): Span => ({from: dayOf(daysBefore(now, days - 1)), timezone});

/** As many days before that, up to the same time of day: what is not over is not compared with what is. */
export const spanBefore = (days: Days, now: Date, timezone: string): Span =>
  ({from: dayOf(daysBefore(now, 2 * days - 1)), to: daysBefore(now, days).toISOString(), timezone});

/** The file of a span: the API answers with a line a day, or an hour. */
export function csvAddress(organization: string, span: Span): string {
  const query = new URLSearchParams({format: 'csv', organization_id: organization});
  for (const [name, value] of Object.entries(span)) if (value !== undefined) query.set(name, String(value));
  return '/api/analytics/primary?' + query;
}

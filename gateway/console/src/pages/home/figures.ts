import type {components} from '#schema';

type Schemas = components['schemas'];
type Primary = Pick<Schemas['PrimaryAnalytics'],
  'messagesSent' | 'messagesDelivered' | 'messagesRead' | 'messagesFailed' | 'messagesUndelivered' | 'messageTrends'>;
type Campaigns = Pick<Schemas['CampaignAnalytics'], 'messagesDelivered' | 'messageAnalytics'>;

/** A day or an hour of the plot. null: it is not known. */
export interface Point {
  readonly label: string;
  readonly at: Date;
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly replied: number | null;
}

export const kMeasures = ['sent', 'delivered', 'read', 'replied'] as const;
export type Measure = (typeof kMeasures)[number];

/** What is counted, and of how many: the share is of those. */
export interface Counted {
  readonly count: number;
  readonly of: number | null;
}
export type Totals = Readonly<Record<Measure, Counted | null>>;

/** Who replied is known of campaigns alone: of those to whom one of theirs was delivered. */
export function totalsOf(primary: Primary | undefined, campaigns: Campaigns | undefined): Totals {
  const sent = primary?.messagesSent ?? 0;
  return {
    sent: primary ? {count: sent, of: null} : null,
    delivered: primary ? {count: primary.messagesDelivered, of: sent} : null,
    read: primary ? {count: primary.messagesRead, of: primary.messagesDelivered} : null,
    replied: campaigns ? {count: sumOf(campaigns.messageAnalytics.map((each) => each.replied)), of: campaigns.messagesDelivered} : null,
  };
}

export function pointsOf(primary: Primary, campaigns: Campaigns | undefined): Point[] {
  const replied = new Map(campaigns?.messageAnalytics.map((each) => [each.label, each.replied]));
  return primary.messageTrends.map(({label, date, sent, delivered, read}) =>
    ({label, at: new Date(date), sent, delivered, read, replied: replied.get(label) ?? null}));
}

export const sumOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0);

/** Of the points; null where one of them is not known. */
export function sumOfPoints(points: readonly Point[], measure: Measure): number | null {
  const values = points.map((each) => each[measure]);
  return values.every((each) => each !== null) ? sumOf(values) : null;
}

/** 0 to 1; null of nothing. */
export const shareOf = ({count, of}: Counted): number | null => (of ? count / of : null);

export interface Change {
  readonly direction: 'up' | 'down' | 'same';
  /** How much more or less, as a share of what was; null where nothing was. */
  readonly by: number | null;
}

/** How a count differs from the one of the span before, in whole percent. */
export function changeOf(now: number, before: number): Change {
  const direction = now > before ? 'up' : now < before ? 'down' : 'same';
  return {direction, by: before > 0 ? Math.abs(now - before) / before : null};
}

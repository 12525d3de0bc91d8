/** Numbers, dates and times as a language writes them. What is written often asks Intl here, where what that takes is kept. */
export type Language = 'en' | 'de' | 'ar';
export const kLanguages: readonly Language[] = ['en', 'de', 'ar'];

/**
 * The locale to format by: of the reader's own region where the browser names one of the language ("en-GB" has the day before the
 * month). Arabic has the figures that phone numbers have, so that a page has one kind of them.
 */
export function localeOf(language: Language, wanted: readonly string[] = globalThis.navigator?.languages ?? []): string {
  const regional = wanted.find((each) => each.toLowerCase().startsWith(language + '-'));
  const locale = regional?.split('-u-')[0] ?? {en: 'en-US', de: 'de-DE', ar: 'ar-AE'}[language];
  return language === 'ar' ? locale + '-u-nu-latn' : locale;
}

export const isRightToLeft = (language: Language) => language === 'ar';

type Moment = string | number | Date;

export interface Format {
  readonly language: Language;
  readonly locale: string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  /** Of a share of 1. */
  percent(share: number, digits?: number): string;
  written(moment: Moment, options: Intl.DateTimeFormatOptions): string;
  /** "26 Nov 2026". */
  date(moment: Moment): string;
  time(moment: Moment): string;
  dateTime(moment: Moment): string;
  /** "Thursday, 26 November": the heading of a day; with the year where it is another one than now. */
  day(moment: Moment, now?: number): string;
  /** In a dense list: the time today, the weekday within a week, else the date. */
  short(moment: Moment, now?: number): string;
  /** "3 minutes ago", "in 2 hours". */
  relative(moment: Moment, now?: number): string;
  /** A length of time in its largest unit, or two: "23 h 10 min". */
  duration(milliseconds: number): string;
  bytes(count: number): string;
  list(words: readonly string[]): string;
  any(words: readonly string[]): string;
  compare(a: string, b: string): number;
}

const kSecond = 1000, kMinute = 60 * kSecond, kHour = 60 * kMinute, kDay = 24 * kHour;
const kSteps: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [365 * kDay, 'year'], [30 * kDay, 'month'], [7 * kDay, 'week'], [kDay, 'day'], [kHour, 'hour'], [kMinute, 'minute'], [kSecond, 'second'],
];
const kParts: readonly [number, string][] = [[kDay, 'day'], [kHour, 'hour'], [kMinute, 'minute'], [kSecond, 'second']];
const kSizes = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

export function createFormat(language: Language, locale = localeOf(language)): Format {
  const made = new Map<string, unknown>();
  // Making these takes long, formatting does not.
  function kept<T>(name: string, make: () => T): T {
    if (!made.has(name)) made.set(name, make());
    return made.get(name) as T;
  }
  const numbers = (options: Intl.NumberFormatOptions = {}) =>
    kept('n' + JSON.stringify(options), () => new Intl.NumberFormat(locale, options));
  const dates = (options: Intl.DateTimeFormatOptions, moment: Moment) =>
    kept('d' + JSON.stringify(options), () => new Intl.DateTimeFormat(locale, options)).format(new Date(moment));
  const dayOf = (moment: Moment) => new Date(moment).setHours(0, 0, 0, 0);
  const daysBefore = (moment: Moment, now: number) => Math.round((dayOf(now) - dayOf(moment)) / kDay);
  const unit = (value: number, name: string, unitDisplay: 'short' | 'narrow' | 'long' = 'short', digits = 0) =>
    numbers({style: 'unit', unit: name, unitDisplay, maximumFractionDigits: digits}).format(value);

  const format: Format = {
    language,
    locale,
    number: (value, options) => numbers(options).format(value),
    percent: (share, digits = 1) => numbers({style: 'percent', maximumFractionDigits: digits}).format(share),
    written: (moment, options) => dates(options, moment),
    date: (moment) => dates({dateStyle: 'medium'}, moment),
    time: (moment) => dates({timeStyle: 'short'}, moment),
    dateTime: (moment) => dates({dateStyle: 'medium', timeStyle: 'short'}, moment),
    day: (moment, now = Date.now()) => {
      const year = new Date(moment).getFullYear() === new Date(now).getFullYear() ? {} : {year: 'numeric' as const};
      return dates({weekday: 'long', day: 'numeric', month: 'long', ...year}, moment);
    },
    short: (moment, now = Date.now()) => {
      const days = daysBefore(moment, now);
      if (days === 0) return format.time(moment);
      if (days > 0 && days < 7) return dates({weekday: 'short'}, moment);
      const isThisYear = new Date(moment).getFullYear() === new Date(now).getFullYear();
      return dates(isThisYear ? {day: 'numeric', month: 'short'} : {dateStyle: 'medium'}, moment);
    },
    relative: (moment, now = Date.now()) => {
      const distance = new Date(moment).getTime() - now;
      const [step, name] = kSteps.find(([each]) => Math.abs(distance) >= each) ?? [kSecond, 'second' as const];
      return kept('r', () => new Intl.RelativeTimeFormat(locale, {numeric: 'auto'})).format(Math.trunc(distance / step), name);
    },
    duration: (milliseconds) => {
      const left = Math.max(0, milliseconds);
      const first = kParts.findIndex(([each]) => left >= each);
      if (first < 0) return unit(0, 'second');
      const [step, name] = kParts[first]!;
      const next = kParts[first + 1];
      const rest = next ? Math.floor((left % step) / next[0]) : 0;
      const words = unit(Math.floor(left / step), name);
      return rest > 0 && next ? words + ' ' + unit(rest, next[1]) : words;
    },
    bytes: (count) => {
      const power = Math.min(kSizes.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)));
      return unit(count / 1000 ** power, kSizes[power]!, power === 0 ? 'long' : 'short', power === 0 ? 0 : 1);
    },
    list: (words) => kept('l', () => new Intl.ListFormat(locale, {type: 'conjunction'})).format(words),
    any: (words) => kept('o', () => new Intl.ListFormat(locale, {type: 'disjunction'})).format(words),
    compare: (a, b) => kept('c', () => new Intl.Collator(locale, {numeric: true})).compare(a, b),
  };
  return format;
}

type Plurals = Partial<Record<Intl.LDMLPluralRule, string>> & {other: string};

/** What the texts of a language count with: `plural(3, {one: '# contact', other: '# contacts'})`; `#` is the number. */
export function words(language: Language) {
  const format = createFormat(language);
  const rules = new Intl.PluralRules(language);
  return {
    ...format,
    plural: (count: number, forms: Plurals): string => (forms[rules.select(count)] ?? forms.other).replaceAll('#', format.number(count)),
  };
}

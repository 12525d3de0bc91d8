import {channelForms, phonePlans} from './phone_plans.ts';

/*
 * Telephone numbers as the service reads them (common/model/phone.cpp), so that rows are judged before they are sent. The
 * test has the service's own examples.
 */

interface Plan {
  readonly code: string;
  readonly trunk: string;
  readonly abroad: string;
  readonly usual: number;
  readonly lengths: string;
  readonly may: ReadonlySet<number>;
}

const byCode = new Map<string, Plan>();
const byRegion = new Map<string, Plan>();
for (const line of phonePlans.trim().split('\n')) {
  const [code = '', trunk = '', abroad = '', usual = '', lengths = '', regions = ''] = line.split(';');
  const may = new Set<number>();
  for (const range of lengths.split(',')) {
    const [from = 0, to = from] = range.split('-').map(Number);
    for (let length = from; length <= to; ++length) may.add(length);
  }
  const plan = {code, trunk, abroad, usual: Number(usual), lengths, may};
  byCode.set(code, plan);
  for (const region of regions.split(' ')) if (region) byRegion.set(region, plan);
}

/** ISO 3166 codes of all countries whose numbers are known. */
export const phoneRegions: readonly string[] = [...byRegion.keys()].sort();

export const callingCode = (region: string): string | undefined => byRegion.get(region)?.code;

const kMostOctets = 128;
const kMostDigits = 24;
const kPassedOver = /[ \t\-.()/\u00a0\u00ad\u2212\u2060\ufeff\u3000\uff0d\uff08\uff09\u2000-\u2015\u2028-\u202f\u2066-\u2069]/;

/** The digits of what was typed; null if there is anything else. */
function readDigits(typed: string): {digits: string; plus: boolean} | null {
  if (new TextEncoder().encode(typed).length > kMostOctets) return null;
  let digits = '';
  let plus = false;
  for (const each of typed.length > 4 && /^tel:/i.test(typed) ? typed.slice(4) : typed) {
    const code = each.codePointAt(0)!;
    const zero = [0x30, 0x660, 0x6f0, 0xff10].find((first) => code >= first && code <= first + 9);
    if (zero !== undefined) {
      if (digits.length === kMostDigits) return null;
      digits += String(code - zero);
    } else if (each === '+' || each === '\uff0b') {
      if (plus || digits) return null;
      plus = true;
    } else if (!kPassedOver.test(each)) {
      return null;
    }
  }
  return digits ? {digits, plus} : null;
}

interface Read {
  plan: Plan;
  national: string;
  /** The calling code was typed, too. */
  isWhole: boolean;
}

const hasLength = ({plan, national, isWhole}: Read) =>
  plan.may.has(national.length) ||
  (isWhole && channelForms.some(([code, begin, digits]) =>
    code === plan.code && national.length === digits && national.startsWith(begin)));

const beginsWithTrunk = (plan: Plan, digits: string) => plan.trunk.startsWith('0') && digits.startsWith(plan.trunk);

function isPossible(read: Read | null): read is Read {
  if (!read || !hasLength(read) || beginsWithTrunk(read.plan, read.national)) return false;
  return read.plan.code !== '1' || read.national[0]! >= '2';
}

function nationalOf(plan: Plan, digits: string, isWhole = false): Read {
  return {plan, national: beginsWithTrunk(plan, digits) ? digits.slice(plan.trunk.length) : digits, isWhole};
}

/** From the digits behind the plus. No calling code is the beginning of another. */
function international(digits: string): Read | null {
  for (let length = 1; length <= 3; ++length) {
    const plan = byCode.get(digits.slice(0, length));
    if (plan && plan.code.length === length) return nationalOf(plan, digits.slice(length), true);
  }
  return null;
}

function read(typed: string, country: string): Read | null {
  const found = readDigits(typed);
  if (!found) return null;
  const {digits, plus} = found;
  if (plus) return international(digits);
  const home = byRegion.get(country);
  const abroad = home?.abroad ?? '00';
  const isUsual = digits.startsWith('00');
  if (isUsual) {
    const whole = international(digits.slice(2));
    if (isPossible(whole) || !digits.startsWith(abroad)) return whole;
  }
  if (digits.startsWith(abroad) && (isUsual || digits.length > abroad.length + 6)) return international(digits.slice(abroad.length));
  if (!home) return null;
  const isLong = digits.length > home.usual;
  if (home.trunk && digits.startsWith(home.trunk) && (home.trunk[0] !== '8' || isLong))
    return nationalOf(home, digits.slice(home.trunk.length));
  if (digits.startsWith(home.code) && isLong) {
    const whole = nationalOf(home, digits.slice(home.code.length), true);
    if (isPossible(whole)) return whole;
  }
  return nationalOf(home, digits);
}

/** The number as E.164, null for what cannot be one. `country` says where national numbers are dialled, '' for nowhere. */
export function toE164(typed: string, country: string): string | null {
  const found = read(typed, country);
  return isPossible(found) ? '+' + found.plan.code + found.national : null;
}

/** What is wrong with how many digits there are; null if that is not what is wrong. */
export function wrongLength(typed: string, country: string): {code: string; lengths: string; digits: number} | null {
  const found = read(typed, country);
  if (!found || hasLength(found)) return null;
  return {code: found.plan.code, lengths: found.plan.lengths, digits: found.national.length};
}

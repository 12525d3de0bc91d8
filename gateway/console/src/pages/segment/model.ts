import type {SegmentFilter} from '../../api/segments.ts';
import type {ContactStatus} from '../contacts/search.ts';

/** A segment as one builds it: what is not finished is there, too, and anything may be turned into its opposite. */
export type Node = Group | Condition;

export interface Group {
  readonly id: string;
  readonly type: 'all' | 'any';
  readonly not: boolean;
  readonly children: readonly Node[];
}

interface Base {
  readonly id: string;
  readonly not: boolean;
}
export type TextOperator = 'is' | 'contains' | 'startsWith';
export type Did = 'received' | 'read' | 'clicked' | 'replied';

/** Bounds as they are typed: a day, or days from today. */
export interface Days {
  readonly mode: 'any' | 'last' | 'before' | 'next' | 'between' | 'relative';
  /** Of `last`, `before` and `next`. */
  readonly count: string;
  readonly from: string;
  readonly to: string;
}

export type Condition = Base & (
  | {readonly type: 'text'; readonly attribute: string; readonly operator: TextOperator; readonly values: readonly string[]}
  | {readonly type: 'number'; readonly attribute: string; readonly low: string; readonly lowIsOpen: boolean; readonly high: string; readonly highIsOpen: boolean}
  | {readonly type: 'date'; readonly attribute: string; readonly days: Days}
  | {readonly type: 'yesNo'; readonly attribute: string; readonly is: boolean}
  | {readonly type: 'present'; readonly attribute: string}
  | {readonly type: 'tag' | 'list'; readonly ids: readonly string[]}
  | {readonly type: 'status'; readonly statuses: readonly ContactStatus[]}
  | {readonly type: 'lastInbound' | 'lastCampaign'; readonly days: Days}
  | {readonly type: 'campaign'; readonly did: Did; readonly ids: readonly string[]}
);
export type ConditionType = Condition['type'];

export const kMostDepth = 5;
export const kMostConditions = 50;

let last = 0;
const newId = () => `n${++last}`;
const kNoDays: Days = {mode: 'any', count: '', from: '', to: ''};

export const newGroup = (type: 'all' | 'any' = 'all', children: readonly Node[] = []): Group => ({id: newId(), type, not: false, children});

export function newCondition(type: ConditionType, attribute = ''): Condition {
  const base = {id: newId(), not: false};
  switch (type) {
    case 'text': return {...base, type, attribute, operator: 'is', values: []};
    case 'number': return {...base, type, attribute, low: '', lowIsOpen: false, high: '', highIsOpen: false};
    case 'date': return {...base, type, attribute, days: {...kNoDays, mode: 'last', count: '30'}};
    case 'yesNo': return {...base, type, attribute, is: true};
    case 'present': return {...base, type, attribute};
    case 'tag': case 'list': return {...base, type, ids: []};
    case 'status': return {...base, type, statuses: []};
    case 'lastInbound': case 'lastCampaign': return {...base, type, days: {...kNoDays, mode: 'last', count: '30'}};
    case 'campaign': return {...base, type, did: 'received', ids: []};
  }
}

// ---- from and to the API's filter -----------------------------------------------------------------------------------

/** `locale`: how its reader writes numbers. */
export function groupOf(filter: SegmentFilter, locale = 'en'): Group {
  const node = nodeOf(filter, false, locale);
  return 'children' in node ? node : newGroup('all', [node]);
}

function nodeOf(filter: SegmentFilter, not: boolean, locale: string): Node {
  const base = {id: newId(), not};
  switch (filter.type) {
    case 'all': case 'any': return {...base, type: filter.type, children: filter.conditions.map((each) => nodeOf(each, false, locale))};
    case 'not': return nodeOf(filter.condition, !not, locale);
    case 'text': return {...base, type: 'text', attribute: filter.attribute, operator: filter.operator, values: filter.values};
    case 'number': return {
      ...base, type: 'number', attribute: filter.attribute,
      low: typedNumber(filter.atLeast ?? filter.moreThan, locale), lowIsOpen: filter.moreThan !== undefined,
      high: typedNumber(filter.atMost ?? filter.lessThan, locale), highIsOpen: filter.lessThan !== undefined,
    };
    case 'date': return {...base, type: 'date', attribute: filter.attribute, days: daysOf(filter)};
    case 'yesNo': return {...base, type: 'yesNo', attribute: filter.attribute, is: filter.is};
    case 'present': return {...base, type: 'present', attribute: filter.attribute};
    case 'tag': return {...base, type: 'tag', ids: filter.tagIds};
    case 'list': return {...base, type: 'list', ids: filter.listIds};
    case 'status': return {...base, type: 'status', statuses: filter.statuses};
    case 'lastInbound': case 'lastCampaign': return {...base, type: filter.type, days: daysOf(filter)};
    case 'campaign': return {...base, type: 'campaign', did: filter.did, ids: filter.campaignIds};
  }
}

interface Bounds {
  from?: string;
  to?: string;
  fromDays?: number;
  toDays?: number;
}

const textOf = (value: unknown) => (value === undefined ? '' : String(value));

function daysOf({from, to, fromDays, toDays}: Bounds): Days {
  if (fromDays === undefined && toDays === undefined)
    return from || to ? {...kNoDays, mode: 'between', from: from ?? '', to: to ?? ''} : kNoDays;
  if (from === undefined && to === undefined) {
    if (fromDays !== undefined && fromDays < 0 && toDays === 0) return {...kNoDays, mode: 'last', count: String(-fromDays)};
    if (fromDays === 0 && toDays !== undefined && toDays > 0) return {...kNoDays, mode: 'next', count: String(toDays)};
    if (fromDays === undefined && toDays !== undefined && toDays < 0) return {...kNoDays, mode: 'before', count: String(-toDays - 1)};
  }
  return {...kNoDays, mode: 'relative', from: from ?? textOf(fromDays), to: to ?? textOf(toDays)};
}

const kDay = /^\d{4}-\d\d-\d\d$/;
const isWhole = (text: string) => /^-?\d{1,5}$/.test(text.trim()) && Math.abs(Number(text)) <= 36_500;

/** Null where a bound is wanted and none is there, or cannot be read. */
function boundsOf(days: Days, mayBeAny: boolean): Bounds | null {
  const {mode, count, from, to} = days;
  if (mode === 'any') return mayBeAny ? {} : null;
  if (mode === 'between' || mode === 'relative') {
    if (!from && !to) return null;
    const bounds: Bounds = {};
    if (kDay.test(from)) bounds.from = from;
    else if (mode === 'relative' && isWhole(from)) bounds.fromDays = Number(from);
    else if (from) return null;
    if (kDay.test(to)) bounds.to = to;
    else if (mode === 'relative' && isWhole(to)) bounds.toDays = Number(to);
    else if (to) return null;
    return bounds;
  }
  if (!isWhole(count) || Number(count) < 0) return null;
  const number = Number(count);
  if (mode === 'last') return {fromDays: number === 0 ? 0 : -number, toDays: 0};
  return mode === 'next' ? {fromDays: 0, toDays: number} : {toDays: -number - 1};
}

export type Fault = 'attribute' | 'values' | 'number' | 'days' | 'empty' | 'too deep' | 'too many' | 'too many values' | 'too many texts';

export interface Compiled {
  /** Null while something is not finished. */
  readonly filter: SegmentFilter | null;
  readonly faults: ReadonlyMap<string, Fault>;
  /** The nodes by their places in the filter, such as `conditions/1`, for what the API says about one of them. */
  readonly places: ReadonlyMap<string, string>;
}

export function compile(root: Group, locale = 'en'): Compiled {
  const faults = new Map<string, Fault>();
  const places = new Map<string, string>();
  let conditions = 0;
  let values = 0;
  let texts = 0;
  const fail = (node: Node, fault: Fault) => {
    if (!faults.has(node.id)) faults.set(node.id, fault);
    return null;
  };
  const build = (node: Node, place: string, depth: number): SegmentFilter | null => {
    const inner = node.not ? (place ? place + '/condition' : 'condition') : place;
    places.set(place, node.id);
    places.set(inner, node.id);
    const level = depth + (node.not ? 1 : 0);
    conditions += node.not ? 2 : 1;
    if (level > kMostDepth) fail(node, 'too deep');
    if (conditions > kMostConditions) fail(node, 'too many');
    let filter: SegmentFilter | null;
    if ('children' in node) {
      const parts = node.children.map((each, index) => build(each, `${inner ? inner + '/' : ''}conditions/${index}`, level + 1));
      if (parts.length === 0) fail(node, 'empty');
      const whole = parts.filter((part) => part !== null);
      filter = whole.length === parts.length && parts.length > 0 ? {type: node.type, conditions: whole} : null;
    } else {
      filter = conditionOf(node, fail, locale);
      const count = 'values' in node ? node.values.length : 'ids' in node ? node.ids.length : 'statuses' in node ? node.statuses.length : 0;
      values += count;
      if (node.type === 'text' && node.operator !== 'is') texts += count;
      if (values > 500) fail(node, 'too many values');
      if (texts > 20) fail(node, 'too many texts');
    }
    return filter && node.not ? {type: 'not', condition: filter} : filter;
  };
  const filter = build(root, '', 1);
  return {filter: faults.size === 0 ? filter : null, faults, places};
}

function conditionOf(node: Condition, fail: (node: Node, fault: Fault) => null, locale: string): SegmentFilter | null {
  if ('attribute' in node && !node.attribute.trim()) return fail(node, 'attribute');
  switch (node.type) {
    case 'text':
      return node.values.length > 0 ? {type: 'text', attribute: node.attribute, operator: node.operator, values: [...node.values]} : fail(node, 'values');
    case 'number': {
      const low = numberOf(node.low, locale);
      const high = numberOf(node.high, locale);
      if (low === null || high === null || (low === undefined && high === undefined)) return fail(node, 'number');
      return {
        type: 'number', attribute: node.attribute,
        ...(low !== undefined && (node.lowIsOpen ? {moreThan: low} : {atLeast: low})),
        ...(high !== undefined && (node.highIsOpen ? {lessThan: high} : {atMost: high})),
      };
    }
    case 'date': {
      const bounds = boundsOf(node.days, false);
      return bounds ? {type: 'date', attribute: node.attribute, ...bounds} : fail(node, 'days');
    }
    case 'yesNo': return {type: 'yesNo', attribute: node.attribute, is: node.is};
    case 'present': return {type: 'present', attribute: node.attribute};
    case 'tag': return node.ids.length > 0 ? {type: 'tag', tagIds: [...node.ids]} : fail(node, 'values');
    case 'list': return node.ids.length > 0 ? {type: 'list', listIds: [...node.ids]} : fail(node, 'values');
    case 'status': return node.statuses.length > 0 ? {type: 'status', statuses: [...node.statuses]} : fail(node, 'values');
    case 'lastInbound': case 'lastCampaign': {
      const bounds = boundsOf(node.days, true);
      return bounds ? {type: node.type, ...bounds} : fail(node, 'days');
    }
    case 'campaign':
      return node.ids.length > 0 ? {type: 'campaign', did: node.did, campaignIds: [...node.ids]} : fail(node, 'values');
  }
}

/** The node of a place, or the one that the place is within. */
export function nodeAt(place: string, places: ReadonlyMap<string, string>): string | undefined {
  for (let at = place;; at = at.slice(0, at.lastIndexOf('/'))) {
    const node = places.get(at);
    if (node || !at.includes('/')) return node ?? places.get('');
  }
}

// ---- numbers as people write them -----------------------------------------------------------------------------------

const typedNumber = (value: number | undefined, locale: string) =>
  (value === undefined ? '' : new Intl.NumberFormat(locale, {useGrouping: false, maximumFractionDigits: 20}).format(value));

/** Undefined for nothing, null for what is no number: 1,000 is a thousand in one language and one in another. */
export function numberOf(text: string, locale: string): number | undefined | null {
  const trimmed = text.trim().replace(/[\u00a0\u202f\u2019]/g, (sign) => (sign === '\u2019' ? "'" : ' '));
  if (trimmed === '') return undefined;
  const parts = new Intl.NumberFormat(locale).formatToParts(1234567.8);
  const sign = (type: 'group' | 'decimal') => (parts.find((part) => part.type === type)?.value ?? '').replace(/\s/g, ' ').replace('\u2019', "'");
  const [whole = '', fraction, ...rest] = trimmed.split(sign('decimal'));
  const group = sign('group');
  const isGrouped = group !== '' && whole.includes(group);
  const digits = isGrouped ? whole.replaceAll(group, '') : whole;
  const isRight = /^[+-]?\d+$/.test(digits) && (!isGrouped || whole.split(group).slice(1).every((each) => each.length === 3))
    && (fraction === undefined || /^\d+$/.test(fraction)) && rest.length === 0;
  return isRight ? Number(digits + (fraction === undefined ? '' : '.' + fraction)) : null;
}

// ---- changes of the tree --------------------------------------------------------------------------------------------

export function replaced(root: Group, id: string, change: (node: Node) => Node | null): Group {
  const walk = (node: Node): Node | null => {
    if (node.id === id) return change(node);
    if (!('children' in node)) return node;
    const children = node.children.map(walk).filter((each) => each !== null);
    return children.every((each, index) => each === node.children[index]) && children.length === node.children.length ? node : {...node, children};
  };
  return (walk(root) as Group | null) ?? newGroup();
}

export const appended = (root: Group, group: string, node: Node): Group =>
  replaced(root, group, (each) => ('children' in each ? {...each, children: [...each.children, node]} : each));

/** Another type of condition keeps its attribute and whether it is turned round. */
export function retyped(condition: Condition, type: ConditionType): Condition {
  const attribute = 'attribute' in condition ? condition.attribute : '';
  return {...newCondition(type, attribute), id: condition.id, not: condition.not};
}

/** The type that most of an attribute's values can be read as. */
export function usualType(types: Readonly<Record<'text' | 'number' | 'date' | 'yesNo', number>>): 'text' | 'number' | 'date' | 'yesNo' {
  return (['text', 'number', 'date', 'yesNo'] as const).reduce((best, each) => (types[each] > types[best] ? each : best));
}

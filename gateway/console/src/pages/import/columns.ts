import type {CsvRecord} from './csv.ts';
import {toE164, wrongLength} from './phone.ts';

/** What a column is: one of the fields of a contact, an attribute, or left out. */
export type Target =
  | {readonly kind: 'name' | 'phone' | 'tags' | 'none'}
  | {readonly kind: 'attribute'; readonly key: string};

export interface Column {
  /** As the file calls it. */
  readonly header: string;
  readonly target: Target;
}

const kAttributes = 'attributes.';
const kNames: Readonly<Record<'name' | 'phone' | 'tags', readonly string[]>> = {
  name: ['name', 'full name', 'fullname', 'contact', 'customer', 'kunde', 'vorname nachname', 'الاسم', 'اسم'],
  phone: ['phone', 'phone number', 'mobile', 'mobile number', 'cell', 'tel', 'telephone', 'whatsapp', 'number', 'telefon', 'handy',
    'mobil', 'mobilnummer', 'telefonnummer', 'rufnummer', 'الهاتف', 'هاتف', 'جوال', 'الجوال', 'رقم الهاتف'],
  tags: ['tags', 'tag', 'labels', 'schlagwörter', 'وسوم', 'الوسوم'],
};

/** Columns that the file of failed rows has before those of the file. */
const kOfFailedRows = ['line', 'column', 'reason'];

const trimmed = (text: string) => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');

/** What columns probably are, by their names and, for the telephone number, by what is in them. */
export function guessColumns(headers: readonly string[], rows: readonly CsvRecord[], country: string): Column[] {
  const names = headers.map(trimmed);
  const taken = new Set<string>();
  const isOfFailedRows = kOfFailedRows.every((each, index) => names[index]?.toLowerCase() === each);
  const columns = names.map((header, index): Column => {
    const lower = header.toLowerCase();
    if (header === '' || (isOfFailedRows && index < 3)) return {header, target: {kind: 'none'}};
    for (const kind of ['name', 'phone', 'tags'] as const)
      if (!taken.has(kind) && kNames[kind].includes(lower)) {
        taken.add(kind);
        return {header, target: {kind}};
      }
    const key = lower.startsWith(kAttributes) && header.length > kAttributes.length ? header.slice(kAttributes.length) : header;
    return {header, target: {kind: 'attribute', key}};
  });
  if (taken.has('phone')) return columns;
  const share = columns.map((column, index) => {
    if (column.target.kind !== 'attribute') return 0;
    const cells = rows.map((row) => trimmed(row.fields[index] ?? '')).filter(Boolean);
    const good = cells.filter((cell) => cell.replace(/\D/g, '').length >= 7 && toE164(cell, country)).length;
    return cells.length > 0 ? good / cells.length : 0;
  });
  const best = share.indexOf(Math.max(...share));
  if ((share[best] ?? 0) < 0.5) return columns;
  return columns.map((column, index) => (index === best ? {...column, target: {kind: 'phone'}} : column));
}

export const targetText = (target: Target): string =>
  target.kind === 'attribute' ? kAttributes + target.key : target.kind === 'none' ? '-' : target.kind;

/** For the service: each column by its name. One without a name is left out by itself. */
export function mappingText(columns: readonly Column[]): string {
  const escaped = (text: string) => text.replace(/[\\,:]/g, '\\$&');
  return columns.filter(({header}) => header !== '')
    .map(({header, target}) => `${escaped(targetText(target))}:${escaped(header)}`)
    .join(',');
}

export type ColumnsFault =
  | {readonly kind: 'no phone'}
  | {readonly kind: 'twice'; readonly target: Target}
  | {readonly kind: 'same header'; readonly header: string}
  | {readonly kind: 'no key'; readonly header: string}
  | {readonly kind: 'too many'};

export function faultsOf(columns: readonly Column[]): ColumnsFault[] {
  const faults: ColumnsFault[] = [];
  if (columns.length > 256) faults.push({kind: 'too many'});
  const targets = new Set<string>();
  const headers = new Set<string>();
  for (const {header, target} of columns) {
    const text = targetText(target);
    if (target.kind === 'attribute' && trimmed(target.key) === '') faults.push({kind: 'no key', header});
    else if (target.kind !== 'none' && targets.has(text)) faults.push({kind: 'twice', target});
    if (target.kind !== 'none') targets.add(text);
    const lower = header.toLowerCase();
    if (header !== '' && headers.has(lower)) faults.push({kind: 'same header', header});
    headers.add(lower);
  }
  if (!targets.has('phone')) faults.push({kind: 'no phone'});
  return faults;
}

export type RowFault =
  | {readonly kind: 'fields'; readonly fields: number; readonly columns: number}
  | {readonly kind: 'text behind quote'}
  | {readonly kind: 'zero character' | 'long name' | 'no phone' | 'long tag' | 'id as tag' | 'many tags' | 'long attributes'; readonly column: string}
  | {readonly kind: 'phone'; readonly column: string; readonly cell: string;
    readonly length: {code: string; lengths: string; digits: number} | null};

/** A spreadsheet takes a long number for one to reckon with, and saves 4.91701E+11. */
export const isShortened = (cell: string): boolean => /^\d([.,]\d+)?E\+\d+$/i.test(cell);

export interface Judged {
  readonly line: number;
  readonly fields: readonly string[];
  readonly name: string;
  readonly phone: string;
  readonly tags: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly fault: RowFault | null;
  /** An earlier row has the same number. */
  readonly repeats: number | null;
}

const kId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const lengthOf = (text: string) => [...text].length;

/** What a spreadsheet would take for a formula has an apostrophe before it in files that are exported. */
export function unguarded(cell: string): string {
  return /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}

/** Judges rows as the service does. */
export function judge(columns: readonly Column[], records: readonly CsvRecord[], country: string): Judged[] {
  const lines = new Map<string, number>();
  return records.map((record) => {
    const row = judgeRow(columns, record, country);
    const repeats = row.fault ? null : lines.get(row.phone) ?? null;
    if (!row.fault && repeats === null) lines.set(row.phone, row.line);
    return {...row, repeats};
  });
}

function judgeRow(columns: readonly Column[], {line, fields, hasTextBehindQuote}: CsvRecord, country: string): Omit<Judged, 'repeats'> {
  const row = {line, fields, name: '', phone: '', tags: [] as string[], attributes: {} as Record<string, string>, fault: null as RowFault | null};
  const fail = (fault: RowFault) => ({...row, fault: row.fault ?? fault});
  if (hasTextBehindQuote) return fail({kind: 'text behind quote'});
  if (fields.length !== columns.length) return fail({kind: 'fields', fields: fields.length, columns: columns.length});
  for (const [index, {header: column, target}] of columns.entries()) {
    const cell = unguarded(trimmed(fields[index]!));
    let fault: RowFault | null = cell.includes('\0') ? {kind: 'zero character', column} : null;
    if (target.kind === 'name') {
      row.name = cell;
      if (lengthOf(cell) > 255) fault ??= {kind: 'long name', column};
    } else if (target.kind === 'phone') {
      row.phone = toE164(cell, country) ?? '';
      if (cell === '') fault ??= {kind: 'no phone', column};
      else if (!row.phone) fault ??= {kind: 'phone', column, cell, length: wrongLength(cell, country)};
    } else if (target.kind === 'tags') {
      row.tags = [...new Set(cell.split(/[|,;]/).map(trimmed).filter(Boolean))];
      if (row.tags.some((tag) => lengthOf(tag) > 255)) fault ??= {kind: 'long tag', column};
      if (row.tags.some((tag) => kId.test(tag))) fault ??= {kind: 'id as tag', column};
      if (row.tags.length > 100) fault ??= {kind: 'many tags', column};
    } else if (target.kind === 'attribute' && cell !== '') {
      row.attributes[target.key] = cell;
    }
    row.fault ??= fault;
  }
  if (!row.fault && new TextEncoder().encode(JSON.stringify(row.attributes)).length > 16 * 1024)
    row.fault = {kind: 'long attributes', column: ''};
  return row;
}

/*
 * CSV as the service reads it (services/contacts/imports/csv.cpp): commas, semicolons or tabs, whichever the first
 * line has most of; a byte-order mark and a line `sep=;` are passed over; quotes doubled in quotes; LF, CRLF or CR.
 */

export interface CsvRecord {
  /** The line of the file where it begins, from 1. */
  readonly line: number;
  readonly fields: readonly string[];
  /** There is text behind a closing quote. */
  readonly hasTextBehindQuote: boolean;
}

export interface CsvStart {
  readonly delimiter: string;
  readonly records: readonly CsvRecord[];
  /** The piece that was read ends within the file. */
  readonly isPart: boolean;
  /** A quote that is opened and not closed, or a record that is too long: nothing behind it can be read. */
  readonly brokenAt: number | null;
}

const kMostRecord = 64 * 1024;

/** Reads the first records of a piece of a file. `isPart`: the file goes on, so the last record may be cut. */
export function readCsv(text: string, isPart: boolean, most: number): CsvStart {
  const start = text.startsWith('\ufeff') ? 1 : 0;
  const first = lineAt(text, start);
  const isSeparator = /^sep=.$/is.test(first.text);
  const delimiter = isSeparator ? first.text[4]! : mostFrequent(first.text);
  const records: CsvRecord[] = [];
  let at = isSeparator ? first.end : start;
  let line = isSeparator ? 2 : 1;
  while (at < text.length && records.length < most) {
    const record = readRecord(text, at, delimiter, isPart);
    if (record === 'cut') return {delimiter, records, isPart, brokenAt: text.length - at > kMostRecord ? line : null};
    if (record === 'broken' || record.end - at > kMostRecord) return {delimiter, records, isPart, brokenAt: line};
    const isBlank = record.fields.every((field) => field.trim() === '');
    if (!isBlank) records.push({line, fields: record.fields, hasTextBehindQuote: record.hasTextBehindQuote});
    line += record.lines;
    at = record.end;
  }
  return {delimiter, records, isPart, brokenAt: null};
}

/** The first line; quoted line ends do not end it. */
function lineAt(text: string, from: number): {text: string; end: number} {
  let isQuoted = false;
  for (let at = from; at < text.length; ++at) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (!isQuoted && (text[at] === '\n' || text[at] === '\r'))
      return {text: text.slice(from, at), end: at + (text.startsWith('\r\n', at) ? 2 : 1)};
  }
  return {text: text.slice(from), end: text.length};
}

function mostFrequent(line: string): string {
  const counts = new Map([[',', 0], [';', 0], ['\t', 0]]);
  let isQuoted = false;
  for (const each of line) {
    if (each === '"') isQuoted = !isQuoted;
    const count = counts.get(each);
    if (!isQuoted && count !== undefined) counts.set(each, count + 1);
  }
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

interface Found {
  fields: string[];
  hasTextBehindQuote: boolean;
  end: number;
  lines: number;
}

function readRecord(text: string, from: number, delimiter: string, isPart: boolean): Found | 'cut' | 'broken' {
  const fields: string[] = [];
  let at = from;
  let hasQuoted = false;
  let hasTextBehindQuote = false;
  const isEnd = (each: string | undefined) => each === delimiter || each === '\n' || each === '\r';
  for (;;) {
    let field = '';
    if (text[at] === '"') {
      hasQuoted = true;
      const quoted = readQuoted(text, at + 1);
      if (!quoted) return isPart ? 'cut' : 'broken';
      field = quoted.field;
      at = quoted.end;
      hasTextBehindQuote ||= at < text.length && !isEnd(text[at]);
      while (at < text.length && !isEnd(text[at])) ++at;
    } else {
      const begin = at;
      while (at < text.length && !isEnd(text[at])) ++at;
      field = text.slice(begin, at);
    }
    fields.push(field);
    if (at >= text.length) {
      if (isPart) return 'cut';
      return {fields, hasTextBehindQuote, end: at, lines: hasQuoted ? linesOf(text.slice(from, at)) : 1};
    }
    if (text[at] !== delimiter) break;
    ++at;
  }
  const end = at + (text.startsWith('\r\n', at) ? 2 : 1);
  return {fields, hasTextBehindQuote, end, lines: hasQuoted ? linesOf(text.slice(from, end)) : 1};
}

function readQuoted(text: string, from: number): {field: string; end: number} | null {
  let field = '';
  for (let at = from;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    field += text.slice(at, quote);
    if (text[quote + 1] !== '"') return {field, end: quote + 1};
    field += '"';
    at = quote + 2;
  }
}

const linesOf = (text: string) => text.match(/\r\n|\n|\r/g)?.length ?? 0;

/** How many rows the whole file may have, by how long those that were read are. */
export function guessRows(size: number, octetsRead: number, rowsRead: number): number {
  return octetsRead >= size ? rowsRead : Math.round((rowsRead / Math.max(1, octetsRead)) * size);
}

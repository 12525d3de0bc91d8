import {guessRows, readCsv, type CsvRecord} from './csv.ts';
import {decoded, encodingOf, type Encoding} from './encoding.ts';

export interface ReadFile {
  readonly file: File;
  readonly encoding: Encoding;
  readonly headers: readonly string[];
  /** The first of them. */
  readonly rows: readonly CsvRecord[];
  /** How many rows can be read in all, exactly if `isWhole`. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly fault: 'not csv' | 'no rows' | 'broken' | null;
  /** The line behind which nothing can be read. */
  readonly brokenAt: number | null;
}

const kRead = 1024 * 1024;
const kJudged = 50;

/** Reads the beginning of a file, of which the first rows are shown and judged. */
export async function readStart(file: File): Promise<ReadFile> {
  const isPart = file.size > kRead;
  const octets = new Uint8Array(await file.slice(0, kRead).arrayBuffer());
  const encoding = encodingOf(octets, isPart);
  const {records, brokenAt} = readCsv(decoded(octets, encoding, isPart), isPart, Infinity);
  const [first, ...rows] = records;
  // Workbooks are archives, and other binary files have zeros, which are half of UTF-16, too.
  const isWide = encoding === 'utf-16le' || encoding === 'utf-16be';
  const isBinary = (octets[0] === 0x50 && octets[1] === 0x4b) || (!isWide && octets.subarray(0, 4096).includes(0));
  const fault = isBinary ? 'not csv' : brokenAt !== null && rows.length === 0 ? 'broken' : !first || rows.length === 0 ? 'no rows' : null;
  return {
    file, encoding, headers: first?.fields ?? [], rows: rows.slice(0, kJudged), isWhole: !isPart || brokenAt !== null, fault, brokenAt,
    count: brokenAt === null ? guessRows(file.size, octets.length, rows.length) : rows.length,
  };
}

import {guessRows, readCsv, type CsvRecord} from './csv.ts';

export interface ReadFile {
  readonly file: File;
  readonly headers: readonly string[];
  /** The first of them. */
  readonly rows: readonly CsvRecord[];
  /** How many rows there are in all, exactly if `isWhole`. */
  readonly count: number;
  readonly isWhole: boolean;
  readonly fault: 'not csv' | 'not utf-8' | 'no rows' | 'broken' | null;
  readonly brokenAt: number | null;
}

const kRead = 1024 * 1024;
const kJudged = 50;

/** Reads the beginning of a file, of which the first rows are shown and judged. */
export async function readStart(file: File): Promise<ReadFile> {
  const isWhole = file.size <= kRead;
  const octets = new Uint8Array(await file.slice(0, kRead).arrayBuffer());
  const {records, isUtf8, brokenAt} = readCsv(octets, !isWhole, Infinity);
  const [first, ...rows] = records;
  // Workbooks are archives, and other binary files have zeros.
  const isBinary = (octets[0] === 0x50 && octets[1] === 0x4b) || octets.subarray(0, 4096).includes(0);
  const fault = isBinary ? 'not csv' : !isUtf8 ? 'not utf-8' : brokenAt !== null && rows.length === 0 ? 'broken' : !first || rows.length === 0 ? 'no rows' : null;
  return {
    file, headers: first?.fields ?? [], rows: rows.slice(0, kJudged), isWhole, fault, brokenAt,
    count: guessRows(file.size, octets.length, rows.length),
  };
}

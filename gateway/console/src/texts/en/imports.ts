import {words} from '../format.ts';

const {plural, number} = words('en');
const rowsOf = (count: number) => plural(count, {one: '# row', other: '# rows'});

export const imports = {
  title: 'Imports', wizard: 'Import contacts', loading: 'Loading', back: 'Back',
  empty: 'No imports yet', emptyText: 'An import makes contacts of the rows of a CSV file, such as one that a spreadsheet saves.',
  newer: 'There are other imports: show them',
  columns: {when: 'When', status: 'Status', rows: 'Rows', made: 'New', updated: 'Updated', skipped: 'Skipped', failed: 'Failed'},
  statuses: {Uploading: 'Uploading', Queued: 'Waiting', Running: 'Running', Finished: 'Finished', Failed: 'Ended early', Cancelled: 'Cancelled'},
  steps: {label: 'Steps of the import', file: 'File', columns: 'Columns', check: 'Check', done: '(done)', current: '(current)', open: '(not yet)'},
  drop: 'Drop a CSV file here', choose: 'Choose a file', dropText: 'UTF-8, separated by commas, semicolons or tabs, of any size. The first line names the columns.',
  notCsv: 'This is no CSV file. In a spreadsheet, save as CSV (UTF-8) first.', noRows: 'The file has no rows below its first line.',
  readAs: (encoding: string) => `The file is not UTF-8. It is read as ${encoding}`, readAsNote: 'See below whether letters with marks are right. Otherwise save it as CSV (UTF-8) and choose it again.',
  broken: (line: number) => `Nothing behind line ${number(line)} can be read: a quote is opened there and not closed, or the row is too long.`,
  brokenText: 'The rows before it are imported, then the import ends early.',
  unreadable: 'The file could not be read. Choose it again.',
  fileNote: (rows: number, isExact: boolean, size: string) => `${isExact ? '' : 'about '}${rowsOf(rows)}, ${size}`,
  mapping: 'Which column is what', nothing: 'Empty',
  targets: {name: 'Name', phone: 'Telephone number', tags: 'Tags', attribute: 'Attribute', none: 'Leave out'}, key: 'Name of the attribute', unnamed: (place: number) => `Column ${number(place)}`,
  options: 'How it is imported', country: 'Numbers without a country are of', countryNone: 'As the installation has it', countryNote: 'How rows are judged here needs to know it.',
  conflict: 'Whose number is known already', skip: 'Leave as they are', skipNote: 'The rows count as skipped.', update: 'Update', updateNote: 'With name, attributes and tags of the row; empty cells change nothing.',
  takes: (permission: string) => `Takes the permission ${permission}.`, list: 'All join the list', listNone: 'No list', listGone: 'This list is no more. Choose another one, or none.',
  faults: {
    noPhone: 'Choose the column with the telephone number.', twice: (name: string) => `Two columns are “${name}”.`, sameHeader: (name: string) => `Two columns are called “${name}”. Rename one in the file.`,
    noKey: (name: string) => `How is the attribute of “${name}” called?`, tooMany: 'A file has at most 256 columns.',
  },
  toCheck: 'Check the rows', checked: (count: number) => `The first ${rowsOf(count)}`, good: (count: number, of: number) => `${number(count)} of ${number(of)} can be taken`,
  allGood: 'All of them can be taken.', bad: (count: number) => plural(count, {one: '# of them would fail', other: '# of them would fail'}), badText: 'They are left out and told, the others are not held up.',
  onlyFirst: 'Rows behind these are judged while they are imported.', line: 'Line', result: 'Result', taken: 'Can be taken', repeats: (line: number) => `Same number as line ${number(line)}`,
  rowFaults: {
    fields: (fields: number, columns: number) => `Has ${number(fields)} fields, the first line has ${number(columns)}`, 'text behind quote': 'There is text behind a closing quote', 'zero character': 'Has the character U+0000',
    'long name': 'The name is longer than 255 characters', 'no phone': 'Has no telephone number', 'long tag': 'A tag is longer than 255 characters', 'id as tag': 'A tag looks like an id', 'many tags': 'More than 100 tags',
    shortened: 'a spreadsheet has shortened it. Format the column as text and save anew',
    'long attributes': 'Attributes are longer than 16 KiB', phone: (cell: string) => `“${cell}” is no telephone number`, needsCountry: 'without its country, unless the installation has one',
    length: (code: string, lengths: string, digits: number) => `+${code} is followed by ${lengths} digits, not ${digits}`,
  },
  start: (rows: number, isExact: boolean) => `Import ${isExact ? '' : 'about '}${rowsOf(rows)}`, startSome: (taken: number, of: number) => `Import ${number(taken)} of ${rowsOf(of)}`,
  sending: 'Sending the file', sent: (share: string) => `${share} sent`, stop: 'Stop sending',
  begun: 'The file was sent, the import has begun', show: 'Show',
  report: 'Import', reportOf: (when: string) => `Import of ${when}`, progress: 'Progress', percent: (rows: number, percent: number) => `${rowsOf(rows)} read, ${number(percent)} %`,
  figures: {rowsRead: 'Rows read', imported: 'New contacts', updated: 'Updated', skipped: 'Skipped', failed: 'Failed'},
  skippedNote: 'their numbers were known', cancelImport: 'Cancel the import', cancelTitle: 'Cancel this import?', cancelText: (rows: number) => `What became of ${rowsOf(rows)} so far stays.`, keepGoing: 'Go on',
  failedRows: 'Rows that failed', failedShown: (shown: number, of: number) => `The first ${number(shown)} of ${number(of)}`, download: (count: number) => `Download ${rowsOf(count)}`,
  downloadNote: 'Correct the file and import it again: its first three columns are left out then.', column: 'Column', detail: 'What is wrong',
  toContacts: 'To the contacts', facts: {list: 'List', conflict: 'Known numbers', country: 'Country', began: 'Began', ended: 'Ended'}, none: 'None', failedTitle: 'The import ended before its file did',
};
export type ImportsTexts = typeof imports;

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {OwnChange} from '../../../gateway/console/src/pages/contacts/own_change.ts';
import {Rows, type Ask, type LoadedPage} from '../../../gateway/console/src/pages/contacts/rows.ts';
import {
  attributesOf, bulkContactsOf, changed, contactsSearch, filterOf, hasOf, listingOf, sortedBy,
} from '../../../gateway/console/src/pages/contacts/search.ts';
import {faultsOf, guessColumns, isShortened, judge, mappingText} from '../../../gateway/console/src/pages/import/columns.ts';
import {guessRows, readCsv} from '../../../gateway/console/src/pages/import/csv.ts';
import {asUtf8, decoded, encodingOf} from '../../../gateway/console/src/pages/import/encoding.ts';
import {plansOf} from '../../../gateway/console/src/pages/import/make_phone_plans.mjs';
import {toE164, wrongLength} from '../../../gateway/console/src/pages/import/phone.ts';
import {
  appended, compile, groupOf, newCondition, newGroup, numberOf, replaced, retyped, type Group,
} from '../../../gateway/console/src/pages/segment/model.ts';

const root = process.cwd().replace(/\/(gateway|tests)\/.*$/, '');
const source = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

import {parseSearch, stringifySearch} from '../../../gateway/console/src/shell/search.ts';
import type {SessionState} from '../../../gateway/console/src/session/session.ts';
import {problem, settled, wired} from './support.ts';

// ---- the address ----------------------------------------------------------------------------------------------------

const kId = '01949c3c-2a90-7d3e-b1c2-7ca04d8e3f26';

test('what an address says of a filter is read, and what cannot be is left out', () => {
  const raw = {q: 'ada', tag: 'vip', list: kId, status: 'OptedOut', segment: kId, has: ['city=Paris', 'sum=a=b'], sort: 'name', order: 'desc'};
  const search = contactsSearch(raw);
  assert.deepEqual(search, raw);
  assert.deepEqual(contactsSearch(parseSearch(stringifySearch({...search}).slice(1))), search);
  assert.deepEqual(contactsSearch({q: '', tag: 'x'.repeat(256), list: 'nothing', status: 'Gone', segment: '1', has: 'x', sort: 'phone', order: 'desc', page: '1'}), {});
  assert.deepEqual(attributesOf(hasOf({'a=b%3D': 'c=d'})), {'a=b%3D': 'c=d'});
});

test('a filter asks for the same contacts as a list and as a change of all of them', () => {
  const search = contactsSearch({q: 'ada', tag: 'vip', list: kId, status: 'Active', segment: kId, has: 'city=Paris', sort: 'name'});
  assert.deepEqual(filterOf(search), {search: 'ada', tag: 'vip', list_id: kId, status: 'Active', segment_id: kId, attributes: {city: 'Paris'}});
  assert.deepEqual(bulkContactsOf(search), {search: 'ada', tag: 'vip', listId: kId, status: 'Active', segmentId: kId, attributes: {city: 'Paris'}});
  assert.deepEqual(listingOf({}), {sort_by: 'createdAt', order: 'desc'});
  assert.deepEqual(listingOf({sort: 'name'}), {sort_by: 'name', order: 'asc'});
});

test('another filter begins at the first page, and a column that is sorted by turns round', () => {
  assert.deepEqual(changed({q: 'a', page: 3}, {tag: 'vip'}), {q: 'a', tag: 'vip'});
  assert.deepEqual(changed({q: 'a', tag: 'vip'}, {tag: undefined}), {q: 'a'});
  assert.deepEqual(sortedBy({}, 'createdAt'), {order: 'asc'});
  assert.deepEqual(sortedBy({}, 'name'), {sort: 'name'});
  assert.deepEqual(sortedBy({sort: 'name'}, 'name'), {sort: 'name', order: 'desc'});
  assert.deepEqual(sortedBy({sort: 'name', order: 'desc'}, 'name'), {sort: 'name'});
});

// ---- rows -----------------------------------------------------------------------------------------------------------

const placeOf = ({skip, cursor}: Pick<Ask, 'skip' | 'cursor'>) => Number(cursor ?? 0) + skip;

function served(total: number) {
  const asked: Ask[] = [];
  const aborted: Ask[] = [];
  let answer: (() => void)[] = [];
  const load = (ask: Ask, signal: AbortSignal) => new Promise<LoadedPage>((resolve, reject) => {
    asked.push(ask);
    signal.addEventListener('abort', () => {
      aborted.push(ask);
      reject(new Error('aborted'));
    });
    answer.push(() => resolve(pageOf(ask)));
  });
  const pageOf = ({isReversed, skip, cursor, isOnTheWay}: Ask): LoadedPage => {
    assert.ok(skip <= 10_000, 'beyond 10,000 only cursors lead');
    const at = placeOf({skip, ...(cursor !== undefined && {cursor})});
    const most = isOnTheWay ? 1 : 100;
    const ids = Array.from({length: Math.max(0, Math.min(most, total - at))}, (_, i) => `c${isReversed ? total - 1 - at - i : at + i}`);
    return {ids, next: at + most < total ? String(at + most) : null, total};
  };
  const settle = async () => {
    for (let turn = 0; turn < 2000 && answer.length > 0; ++turn) {
      const all = answer;
      answer = [];
      for (const each of all) each();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const rows = new Rows(load);
  rows.begin(pageOf({isReversed: false, skip: 0}));
  rows.release();
  const seen = (from: number, to: number) => Array.from({length: to - from}, (_, i) => rows.id(from + i));
  return {rows, asked, aborted, settle, seen};
}

const ids = (from: number, to: number) => Array.from({length: to - from}, (_, i) => `c${from + i}`);

test('rows are loaded where the scroll comes, from whichever end is nearer', async () => {
  const {rows, asked, settle, seen} = served(100_000);
  rows.want(0, 40);
  assert.equal(asked.length, 0, 'the first page is there');
  rows.want(5020, 5060);
  await settle();
  assert.deepEqual(seen(5020, 5060), ids(5020, 5060));
  rows.want(99_950, 100_000);
  await settle();
  assert.deepEqual(seen(99_950, 100_000), ids(99_950, 100_000));
  assert.ok(asked.length <= 5, `${asked.length} pages`);
});

test('to the middle a few steps lead, and places once known are not walked to again', async () => {
  const {rows, asked, settle, seen} = served(100_000);
  rows.want(30_010, 30_050);
  await settle();
  assert.deepEqual(seen(30_010, 30_050), ids(30_010, 30_050));
  assert.deepEqual(asked.map((ask) => [ask.skip, ask.cursor, Boolean(ask.isOnTheWay)]).slice(0, 4),
    [[9999, '100', true], [9999, '10100', true], [9900, '20100', false], [9800, '20100', false]]);
  const walked = asked.length;
  assert.ok(walked <= 5, `${walked} pages`);
  rows.want(30_200, 30_240);
  await settle();
  assert.ok(asked.length - walked <= 3, `${asked.length - walked} more`);
  assert.deepEqual(seen(30_200, 30_240), ids(30_200, 30_240));
  rows.want(71_000, 71_040);
  await settle();
  assert.deepEqual(seen(71_000, 71_040), ids(71_000, 71_040));
  assert.ok(asked.slice(walked + 3).every((ask) => ask.isReversed), 'from the end, which is nearer');
});

test('a quick scroll asks for one page at a time, and not for those that it has passed', async () => {
  const {rows, asked, aborted, settle, seen} = served(100_000);
  for (const from of [2000, 4000, 6000]) rows.want(from, from + 40);
  assert.deepEqual(asked.map(placeOf), [2000]);
  await settle();
  assert.equal(aborted.length, 0);
  assert.deepEqual(asked.map(placeOf).slice(0, 2), [2000, 6000]);
  assert.deepEqual(seen(6000, 6040), ids(6000, 6040));
  rows.want(8000, 8040);
  rows.hold();
  assert.equal(aborted.length, 1, 'who leaves the page waits for nothing');
});

test('what takes long and is not wanted any more is given up', async () => {
  const asked: number[] = [];
  const rows = new Rows((ask, signal) => new Promise((resolve, reject) => {
    asked.push(placeOf(ask));
    signal.addEventListener('abort', () => reject(new Error('aborted')));
    if (placeOf(ask) === 6000) resolve({ids: ids(6000, 6100), next: '6100', total: 100_000});
  }));
  rows.begin({ids: ids(0, 100), next: '100', total: 100_000});
  rows.release();
  rows.want(2000, 2040);
  rows.want(6000, 6040);
  await new Promise<void>((resolve) => void rows.subscribe(() => rows.id(6000) && resolve()));
  assert.deepEqual(asked.slice(0, 2), [2000, 6000]);
});

test('a list that is begun anew shows its rows until others come', async () => {
  const {rows, settle, asked, seen} = served(1000);
  rows.want(300, 340);
  await settle();
  const before = asked.length;
  rows.begin({ids: ids(0, 100), next: '100', total: 999});
  assert.deepEqual(seen(300, 340), ids(300, 340));
  assert.equal(rows.total, 999);
  await settle();
  assert.ok(asked.length > before, 'and asks for them again');
});

test('a list that has become shorter says so, and is not asked for what is no more', async () => {
  let asked = 0;
  const rows = new Rows(async (ask) => {
    ++asked;
    const at = placeOf(ask);
    return {ids: ids(at, Math.min(at + 100, 537)), next: at < 500 ? String(at + 100) : null, total: 537};
  });
  rows.begin({ids: ids(0, 100), next: '100', total: 600});
  rows.release();
  rows.want(540, 560);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(asked, 1);
  assert.ok(rows.isShorter);
  rows.begin({ids: ids(0, 100), next: '100', total: 537});
  assert.ok(!rows.isShorter);
  rows.want(500, 537);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(rows.id(536), 'c536');
});

/**
 * A list that says that it is longer than it is. It is refreshed as often as it wants to be, at most 20 times: each time it begins anew
 * with what was there, and then with what came.
 */
async function exaggerated(total: number, told: number, from: number, to: number) {
  const count = {pages: 0, refreshed: 0};
  const all = ids(0, total);
  const rows = new Rows(async (ask) => {
    ++count.pages;
    const at = placeOf(ask);
    const most = ask.isOnTheWay ? 1 : 100;
    return {ids: (ask.isReversed ? [...all].reverse() : all).slice(at, at + most), next: at + most < total ? String(at + most) : null, total: told};
  });
  const begin = (now = told) => rows.begin({ids: all.slice(0, 100), next: null, total: told = now});
  const refresh = async () => {
    begin();
    await new Promise((resolve) => setTimeout(resolve, 1));
    begin();
  };
  rows.subscribe(() => rows.isShorter && ++count.refreshed < 20 && setTimeout(refresh));
  const settle = () => new Promise((resolve) => setTimeout(resolve, 50));
  begin();
  rows.release();
  rows.want(from, to);
  await settle();
  return {rows, count, begin, settle, seen: () => Array.from({length: rows.total}, (_, row) => rows.id(row))};
}

test('a list whose total is wrong is refreshed once, and has the rows that there are', async () => {
  const {rows, count, begin, settle, seen} = await exaggerated(3, 5, 0, 5);
  assert.deepEqual(count, {pages: 3, refreshed: 1});
  assert.ok(!rows.isShorter);
  assert.deepEqual(seen(), ids(0, 3));
  rows.want(0, 3);
  await settle();
  assert.deepEqual(count, {pages: 3, refreshed: 1}, 'nothing more is asked for');
  begin();
  await settle();
  assert.deepEqual(count, {pages: 4, refreshed: 1}, 'of the same total it is known');
  assert.deepEqual(seen(), ids(0, 3));
  begin(4);
  await settle();
  assert.equal(count.refreshed, 2, 'another total may be right once it is asked for anew');
  assert.deepEqual(seen(), ids(0, 3));
  assert.equal((await exaggerated(0, 3, 0, 3)).rows.total, 0);
});

test('where the total of a long list is wrong, it ends all the same, and each row is at its place', async () => {
  for (const [total, told, from] of [[150, 152, 110], [500, 19_000, 9_500], [3, 30_000, 29_970]] as const) {
    const {rows, count, settle, seen} = await exaggerated(total, told, from, from + 40);
    for (let row = 0; row < total; row += 100) {
      rows.want(row, Math.min(row + 100, total));
      await settle();
    }
    assert.deepEqual(seen(), ids(0, total));
    assert.ok(count.refreshed === 1 && count.pages <= 200, `${count.refreshed} times, ${count.pages} pages of ${total}`);
  }
});

test('a list that has become empty while one had scrolled is not asked for again', async () => {
  const {rows, asked, settle} = served(600);
  rows.want(30, 70);
  await settle();
  const before = asked.length;
  rows.begin({ids: [], next: null, total: 0});
  await settle();
  assert.equal(asked.length, before);
});

test('a fault stops the loading until it is tried again', async () => {
  let fails = true;
  const rows = new Rows(async ({skip}) => {
    if (fails) throw new Error('away');
    return {ids: ids(skip, skip + 100), next: String(skip + 100), total: 1000};
  });
  rows.begin({ids: ids(0, 100), next: null, total: 1000});
  rows.release();
  rows.want(500, 520);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal((rows.problem as Error).message, 'away');
  fails = false;
  rows.retry();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(rows.problem, null);
  assert.equal(rows.id(510), 'c510');
});

// ---- telephone numbers ----------------------------------------------------------------------------------------------

test('the table of numbering plans is the service’s', () => {
  assert.equal(source('gateway/console/src/pages/import/phone_plans.ts'), plansOf(source('common/model/phone_plans.hpp')));
});

test('numbers are judged as the service judges them', () => {
  const examples = [...source('tests/unit/model_phone_examples.hpp').matchAll(/\{"(\d+)",\s+((?:"[\d ]*"\s*)+),\s+((?:"[\d ]*"\s*)+)\}/g)];
  const numbers = (text: string) => text.replace(/"\s*"/g, '').replace(/"/g, '').trim().split(' ').filter(Boolean);
  let possible = 0;
  for (const [, code = '', good = '', bad = ''] of examples) {
    for (const number of numbers(good)) {
      ++possible;
      assert.equal(toE164(`+${code}${number}`, ''), `+${code}${number}`);
    }
    for (const number of numbers(bad)) {
      assert.equal(toE164(`+${code}${number}`, ''), null, `+${code} ${number}`);
      assert.equal(wrongLength(`+${code}${number}`, '')?.code, code);
    }
  }
  assert.ok(possible >= 978);
  const tests = [...source('tests/unit/model_phone.cpp').matchAll(/CHECK\(read\("([ -~]*?)"(?:, "([A-Za-z]*)")?\) == "([^"]*)"\)/g)];
  assert.ok(tests.length > 50);
  for (const [, typed = '', country = '', wanted] of tests)
    if (!typed.includes('\\')) assert.equal(toE164(typed, country) ?? 'refused', wanted, `${typed} in ${country}`);
  for (const typed of ['+49\u00a0170\u20131234567', '\u202a+49 170 1234567\u202c', '+\u0664\u0669 1701234567', '\uff0b\uff14\uff19 1701234567', 'TEL:+491701234567'])
    assert.equal(toE164(typed, 'FR'), '+491701234567');
  for (const typed of ['', '+', '++491701234567', '49+1701234567', '+491701234567 ext 5', '4.91701E+11', 'tel:', '+49 ' + ' '.repeat(200) + '1701234567'])
    assert.equal(toE164(typed, ''), null);
});

// ---- CSV ------------------------------------------------------------------------------------------------------------

const fields = (text: string, isPart = false) => readCsv(text, isPart, 50).records.map((record) => record.fields);

test('CSV is read as the service reads it', () => {
  assert.deepEqual(fields('name,phone\r\n"Ada ""A"", L",+44\r\n'), [['name', 'phone'], ['Ada "A", L', '+44']]);
  assert.deepEqual(fields('\ufeffname;phone;a,b\n1;2;3'), [['name', 'phone', 'a,b'], ['1', '2', '3']]);
  assert.deepEqual(fields('a\tb\r1\t2\r'), [['a', 'b'], ['1', '2']]);
  assert.deepEqual(fields('sep=|\na|b,c\n1|2'), [['a', 'b,c'], ['1', '2']]);
  assert.deepEqual(fields('a,b\n\n ,\n1,2\n'), [['a', 'b'], ['1', '2']], 'rows without anything are passed over');
  const read = readCsv('a,b\n"1\n2",3\n4,5\n', false, 50);
  assert.deepEqual(read.records.map((record) => record.line), [1, 2, 4]);
  assert.equal(readCsv('"a;b",c\n', false, 50).delimiter, ',', 'quoted separators do not count');
});

test('what cannot be read is told, and where', () => {
  assert.equal(readCsv('a,b\n1,2\n"3,4\n', false, 50).brokenAt, 3);
  assert.equal(readCsv('a,b\n"1"x,2\n', false, 50).records[1]?.hasTextBehindQuote, true);
});

test('a piece of a file ends anywhere: in a record, or in a character', () => {
  assert.deepEqual(fields('a,b\n1,2\n3,4', true), [['a', 'b'], ['1', '2']]);
  assert.deepEqual(fields('a,b\n1,2\n"3', true), [['a', 'b'], ['1', '2']]);
  const cut = new TextEncoder().encode('a,b\n1,2\nÄ').slice(0, -1);
  assert.equal(encodingOf(cut, true), 'utf-8');
  assert.equal(encodingOf(cut, false), 'windows-1252');
  assert.equal(readCsv(decoded(cut, 'utf-8', true), true, 50).brokenAt, null);
  assert.equal(guessRows(1000, 100, 5), 50);
});

test('what spreadsheets save besides UTF-8 is read, and becomes UTF-8', async () => {
  const bytes = (...all: number[]) => new Uint8Array(all);
  const wide = (text: string) => bytes(0xff, 0xfe, ...[...text].flatMap((each) => [each.charCodeAt(0) & 255, each.charCodeAt(0) >> 8]));
  const files = [
    ['utf-8', bytes(0xef, 0xbb, 0xbf, 0x4b, 0xc3, 0xb6)], ['windows-1252', bytes(0x4b, 0xf6)], ['utf-16le', wide('Kö')], ['utf-16be', bytes(0xfe, 0xff, 0, 0x4b, 0, 0xf6)],
  ] as const;
  for (const [encoding, octets] of files) {
    assert.equal(encodingOf(octets, false), encoding);
    assert.equal(decoded(octets, encoding, false), 'Kö');
    const sent = new Uint8Array(await (await asUtf8(new File([octets], 'x.csv'), encoding)).arrayBuffer());
    assert.equal(new TextDecoder('utf-8', {fatal: true}).decode(sent), 'Kö');
  }
  assert.ok(['4.91701E+11', '4,91701E+11'].every(isShortened));
  assert.ok(!['491701234567', '+49 170 E'].some(isShortened));
});

test('columns are guessed by their names, and a telephone number by its cells', () => {
  const rows = readCsv('Kunde;Nr;Ort\nAda;0170 1234567;Köln\nGrace;0171 7654321;Bonn\n', false, 50).records;
  const columns = guessColumns(rows[0]!.fields, rows.slice(1), 'DE');
  assert.deepEqual(columns.map(({target}) => target), [{kind: 'name'}, {kind: 'phone'}, {kind: 'attribute', key: 'Ort'}]);
  assert.equal(mappingText(columns), 'name:Kunde,phone:Nr,attributes.Ort:Ort');
  assert.equal(mappingText([{header: 'a,b:c\\', target: {kind: 'none'}}, {header: '', target: {kind: 'none'}}]), '-:a\\,b\\:c\\\\');
  const again = guessColumns(['line', 'column', 'reason', 'phone', 'attributes.city'], [], '');
  assert.deepEqual(again.map(({target}) => target.kind), ['none', 'none', 'none', 'phone', 'attribute']);
  assert.deepEqual(again[4]?.target, {kind: 'attribute', key: 'city'});
});

test('columns must have one number, and nothing twice', () => {
  const column = (header: string, kind: 'name' | 'phone') => ({header, target: {kind}});
  assert.deepEqual(faultsOf([column('a', 'name')]), [{kind: 'no phone'}]);
  assert.deepEqual(faultsOf([column('a', 'phone'), column('b', 'phone')]), [{kind: 'twice', target: {kind: 'phone'}}]);
  assert.deepEqual(faultsOf([column('a', 'phone'), column('A', 'name')]), [{kind: 'same header', header: 'A'}]);
});

test('rows are judged before they are sent', () => {
  const read = readCsv('name,phone,tags,city\nAda,+44 20 7183 8750,vip|vip;new,London\n,unknown,,\nx,+49 170,,\nAda,+442071838750\nB,020 7183 8750,,\n', false, 50);
  const columns = guessColumns(read.records[0]!.fields, [], 'GB');
  const rows = judge(columns, read.records.slice(1), 'GB');
  assert.deepEqual(rows.map(({line, phone, fault}) => [line, phone, fault?.kind ?? null]), [
    [2, '+442071838750', null], [3, '', 'phone'], [4, '', 'phone'], [5, '', 'fields'], [6, '+442071838750', null],
  ]);
  assert.deepEqual(rows[0]?.tags, ['vip', 'new']);
  assert.deepEqual(rows[0]?.attributes, {city: 'London'});
  assert.deepEqual(rows[2]?.fault, {kind: 'phone', column: 'phone', cell: '+49 170', length: {code: '49', lengths: '4-13', digits: 3}});
  const twice = judge(columns, readCsv('x\n1,+442071838750,,\n2,020 7183 8750,,\n', false, 50).records.slice(1), 'GB');
  assert.equal(twice[1]?.repeats, 2);
});

// ---- segments -------------------------------------------------------------------------------------------------------

test('every condition of the contract comes back as it was', () => {
  const filters = [
    {type: 'text', attribute: 'plan', operator: 'startsWith', values: ['go', 'si']},
    {type: 'number', attribute: 'visits', atLeast: 10, lessThan: 20.5},
    {type: 'number', attribute: 'visits', moreThan: -1},
    {type: 'date', attribute: 'since', from: '2026-01-31'},
    {type: 'date', attribute: 'since', fromDays: -30, toDays: 0},
    {type: 'date', attribute: 'renewal', fromDays: 0, toDays: 14},
    {type: 'date', attribute: 'since', from: '2026-01-01', toDays: -3},
    {type: 'yesNo', attribute: 'isMember', is: false},
    {type: 'present', attribute: 'city'},
    {type: 'tag', tagIds: [kId]}, {type: 'list', listIds: [kId]}, {type: 'status', statuses: ['Active', 'Inactive']},
    {type: 'lastInbound'}, {type: 'lastInbound', toDays: -31}, {type: 'lastCampaign', from: '2026-01-01', to: '2026-02-01'},
    {type: 'campaign', did: 'clicked', campaignIds: [kId]},
    {type: 'not', condition: {type: 'lastInbound', fromDays: -30, toDays: 0}},
    {type: 'any', conditions: [{type: 'not', condition: {type: 'all', conditions: [{type: 'present', attribute: 'a'}]}}, {type: 'present', attribute: 'b'}]},
  ] as const;
  const filter = {type: 'all', conditions: filters};
  assert.deepEqual(compile(groupOf(JSON.parse(JSON.stringify(filter)))).filter, filter);
  assert.deepEqual(compile(groupOf({type: 'present', attribute: 'a'})).filter, {type: 'all', conditions: [{type: 'present', attribute: 'a'}]});
  const not = {type: 'not', condition: {type: 'any', conditions: [{type: 'present', attribute: 'a'}]}} as const;
  assert.deepEqual(compile(groupOf(JSON.parse(JSON.stringify(not)))).filter, not);
});

test('what is not finished has its fault at its place, and no filter', () => {
  const text = newCondition('text', 'plan');
  const group = newGroup('any', [text, newGroup()]);
  const {filter, faults, places} = compile(group);
  assert.equal(filter, null);
  assert.equal(faults.get(text.id), 'values');
  assert.equal(faults.get(group.children[1]!.id), 'empty');
  assert.equal(places.get('conditions/0'), text.id);
  for (const [type, fault] of [['number', 'number'], ['tag', 'values'], ['status', 'values'], ['campaign', 'values']] as const) {
    const condition = newCondition(type, 'x');
    assert.equal(compile(newGroup('all', [condition])).faults.get(condition.id), fault);
  }
  const unnamed = newCondition('present');
  assert.equal(compile(newGroup('all', [unnamed])).faults.get(unnamed.id), 'attribute');
});

test('numbers are read as their reader writes them, and what could be two numbers is none', () => {
  assert.equal(numberOf('', 'en'), undefined);
  assert.equal(numberOf('1,000.5', 'en-GB'), 1000.5);
  assert.equal(numberOf('1.000,5', 'de-DE'), 1000.5);
  assert.equal(numberOf('-12.5', 'ar-AE-u-nu-latn'), -12.5);
  for (const [text, locale] of [['1,5', 'en'], ['1.5', 'de'], ['1,00', 'en'], ['x', 'en'], ['1.5.2', 'en']] as const)
    assert.equal(numberOf(text, locale), null, `${text} in ${locale}`);
  assert.equal(numberOf('1,000', 'de'), 1);
  const low = {type: 'all', conditions: [{type: 'number', attribute: 'visits', atLeast: 1000.5}]} as const;
  for (const locale of ['en', 'de', 'ar-u-nu-latn']) assert.deepEqual(compile(groupOf(JSON.parse(JSON.stringify(low)), locale), locale).filter, low);
});

test('limits of the contract: how deep, how many', () => {
  let deep: Group = newGroup('all', [newCondition('present', 'a')]);
  for (let level = 0; level < 3; ++level) deep = newGroup('all', [deep]);
  assert.ok(compile(deep).filter);
  assert.ok([...compile(newGroup('all', [deep])).faults.values()].includes('too deep'));
  const many = newGroup('all', Array.from({length: 50}, () => newCondition('present', 'a')));
  assert.ok([...compile(many).faults.values()].includes('too many'));
});

test('the tree is changed at one place, and the rest stays the same', () => {
  const a = newCondition('present', 'a');
  const inner = newGroup('any', [newCondition('tag')]);
  let tree = newGroup('all', [a, inner]);
  tree = appended(tree, inner.id, newCondition('yesNo', 'b'));
  assert.equal(tree.children[0], a);
  assert.equal((tree.children[1] as Group).children.length, 2);
  tree = replaced(tree, a.id, () => null);
  assert.equal(tree.children.length, 1);
  const {id: _, ...rest} = retyped({...newCondition('text', 'city'), not: true}, 'present');
  assert.deepEqual(rest, {type: 'present', attribute: 'city', not: true});
});

// ---- changes of many ------------------------------------------------------------------------------------------------

function signedIn(userId: string) {
  const told = new Set<() => void>();
  let now = {kind: 'signed in', user: {uniqueId: userId}, organizations: []} as unknown as SessionState;
  return {
    state: () => now,
    subscribe: (listener: () => void) => {
      told.add(listener);
      return () => told.delete(listener);
    },
    become: (next: SessionState) => {
      now = next;
      told.forEach((each) => each());
    },
    told,
  };
}
const kMany = Array.from({length: 20}, (_, i) => `c-${i}`);

test('a change of many ends with the session of who began it: no call is made by the cookie of somebody else', async () => {
  const session = signedIn('u');
  const answers: ((answer: Response) => void)[] = [];
  const {scope, requests} = wired(() => new Promise((resolve) => answers.push(resolve)));
  const own = new OwnChange();
  const ended = own.run(session, scope, kMany, {type: 'deleteContacts'});
  await settled();
  assert.equal(requests.length, 4);
  session.become({kind: 'signed out', isExpired: false});
  answers.shift()!(new Response(null, {status: 204}));
  for (const answer of answers) answer(problem(503));  // which would be repeated
  await ended;
  assert.equal(requests.length, 4);
  assert.equal(own.state?.status, 'cancelled');
  assert.equal(own.state?.changed, 1);
  assert.equal(session.told.size, 0);
});

test('a change of many ends where nobody is signed in any more', async () => {
  const {scope, requests} = wired(() => problem(401));
  const own = new OwnChange();
  await own.run(signedIn('u'), scope, kMany, {type: 'deleteContacts'});
  assert.ok(requests.length <= 4, `${requests.length} calls`);
  assert.equal(own.state?.status, 'cancelled');
});

test('a change of many that nothing ends goes through all of them', async () => {
  const {scope, requests} = wired((request) => (request.url.endsWith('c-3') ? problem(409) : new Response(null, {status: 204})));
  const own = new OwnChange();
  await own.run(signedIn('u'), scope, kMany, {type: 'deleteContacts'});
  assert.equal(requests.length, 20);
  assert.deepEqual([own.state?.status, own.state?.changed, own.state?.failed], ['finished', 19, 1]);
});

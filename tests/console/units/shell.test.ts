import assert from 'node:assert/strict';
import {test} from 'node:test';
import {qrCode} from '../../../gateway/console/src/pages/profile/qr.ts';
import {loaded} from '../../../gateway/console/src/parts.ts';
import {programOf} from '../../../gateway/console/src/pages/sessions/program.ts';
import {flag, oneOf, parseSearch, present, stringifySearch, text, texts, whole} from '../../../gateway/console/src/shell/search.ts';
import {showToastsBy, toasts} from '../../../gateway/console/src/shell/toasts.ts';
import {createFormat, localeOf, words} from '../../../gateway/console/src/texts/format.ts';

test('a file whose line is away is tried again; one that fails by itself, or that the gateway has no more, is not', async () => {
  const noLine = new TypeError('Failed to fetch dynamically imported module');
  const failing = (times: number, error: Error) => {
    let tries = 0;
    const load = async () => {
      if (++tries <= times) throw error;
      return 'the file';
    };
    return {load, tries: () => tries};
  };
  const wait = async () => undefined;
  const away = async () => null, same = async () => 'same' as const, other = async () => 'other' as const;
  const twice = failing(2, noLine);
  assert.equal(await loaded(twice.load, wait, away), 'the file');
  assert.equal(twice.tries(), 3);
  for (const [error, ask, tries] of [[new Error('a mistake in it'), same, 1], [noLine, other, 1], [noLine, same, 2], [noLine, away, 24]] as const) {
    const never = failing(Infinity, error);
    await assert.rejects(loaded(never.load, wait, ask), error);
    assert.equal(never.tries(), tries);
  }
});

test('toasts: what is told before they can be shown waits for that', () => {
  toasts.add({title: 'first'}, {timeout: 6000});
  toasts.add({title: 'second'});
  const shown: unknown[] = [];
  showToastsBy((words, options) => shown.push([words.title, options]));
  assert.deepEqual(shown, [['first', {timeout: 6000}], ['second', {}]]);
  toasts.add({title: 'third'});
  assert.equal(shown.length, 3);
});

test('search parameters: several values, none for what is empty, and back again', () => {
  const search = {q: 'ada & co', tag: ['vip', 'ä b'], unread: true, page: 3, none: undefined, empty: ''};
  const said = stringifySearch(search);
  assert.equal(said, '?q=ada+%26+co&tag=vip&tag=%C3%A4+b&unread=true&page=3');
  const read = parseSearch(said);
  assert.deepEqual(read, {q: 'ada & co', tag: ['vip', 'ä b'], unread: 'true', page: '3'});
  assert.equal(text(read.tag), 'vip');
  assert.deepEqual(texts(read.q), ['ada & co']);
  assert.deepEqual(texts(['a', 'a', '', null]), ['a']);
  assert.equal(flag(read.unread), true);
  assert.equal(flag('yes'), undefined);
  assert.equal(whole(read.page), 3);
  for (const wrong of ['-1', '1.5', 'x', '', undefined, '9e99']) assert.equal(whole(wrong), undefined);
  assert.equal(oneOf('desc', ['asc', 'desc']), 'desc');
  assert.equal(oneOf('up', ['asc', 'desc']), undefined);
  assert.deepEqual(Object.keys(present({a: 1, b: undefined})), ['a']);
});

test('locales: the region of the reader, and one kind of figures', () => {
  assert.equal(localeOf('en', ['de-AT', 'en-GB']), 'en-GB');
  assert.equal(localeOf('de', ['en-GB']), 'de-DE');
  assert.equal(localeOf('ar', ['ar-EG-u-nu-arab']), 'ar-EG-u-nu-latn');
  assert.equal(createFormat('ar', localeOf('ar', [])).number(1234), '1,234');
  const {plural} = words('ar');
  const forms = {zero: 'صفر', one: 'واحد', two: 'اثنان', few: '# قليل', many: '# كثير', other: '# غير'};
  assert.deepEqual([0, 1, 2, 3, 11, 100].map((count) => plural(count, forms)), ['صفر', 'واحد', 'اثنان', '3 قليل', '11 كثير', '100 غير']);
});

test('times: today the time, within a week the weekday, else the date', () => {
  const format = createFormat('en', 'en-GB');
  const now = new Date(2026, 10, 26, 15, 0).getTime();
  assert.equal(format.short(new Date(2026, 10, 26, 9, 5), now), '09:05');
  assert.equal(format.short(new Date(2026, 10, 24, 9, 5), now), 'Tue');
  assert.equal(format.short(new Date(2026, 10, 19, 9, 5), now), '19 Nov');
  assert.equal(format.short(new Date(2025, 10, 19, 9, 5), now), '19 Nov 2025');
  assert.equal(format.relative(now - 3 * 60_000, now), '3 minutes ago');
  assert.equal(format.relative(now + 2 * 3_600_000, now), 'in 2 hours');
  assert.equal(format.duration(23 * 3_600_000 + 10 * 60_000), '23 hrs 10 mins');
  assert.equal(format.duration(-5), '0 secs');
  assert.equal(format.bytes(1_234_567), '1.2 MB');
});

test('programs: the browser and the system of a session', () => {
  const of = (userAgent: string) => {
    const known = programOf(userAgent);
    return known && `${known.program}, ${known.system}${known.isPhone ? ', phone' : ''}`;
  };
  assert.equal(of('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'Firefox, Linux');
  assert.equal(of('Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0'), 'Edge, Windows');
  assert.equal(of('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'),
    'Safari, iPhone, phone');
  assert.equal(of('python-requests/2.32'), null);
  assert.equal(of(''), null);
});

// Drawn by another program (uqr 0.1.3), of version 1 with correction M.
test('a QR code is as others draw it', () => {
  const drawn = qrCode('parley').map((row) => row.map((dark) => (dark ? '#' : '.')).join(''));
  assert.deepEqual(drawn, [
    '#######..##...#######',
    '#.....#....##.#.....#',
    '#.###.#.##.#..#.###.#',
    '#.###.#.####..#.###.#',
    '#.###.#.##.##.#.###.#',
    '#.....#.#.#.#.#.....#',
    '#######.#.#.#.#######',
    '........#####........',
    '#.#####.....#.#####..',
    '.#.###.#.#..#..#..#.#',
    '##.#..####.#.#..####.',
    '.##.##.####....####..',
    '.######..###.#..##...',
    '........#..#####..###',
    '#######..##.#.##...#.',
    '#.....#.#.#####..##.#',
    '#.###.#.#...#..##..#.',
    '#.###.#.#...#...##...',
    '#.###.#.##.#.#....#..',
    '#.....#..........##..',
    '#######.####.#.....#.',
  ]);
  assert.equal(qrCode('x'.repeat(300)).length, 17 + 4 * 13);
  assert.throws(() => qrCode('x'.repeat(500)), /too long/);
});

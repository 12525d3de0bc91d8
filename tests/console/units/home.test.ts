import assert from 'node:assert/strict';
import {test} from 'node:test';
import {boundary, isOpen} from '../../../gateway/console/src/api/home.ts';
import type {Conversation} from '../../../gateway/console/src/api/entities.ts';
import {labelledOf, movedBy, pathOf, placeAt, ticksOf} from '../../../gateway/console/src/design/plot_scale.ts';
import {concernsOf, type Known} from '../../../gateway/console/src/pages/home/concerns.ts';
import {changeOf, kMeasures, pointsOf, shareOf, sumOfPoints, totalsOf} from '../../../gateway/console/src/pages/home/figures.ts';
import {homeSearch} from '../../../gateway/console/src/pages/home/search.ts';
import {csvAddress, dayOf, daysBefore, spanBefore, spanOf} from '../../../gateway/console/src/pages/home/spans.ts';
import {seeded, under} from './support.ts';

// ---- spans ----------------------------------------------------------------------------------------------------------

test('a span is today and the days before it, the one before it as many, up to the same time of day', () => {
  const now = new Date(2026, 2, 30, 15, 20);
  assert.deepEqual(spanOf(7, now, 'Europe/Berlin'), {from: '2026-03-24', timezone: 'Europe/Berlin'});
  assert.deepEqual(spanOf(1, now, 'UTC'), {from: '2026-03-30', timezone: 'UTC'});
  const before = spanBefore(7, now, 'UTC');
  assert.equal(before.from, '2026-03-17');
  assert.equal(before.to, new Date(2026, 2, 23, 15, 20).toISOString());
  assert.equal(spanBefore(1, now, 'UTC').from, '2026-03-29');
});

test('a day is a day of the calendar, however long it is', () => {
  for (let month = 0; month < 12; ++month)
    for (const days of [1, 7, 30]) {
      const now = new Date(2026, month, 31, 23, 59);
      const earlier = daysBefore(now, days);
      assert.equal(earlier.getHours(), 23);
      assert.equal(Math.round((Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) -
        Date.UTC(earlier.getFullYear(), earlier.getMonth(), earlier.getDate())) / 86_400_000), days);
    }
  assert.equal(dayOf(new Date(2026, 0, 2)), '2026-01-02');
});

test('the address takes what is offered, and nothing else', () => {
  assert.deepEqual(homeSearch({days: '30', view: 'table'}), {days: 30, view: 'table'});
  assert.deepEqual(homeSearch({days: '8', view: 'x'}), {});
});

test('the file is of the same span', () => {
  const address = csvAddress('o-1', spanOf(7, new Date(2026, 2, 30), 'Europe/Berlin'));
  const {pathname, searchParams} = new URL(address, 'http://x');
  assert.equal(pathname, '/api/analytics/primary');
  assert.deepEqual(Object.fromEntries(searchParams), {format: 'csv', organization_id: 'o-1', from: '2026-03-24', timezone: 'Europe/Berlin'});
});

// ---- figures --------------------------------------------------------------------------------------------------------

function invented(random: () => number, days: number) {
  const label = (day: number) => `2026-03-${String(day + 1).padStart(2, '0')}`;
  const trends = Array.from({length: days}, (_, day) => {
    const sent = under(random, 1000);
    const delivered = under(random, sent + 1);
    return {label: label(day), date: label(day) + 'T00:00:00.000Z', inbound: under(random, 100), outbound: sent, sent, delivered, read: under(random, delivered + 1), failed: 0};
  });
  const replies = trends.map(({label, date, sent, delivered, read}) => ({label, date, sent, delivered, read, replied: under(random, delivered + 1)}));
  const sum = (name: 'sent' | 'delivered' | 'read') => trends.reduce((all, each) => all + each[name], 0);
  return {
    primary: {messagesSent: sum('sent'), messagesDelivered: sum('delivered'), messagesRead: sum('read'), messagesFailed: 0, messagesUndelivered: 0, messageTrends: trends},
    campaigns: {messagesDelivered: sum('delivered'), messageAnalytics: replies},
  };
}

test('the points add up to the figures', () => {
  const random = seeded(1);
  for (let round = 0; round < 200; ++round) {
    const {primary, campaigns} = invented(random, 1 + under(random, 30));
    const points = pointsOf(primary, campaigns);
    const totals = totalsOf(primary, campaigns);
    for (const measure of kMeasures) assert.equal(sumOfPoints(points, measure), totals[measure]?.count);
    for (const each of kMeasures) {
      const share = totals[each] && shareOf(totals[each]);
      assert.ok(share === null || (share >= 0 && share <= 1));
    }
  }
});

test('what is not known is not 0', () => {
  const {primary, campaigns} = invented(seeded(2), 7);
  assert.equal(totalsOf(primary, undefined).replied, null);
  assert.equal(totalsOf(undefined, campaigns).sent, null);
  assert.equal(sumOfPoints(pointsOf(primary, undefined), 'replied'), null);
  const partly = {...campaigns, messageAnalytics: campaigns.messageAnalytics.slice(1)};
  assert.equal(pointsOf(primary, partly)[0]?.replied, null);
  assert.equal(shareOf({count: 0, of: 0}), null);
});

test('a change says how much, unless nothing was before', () => {
  assert.deepEqual(changeOf(150, 100), {direction: 'up', by: 0.5});
  assert.deepEqual(changeOf(50, 100), {direction: 'down', by: 0.5});
  assert.deepEqual(changeOf(100, 100), {direction: 'same', by: 0});
  assert.deepEqual(changeOf(3, 0), {direction: 'up', by: null});
  assert.deepEqual(changeOf(0, 0), {direction: 'same', by: null});
});

// ---- what wants action ----------------------------------------------------------------------------------------------

const now = Date.parse('2026-03-30T12:00:00Z');
const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const known = (parts: object) => parts as Known;

test('nothing is a concern where all is well, or not known', () => {
  assert.deepEqual(concernsOf({}, now), []);
  assert.deepEqual(concernsOf(known({
    phoneNumbers: {phoneNumbers: [{registered: true, sendingStopped: null}], notices: [{severity: 'Warning', at: inMinutes(-5)}, {severity: 'Critical', at: inMinutes(-20_000)}]},
    paused: [], mine: {total: 0, ends: []}, nobodys: {total: 0, ends: []}, templates: [],
    usage: [{name: 'members', used: 80, limit: 100}, {name: 'messages-a-day', used: 1e6, limit: null}, {name: 'off', used: 0, limit: 0}],
    webhooks: [{active: true, failingSince: null, disabledAt: null}, {active: false, failingSince: inMinutes(-9), disabledAt: null}],
  }), now), []);
});

test('the worst comes first', () => {
  const concerns = concernsOf(known({
    mine: {total: 3, ends: [inMinutes(500), inMinutes(119), inMinutes(-1)]},
    nobodys: {total: 1, ends: [inMinutes(30)]},
    templates: [{uniqueId: 't', status: 'REJECTED'}],
    usage: [{name: 'lists', used: 81, limit: 100}, {name: 'tags', used: 100, limit: 100}],
    webhooks: [{uniqueId: 'a', active: true, failingSince: inMinutes(-9), disabledAt: null}, {uniqueId: 'b', active: false, failingSince: null, disabledAt: inMinutes(-9)}],
    paused: [{uniqueId: 'c'}],
    phoneNumbers: {phoneNumbers: [{uniqueId: 'n', registered: false, sendingStopped: null}, {uniqueId: 'm', registered: false, sendingStopped: {code: 190, text: '', until: null}}], notices: []},
  }), now);
  assert.deepEqual(concerns.map((each) => each.kind),
    ['unregistered', 'stopped', 'webhook', 'quota', 'webhook', 'paused', 'ending', 'template', 'quota', 'mine', 'nobodys']);
  assert.deepEqual(concerns.map(({weight}) => weight[0]).join(''), 'ddddwwwwwii');
  assert.equal(new Set(concerns.map(({key}) => key)).size, concerns.length);
  const ending = concerns.find((each) => each.kind === 'ending');
  assert.deepEqual(ending, {kind: 'ending', count: 2, firstAt: inMinutes(30), key: 'ending', weight: 'warning'});
});

test('a window is open until its end', () => {
  assert.equal(isOpen({serviceWindowEndsAt: inMinutes(1)} as Conversation, now), true);
  assert.equal(isOpen(undefined, now), false);
});

test('the boundary is found with few questions', async () => {
  for (const count of [0, 1, 2, 101, 10_000])
    for (const wanted of [0, 1, count >> 1, count].filter((each) => each <= count)) {
      let asked = 0;
      assert.equal(await boundary(count, (place) => Promise.resolve((++asked, place < wanted))), wanted);
      assert.ok(asked <= 14);
    }
});

// ---- the plot -------------------------------------------------------------------------------------------------------

test('ticks are round, whole and reach the highest', () => {
  for (const most of [0, 1, 2, 3, 7, 10, 99, 100, 101, 2500, 48_210, 1e6 + 1]) {
    const ticks = ticksOf(most);
    assert.ok(ticks.length >= 2 && ticks.length <= 7, `${most}: ${ticks}`);
    assert.ok(ticks.every(Number.isInteger) && ticks[0] === 0 && ticks[ticks.length - 1]! >= most, `${most}: ${ticks}`);
  }
  assert.deepEqual(ticksOf(100), [0, 25, 50, 75, 100]);
});

test('a line breaks where nothing is known', () => {
  assert.equal(pathOf([1, 2, null, 3, null], (place) => place, (value) => 10 - value), 'M0 9L1 8M3 7');
  assert.equal(pathOf([], Number, Number), '');
});

test('labels are as many as fit, the last among them', () => {
  assert.deepEqual(labelledOf(7, 700, 60), [0, 1, 2, 3, 4, 5, 6]);
  assert.deepEqual(labelledOf(30, 300, 60), [5, 11, 17, 23, 29]);
  assert.deepEqual(labelledOf(3, 10, 60), [2]);
});

test('keys and the pointer move the cursor, and where time runs to the left the keys do too', () => {
  assert.equal(movedBy('ArrowRight', 3, 7, false), 4);
  assert.equal(movedBy('ArrowRight', 3, 7, true), 2);
  assert.equal(movedBy('ArrowLeft', 0, 7, false), 0);
  assert.equal(movedBy('End', 0, 7, true), 6);
  assert.equal(movedBy('PageUp', 3, 30, false), 10);
  assert.equal(movedBy('a', 3, 7, false), null);
  assert.deepEqual([-5, 0, 49, 51, 100, 500].map((pixel) => placeAt(pixel, 100, 2)), [0, 0, 0, 1, 1, 1]);
  assert.equal(placeAt(50, 100, 1), 0);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {listingSearch} from '../../../gateway/console/src/pages/audience/address.ts';
import {isNamedIn} from '../../../gateway/console/src/pages/audience/uses.ts';
import {attributesOfRows, mergedRows, rowsOf} from '../../../gateway/console/src/pages/contacts/attribute_values.ts';
import {kMostByHand, kNothing, toggled, without, type Selection} from '../../../gateway/console/src/pages/contacts/selection.ts';
import {wordsOfNode} from '../../../gateway/console/src/pages/segment/filter_words.ts';
import {groupOf} from '../../../gateway/console/src/pages/segment/model.ts';
import {changesOf, rebased} from '../../../gateway/console/src/shell/edited.ts';
import {audience} from '../../../gateway/console/src/texts/en/audience.ts';
import {contacts} from '../../../gateway/console/src/texts/en/contacts.ts';

// ---- forms ----------------------------------------------------------------------------------------------------------

interface Draft {
  name: string;
  tags: readonly {id: string}[];
}
const bodyOf = ({name, tags}: Draft) => ({name: name.trim(), tags: tags.map(({id}) => id).sort()});
const draft = (name: string, ...ids: string[]): Draft => ({name, tags: ids.map((id) => ({id}))});

test('what somebody else changed is taken over, except where one has typed oneself', () => {
  const was = draft('Spring', 'a');
  const typed = {...was, name: 'Spring customers'};
  const now = rebased(typed, was, draft('Summer', 'a', 'b'), bodyOf);
  assert.deepEqual(bodyOf(now), {name: 'Spring customers', tags: ['a', 'b']});
  assert.deepEqual(changesOf(now, draft('Summer', 'a', 'b'), bodyOf), {name: 'Spring customers'});
});

test('what is the same as a body is no change, and stays the same object', () => {
  const was = draft('Spring', 'a', 'b');
  const same = draft('Spring ', 'b', 'a');
  assert.deepEqual(changesOf(same, was, bodyOf), {});
  assert.equal(rebased(was, was, same, bodyOf).tags, was.tags);
});

test('attributes are taken over one by one', () => {
  const merged = (mine: Record<string, unknown>, was: Record<string, unknown>, theirs: Record<string, unknown>) =>
    attributesOfRows(mergedRows(rowsOf(mine), rowsOf(was), rowsOf(theirs)));
  const was = {city: 'London', visits: 3, plan: 'go'};
  assert.deepEqual(merged({...was, visits: 4}, was, {...was, city: 'Paris', since: '2026-01-31'}), {city: 'Paris', visits: 4, plan: 'go', since: '2026-01-31'});
  assert.deepEqual(merged(was, was, {city: 'London'}), {city: 'London'});
  assert.deepEqual(merged({city: 'London', plan: 'go'}, was, {...was, visits: 9}), {city: 'London', plan: 'go'}, 'removed here');
});

// ---- selection ------------------------------------------------------------------------------------------------------

test('a selection by hand is bounded, and loses what is deleted', () => {
  const ids = Array.from({length: kMostByHand}, (_, n) => String(n));
  const full = toggled(kNothing, '0', ids)!;
  assert.equal(full.kind === 'some' && full.ids.size, kMostByHand);
  assert.equal(toggled(full, 'one more'), null);
  const less = without(full, '7');
  assert.equal(less.kind === 'some' && less.ids.size, kMostByHand - 1);
  assert.equal(without(less, '7'), less);
  const all: Selection = {kind: 'all'};
  assert.equal(without(all, '7'), all);
});

// ---- lists, tags and segments ---------------------------------------------------------------------------------------

test('the address of a list says its search and order, and nothing else', () => {
  assert.deepEqual(listingSearch({q: 'a', sort: 'createdAt', order: 'desc', x: '1'}, ['name', 'createdAt']), {q: 'a', sort: 'createdAt', order: 'desc'});
  assert.deepEqual(listingSearch({q: '', sort: 'phone', order: 'up'}, ['name', 'createdAt']), {});
});

const kFilter = {
  type: 'all', conditions: [
    {type: 'tag', tagIds: ['t']},
    {type: 'not', condition: {type: 'any', conditions: [{type: 'list', listIds: ['l']}, {type: 'number', attribute: 'visits', atLeast: 3}]}},
    {type: 'lastInbound', fromDays: -30, toDays: 0},
  ],
} as const;

test('a segment tells which lists and tags it names', () => {
  const filter = JSON.parse(JSON.stringify(kFilter));
  assert.ok(isNamedIn(filter, {kind: 'tag', id: 't'}));
  assert.ok(isNamedIn(filter, {kind: 'list', id: 'l'}));
  assert.ok(!isNamedIn(filter, {kind: 'tag', id: 'l'}));
});

test('conditions can be read', () => {
  const words = {segments: audience.segments, statuses: contacts.statuses, nameOf: (kind: string, id: string) => `${kind} ${id}`};
  assert.equal(wordsOfNode(groupOf(JSON.parse(JSON.stringify(kFilter))), words), [
    'all of these', '  – Tag: tag t', '  – not one of these at least', '    – List: list l', '    – visits: at least 3', '  – Wrote to us: in the last 30 days',
  ].join('\n'));
});

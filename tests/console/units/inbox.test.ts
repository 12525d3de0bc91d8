import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Contact, Message, Template} from '../../../gateway/console/src/api/entities.ts';
import type {Send} from '../../../gateway/console/src/live/outbox.ts';
import {bodyAgain} from '../../../gateway/console/src/pages/inbox/again.ts';
import {attachedOf, bodiesOf, tooMany} from '../../../gateway/console/src/pages/inbox/attachments.ts';
import {countOf, filterOf, isFiltered, neighbour} from '../../../gateway/console/src/pages/inbox/filter.ts';
import {failureOf, summaryOf, timeOfSeconds} from '../../../gateway/console/src/pages/inbox/message_words.ts';
import {inboxSearch} from '../../../gateway/console/src/pages/inbox/search.ts';
import {leftOf, nextChange, roughlyLeft, serviceWindow} from '../../../gateway/console/src/pages/inbox/service_window.ts';
import {askedFor, mentionsIn, repliesWith, replaced, startingWith} from '../../../gateway/console/src/pages/inbox/suggestions.ts';
import {blanksOf, contentOf, filled, firstValues, isUnusual, mediaOf} from '../../../gateway/console/src/pages/inbox/template_values.ts';
import {factOfMessage, firstUnread, keptRows, momentOf, needsNotes, rowsOf, type Fact} from '../../../gateway/console/src/pages/inbox/thread_rows.ts';
import {inbox as en} from '../../../gateway/console/src/texts/en/inbox.ts';
import {inbox as ar} from '../../../gateway/console/src/texts/ar/inbox.ts';
import {inbox as de} from '../../../gateway/console/src/texts/de/inbox.ts';
import {seeded, under} from './support.ts';

const moment = (minutes: number) => new Date(Date.UTC(2026, 0, 10, 12) + minutes * 60_000).toISOString();
const fact = (id: string, minutes: number, more: Partial<Fact> = {}): Fact =>
  ({id, ...momentOf(moment(minutes)), by: 'Contact/c', kind: 'message', isOurs: false, to: null, ...more});
const message = (id: string, more: Partial<Record<keyof Message, unknown>> = {}) => ({
  uniqueId: id, conversationId: 'c', direction: 'InBound', status: 'Unread', messageType: 'Text', createdAt: moment(0), replyToMessageId: null,
  messagingMessageId: 'w', messageData: {text: id}, errorCode: null, errorText: null, sentBy: {type: 'Contact', uniqueId: 'c', memberId: null}, campaignId: null, ...more,
}) as unknown as Message;
const send = (key: string, createdAt: number): Send => ({
  key, userId: 'u', organization: 'o', conversationId: 'c', body: {messageType: 'Text', messageData: {text: key}}, file: null, mediaId: null,
  createdAt, number: 1, state: 'waits', isTried: false, nextAt: null, problem: null, heardId: null,
});
const shown = (parts: Partial<Parameters<typeof rowsOf>[0]>) => rowsOf({messages: [], notes: [], isWhole: true, unreadFrom: null, sends: [], ...parts});
const keys = (parts: Partial<Parameters<typeof rowsOf>[0]>) => shown(parts).filter(({kind}) => kind !== 'day').map(({key}) => key);

test('a thread has days, what is new, and rows of the same sender together', () => {
  const rows = shown({messages: [fact('d', 24 * 60), fact('c', 30), fact('b', 5), fact('a', 0)], unreadFrom: 'c'});
  assert.deepEqual(rows.map(({kind}) => kind), ['day', 'message', 'message', 'unread', 'message', 'day', 'message']);
  assert.deepEqual(rows.flatMap((row) => 'follows' in row ? [row.follows] : []), [false, true, false, false]);
  const apart = shown({messages: [fact('b', 11), fact('a', 0)]});
  assert.deepEqual(apart.flatMap((row) => 'follows' in row ? [row.follows] : []), [false, false], 'ten minutes later it is another one');
});

test('notes stand among messages by their time, and only where messages are loaded', () => {
  const messages = [fact('c', 30), fact('b', 20), fact('a', 10)];
  const notes = [fact('z', 40, {kind: 'note'}), fact('y', 25, {kind: 'note'}), fact('x', 5, {kind: 'note'})];
  assert.deepEqual(keys({messages, notes}), ['x', 'a', 'b', 'y', 'c', 'z']);
  assert.deepEqual(keys({messages, notes, isWhole: false}), ['a', 'b', 'y', 'c', 'z'], 'the older one comes with its neighbours');
  assert.deepEqual(keys({notes}), ['x', 'y', 'z']);
  assert.equal(needsNotes(messages, notes, false), false);
  assert.equal(needsNotes(messages, notes.slice(0, 2), false), true);
  assert.equal(needsNotes(messages, notes, true), true);
});

test('in whatever pages it comes, a thread becomes the same', () => {
  const random = seeded(7);
  for (let turn = 0; turn < 50; ++turn) {
    const messages = Array.from({length: 40}, (_, n) => fact('m' + String(n).padStart(2, '0'), n * 3, {by: 'b' + under(random, 2)})).reverse();
    const notes = Array.from({length: 10}, (_, n) => fact('n' + n, under(random, 120), {kind: 'note'})).sort((a, b) => b.at.localeCompare(a.at));
    const whole = keys({messages, notes});
    const loaded = 1 + under(random, 39);
    const part = keys({messages: messages.slice(0, loaded), notes, isWhole: false});
    assert.deepEqual(part, whole.slice(whole.length - part.length), 'what is older comes above, and nothing else moves');
  }
});

test('reactions are at their message, or a line of their own where it is not loaded', () => {
  const messages = [fact('r2', 3, {kind: 'reaction', to: 'gone'}), fact('r1', 2, {kind: 'reaction', to: 'a'}), fact('a', 0)];
  const rows = shown({messages});
  assert.deepEqual(rows.map(({kind}) => kind), ['day', 'message', 'reaction']);
  assert.deepEqual(rows[1], {kind: 'message', key: 'a', id: 'a', follows: false, reactions: ['r1']});
  assert.equal(factOfMessage(message('x', {messageType: 'Reaction', messageData: {reaction: '👍', messageId: 'a'}})).to, 'a');
});

test('what waits stands at the end', () => {
  const rows = shown({messages: [fact('a', 0)], sends: [send('1', Date.parse(moment(1))), send('2', Date.parse(moment(2)))]});
  assert.deepEqual(rows.map(({key}) => key).slice(1), ['a', 'send 1', 'send 2']);
});

test('rows that are as before are the same objects', () => {
  const [a, b, r] = [fact('a', 0), fact('b', 5), fact('r', 6, {kind: 'reaction', to: 'a'})];
  const sends = [send('1', Date.parse(moment(7)))];
  const before = shown({messages: [b, a], sends});
  const same = (parts: Partial<Parameters<typeof rowsOf>[0]>) =>
    keptRows(shown({sends, ...parts}), before).filter((row) => row.kind !== 'day' && before.includes(row)).map(({key}) => key);
  assert.deepEqual(same({messages: [b, a]}), ['a', 'b', 'send 1']);
  assert.deepEqual(same({messages: [fact('c', 6), b, a]}), ['a', 'b', 'send 1'], 'one that came below');
  assert.deepEqual(same({messages: [b, a, fact('z', -5)]}), ['b', 'send 1'], 'the first one follows one above it now');
  assert.deepEqual(same({messages: [r, b, a]}), ['b', 'send 1'], 'a reaction is shown at its message');
  assert.deepEqual(same({messages: [b, a], sends: [{...sends[0]!, state: 'failed'}]}), ['a', 'b']);
});

test('what is new begins at the oldest unread message', () => {
  const all = [message('d'), message('o', {direction: 'OutBound', status: 'Read'}), message('c'), message('b', {status: 'Read'}), message('a')];
  assert.equal(firstUnread(all, 2), 'c');
  assert.equal(firstUnread(all, 5), 'c');
  assert.equal(firstUnread(all, 0), null);
});

test('the window ends at its moment, and never promises more than there is', () => {
  const now = Date.UTC(2026, 0, 1);
  const ends = (milliseconds: number) => new Date(now + milliseconds).toISOString();
  assert.deepEqual(serviceWindow(null, now), {kind: 'never'});
  assert.equal(serviceWindow(ends(0), now).kind, 'over');
  assert.equal(serviceWindow(ends(1), now).kind, 'open');
  assert.deepEqual(serviceWindow(ends(7_200_001), now), {kind: 'open', left: 7_200_001, isShort: false});
  assert.deepEqual([7_200_000, 7_200_001].map((left) => serviceWindow(ends(left), now)).map((each) => each.kind === 'open' && each.isShort), [true, false]);
  assert.deepEqual([1, 119_999, 120_000].map((left) => roughlyLeft(left) / 60_000), [1, 1, 2]);
  assert.deepEqual(leftOf(3_599_999), {hours: 0, minutes: 59});
  assert.deepEqual(leftOf(7_260_000), {hours: 2, minutes: 1});
  assert.equal(nextChange(ends(90_000), now), 30_000);
  assert.equal(nextChange(ends(60_000), now), 60_000);
  assert.equal(nextChange(ends(-1), now), Infinity);
});

const template = (components: unknown[]) => ({uniqueId: 't', id: 't', name: 'sale', language: 'en', category: 'UTILITY', status: 'APPROVED', statusReason: '', quality: '', components}) as unknown as Template;
const contact = {uniqueId: 'c', name: 'Ada Lovelace', phone: '+44', attributes: {city: 'London', visits: 3, more: {a: 1}}, createdAt: '', status: 'Active'} as Contact;

test('a template is filled by place, by name and in its buttons', () => {
  const sale = template([
    {type: 'HEADER', format: 'TEXT', text: 'For {{1}}', example: {header_text: ['Ada']}},
    {type: 'BODY', text: 'Hello {{1}}, {{2}} and {{1}}', example: {body_text: [['Ada', 'tea']]}},
    {type: 'BUTTONS', buttons: [{type: 'QUICK_REPLY', text: 'Yes'}, {type: 'URL', text: 'Look', url: 'https://x/{{1}}', example: ['https://x/a']}, {type: 'COPY_CODE', example: 'A1'}]},
  ]);
  assert.deepEqual(blanksOf(sale).map(({id, example}) => [id, example]), [['header/1', 'Ada'], ['body/1', 'Ada'], ['body/2', 'tea'], ['button/1/1', 'https://x/a'], ['button/2/code', 'A1']]);
  const values = {'header/1': 'A', 'body/1': ' B ', 'body/2': 'C', 'button/1/1': 'd', 'button/2/code': 'E'};
  assert.deepEqual(contentOf(sale, values, null), {name: 'sale', language: 'en', components: [
    {type: 'header', parameters: [{type: 'text', text: 'A'}]},
    {type: 'body', parameters: [{type: 'text', text: 'B'}, {type: 'text', text: 'C'}]},
    {type: 'button', sub_type: 'url', index: '1', parameters: [{type: 'text', text: 'd'}]},
    {type: 'button', sub_type: 'copy_code', index: '2', parameters: [{type: 'coupon_code', coupon_code: 'E'}]},
  ]});
  assert.equal(filled('Hello {{1}}, {{2}}', 'body', {'body/1': 'Ada'}).map(({text}) => text).join(''), 'Hello Ada, {{2}}');
});

test('named variables have what the contact has', () => {
  const named = template([{type: 'BODY', text: '{{first_name}} in {{city}}: {{offer}}', example: {body_text_named_params: [{param_name: 'offer', example: 'tea'}]}}]);
  assert.deepEqual(firstValues(named, contact), {'body/first_name': 'Ada', 'body/city': 'London'});
  assert.equal(blanksOf(named)[2]?.example, 'tea');
  const {components} = contentOf(named, {'body/first_name': 'Ada', 'body/city': 'London', 'body/offer': 'tea'}, null);
  assert.deepEqual((components as {parameters: unknown[]}[])[0]?.parameters[1], {type: 'text', text: 'London', parameter_name: 'city'});
});

test('a template with a file wants one, and what cannot be filled in says so', () => {
  const picture = template([{type: 'HEADER', format: 'DOCUMENT'}, {type: 'BODY', text: 'Hi'}]);
  assert.equal(mediaOf(picture), 'DOCUMENT');
  assert.deepEqual(contentOf(picture, {}, {id: '7', fileName: 'a.pdf'}).components, [{type: 'header', parameters: [{type: 'document', document: {id: '7', filename: 'a.pdf'}}]}]);
  assert.equal(contentOf(template([{type: 'BODY', text: 'Hi'}]), {}, null).components, undefined);
  assert.equal(isUnusual(template([{type: 'CAROUSEL'}])), true);
  assert.equal(isUnusual(picture), false);
});

test('quick replies are asked for by / at the beginning, members by @ anywhere in a note', () => {
  assert.deepEqual(askedFor('/ho', 3, false), {sign: '/', words: 'ho', from: 0, to: 3});
  for (const lone of ['/', ' /', '/ ', '/\n']) assert.equal(askedFor(lone, lone.length, false)?.words, '');
  assert.equal(askedFor('/ho\n', 4, false)?.words, 'ho');
  assert.equal(askedFor('and /ho', 7, false), null);
  assert.equal(askedFor('/ho so', 6, false), null);
  assert.deepEqual(askedFor('see @Gra', 8, true), {sign: '@', words: 'Gra', from: 4, to: 8});
  assert.equal(askedFor('me@home', 7, true), null);
  assert.deepEqual(replaced('see @Gra now', {sign: '@', words: 'Gra', from: 4, to: 8}, '@Grace '), {text: 'see @Grace  now', cursor: 11});
  const members = [{uniqueId: '1', name: 'Ann'}, {uniqueId: '2', name: 'Anna Maria'}, {uniqueId: '3', name: 'Zoë Ångström'}];
  assert.deepEqual(mentionsIn('@Anna Maria and @Zoë Ångström', members), ['3', '2']);
  assert.deepEqual(mentionsIn('@Ann', members), ['1']);
  assert.deepEqual(startingWith(members, 'angs', 5).map(({uniqueId}) => uniqueId), ['3']);
  const replies = [{shortcut: 'late', text: 'Your order is late'}, {shortcut: 'Order', text: 'On its way'}, {shortcut: 'bye', text: 'Bye'}];
  assert.deepEqual(repliesWith(replies, 'ord', 5).map(({shortcut}) => shortcut), ['Order', 'late']);
  assert.equal(repliesWith(replies, '', 2).length, 2);
});

test('words and a file become messages', () => {
  assert.deepEqual(bodiesOf(' Hi ', null, 'm'), [{messageType: 'Text', messageData: {text: 'Hi'}, replyToMessageId: 'm'}]);
  assert.deepEqual(bodiesOf('  ', null, null), []);
  const file = (type: string, size = 10) => attachedOf({type, name: 'a', size} as File);
  const sound = file('audio/ogg;codecs=opus');
  assert.ok(sound && typeof sound === 'object');
  assert.deepEqual(bodiesOf('Hi', sound, null).map(({messageType}) => messageType), ['Audio', 'Text']);
  const picture = file('image/png');
  assert.ok(picture && typeof picture === 'object');
  assert.deepEqual(bodiesOf('Hi', picture, null), [{messageType: 'Image', messageData: {caption: 'Hi'}}]);
  assert.equal(file('image/png', 6_000_000), 5_000_000);
  assert.equal(file('application/x-msdownload'), null);
  assert.equal(tooMany('x'.repeat(4097), null), 1);
  assert.equal(tooMany('x'.repeat(1030), picture), 6);
});

test('what failed is sent again as it was', () => {
  assert.deepEqual(bodyAgain(message('a')), {messageType: 'Text', messageData: {text: 'a'}});
  assert.deepEqual(bodyAgain(message('a', {messageType: 'Document', messageData: {id: '1', fileName: 'x.pdf', sha256: 'h'}})), {messageType: 'Document', messageData: {id: '1', fileName: 'x.pdf'}});
  assert.equal(bodyAgain(message('a', {messageType: 'Interactive', messageData: {}})), null);
});

test('failures and messages are told in words', () => {
  assert.equal(failureOf(131026, 'Message undeliverable', en), en.failures.undeliverable);
  assert.equal(failureOf(424242, 'Odd', en), 'The channel says: Odd');
  assert.equal(failureOf(424242, null, en), 'The channel gave the code 424242.');
  assert.equal(failureOf(null, 'unknown', en), en.failures.unknownFate);
  assert.equal(summaryOf(message('a', {messageData: {text: '', revoked: true}}), en), en.revoked);
  assert.equal(summaryOf(message('a', {messageType: 'Audio', messageData: {voice: true}}), en), 'Voice message');
  assert.equal(summaryOf(message('a', {messageType: 'Contacts', messageData: {contacts: [{name: {formatted_name: 'Ada'}}]}}), en), 'Ada');
  assert.equal(timeOfSeconds(65.9), '1:05');
});

test('the address says what is listed', () => {
  const search = inboxSearch({whose: 'mine', state: 'awaiting', q: 'ada', nonsense: '1'});
  assert.deepEqual(filterOf(search, 'me'), {status: 'Active', assigned_to: 'me', awaiting: true, has_inbound: true, search: 'ada'});
  assert.deepEqual(filterOf(inboxSearch({state: 'odd', campaigns: 'true'}), 'me'), {status: 'Active'});
  assert.equal('search' in filterOf(inboxSearch({q: 'ada', in: 'messages'}), 'me'), false);
  assert.equal(isFiltered(inboxSearch({whose: 'none'})), false);
  const counts = {active: 9, closed: 2, unread: 3, awaiting: 4, assignedToMe: 5, unassigned: 6};
  assert.equal(countOf(counts, 'none', inboxSearch({})), 6);
  assert.equal(countOf(counts, 'all', inboxSearch({state: 'closed'})), 2);
  assert.equal(countOf(counts, 'mine', inboxSearch({state: 'closed'})), undefined, 'nothing counts that');
  assert.equal(countOf(undefined, 'all', inboxSearch({})), undefined, 'unknown is not 0');
});

test('keys walk through the list', () => {
  const ids = ['a', 'b', 'c'];
  assert.equal(neighbour(ids, undefined, 1), 'a');
  assert.equal(neighbour(ids, 'a', 1), 'b');
  assert.equal(neighbour(ids, 'a', -1), undefined);
  assert.equal(neighbour(ids, 'gone', 1), 'a');
  assert.equal(neighbour(ids, 'closed', 1, 1), 'b', 'the one that took its place');
  assert.equal(neighbour(ids, 'closed', -1, 1), 'a');
  assert.equal(neighbour(ids, 'closed', 1, 3), 'c', 'it was the last one');
  assert.equal(neighbour([], 'closed', 1, 0), undefined);
});

test('each language counts in its own way', () => {
  assert.equal(en.unreadCount(1), '1 unread message');
  assert.equal(de.leftLong(2), 'Noch 2 Stunden zum Antworten');
  assert.equal(new Set([1, 2, 3, 11].map(ar.unreadCount)).size, 4);
  assert.deepEqual([11, 100].map(ar.tooLong), ['11 حرفًا زائدًا', '100 حرف زائد']);
  assert.ok(ar.system.number('+49 1').endsWith('\u2066+49 1\u2069'), 'the plus stands before the number');
});

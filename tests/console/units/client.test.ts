import assert from 'node:assert/strict';
import {test} from 'node:test';
import {mayRepeat, pauseAfter, pauseBefore, take, takeChange} from '../../../gateway/console/src/api/client.ts';
import {ApiProblem} from '../../../gateway/console/src/api/problem.ts';
import {json, kOrganization, problem, settled, wired} from './support.ts';

const caught = async (promise: Promise<unknown>) => {
  const error = await promise.then(() => null, (thrown: unknown) => thrown);
  assert.ok(error instanceof ApiProblem, String(error));
  return error;
};

test('requests name the organization, and changes have a key', async () => {
  const {wire, scope, requests} = wired(() => json({}));
  await take(wire, scope.api.GET('/api/contacts'));
  await take(wire, scope.api.POST('/api/tags', {body: {label: 'x'}}));
  await take(wire, scope.api.POST('/api/tags', {body: {label: 'x'}, headers: {'Idempotency-Key': 'mine', 'If-Match': '"v"'}}));
  const fields = requests.map(({headers}) => ['X-Organization-Id', 'Idempotency-Key', 'If-Match'].map((each) => headers.get(each)));
  assert.deepEqual(fields, [[kOrganization, null, null], [kOrganization, 'key-1', null], [kOrganization, 'mine', '"v"']]);
  assert.equal(requests[0]!.credentials, 'same-origin');
});

test('what is refused is told; once somebody else has signed in nothing goes out, and nothing that comes is taken', async () => {
  let held: Promise<void> | null = null, answer = () => {};
  const {wire, scope, requests} = wired(async () => {
    await held;
    return problem(403);
  });
  await caught(take(wire, scope.api.GET('/api/contacts')));
  assert.equal(wire.refused, 1);
  held = new Promise((resolve) => (answer = resolve));
  const late = take(wire, scope.api.GET('/api/contacts'));
  await settled();
  assert.equal(requests.length, 2);
  wire.over = true;
  answer();
  await assert.rejects(late, {name: 'AbortError'});
  await assert.rejects(take(wire, scope.api.POST('/api/tags', {body: {label: 'x'}})), {name: 'AbortError'});
  assert.deepEqual([requests.length, wire.refused], [2, 1]);
});

test('an answer carries its version and what is unknown in it', async () => {
  const {wire, scope} = wired(() => json({a: 1}, 200, {'Parley-Degraded': 'contacts, organizations', ETag: '"v1"'}));
  const answer = await take(wire, scope.api.GET('/api/organization/usage'));
  assert.deepEqual(answer, {data: {a: 1}, degraded: ['contacts', 'organizations'], version: '"v1"'});
});

test('a problem, with faults at their fields', async () => {
  const errors = [
    {pointer: '/name', detail: 'is required'}, {pointer: '/tags/2', detail: 'must be a string'},
    {pointer: '/attributes/a~1b~0c', detail: 'is too long'}, {pointer: '?per_page', detail: 'is too much'},
  ];
  const {wire, scope} = wired(() => problem(400, {errors, requestId: 'r-9'}));
  const said = await caught(take(wire, scope.api.GET('/api/tags')));
  assert.equal(said.requestId, 'r-9');
  assert.deepEqual(said.at('name'), ['is required']);
  assert.deepEqual(said.at('tags'), ['must be a string']);
  assert.deepEqual(said.at('attributes/a/b~c'), ['is too long']);
  assert.deepEqual(said.at('?per_page'), ['is too much']);
  assert.deepEqual(said.at('tag'), []);
  assert.deepEqual(said.besides(['name', 'attributes', '?per_page']).map((each) => each.pointer), ['/tags/2']);
});

test('a 403 names permissions, or wants a second factor', async () => {
  const answers = [
    problem(403, {detail: 'this needs one of the permissions Get:Conversation, BulkImport:Contacts'}),
    problem(403, {type: '/docs/sign-in#second-factor-required'}),
  ];
  const {wire, scope} = wired(() => answers.shift()!);
  assert.deepEqual((await caught(take(wire, scope.api.GET('/api/tags')))).permissions, ['Get:Conversation', 'BulkImport:Contacts']);
  assert.equal((await caught(take(wire, scope.api.GET('/api/tags')))).isSecondFactorRequired, true);
});

test('a 401 ends the session, but for signing in', async () => {
  const {wire, scope} = wired((request) => {
    const answer = problem(401, {type: '/docs/sign-in#code-needed'});
    Object.defineProperty(answer, 'url', {value: request.url});
    return answer;
  });
  const body = {email: 'a@b.example', password: 'x'};
  assert.equal((await caught(take(wire, scope.api.POST('/api/auth/login', {body})))).isCodeNeeded, true);
  assert.equal(wire.expired, 0);
  await caught(take(wire, scope.api.GET('/api/tags')));
  assert.equal(wire.expired, 1);
});

test('a 412 has what is there now', async () => {
  const error = new ApiProblem(412, '', '', '', '');
  const said = await caught(takeChange(Promise.reject(error), async () => ({value: 'theirs', version: '"2"'})));
  assert.deepEqual(said.current, {value: 'theirs', version: '"2"'});
});

test('no answer is a problem, leaving is none, and what a proxy says is taken as it is', async () => {
  const offline = wired(() => Promise.reject(new TypeError('fetch failed')));
  assert.equal((await caught(take(offline.wire, offline.scope.api.GET('/api/tags')))).type, 'offline');
  const leave = new AbortController();
  const never = wired(() => new Promise<Response>(() => {}));
  const left = take(never.wire, never.scope.api.GET('/api/tags', {signal: leave.signal}));
  leave.abort();
  await assert.rejects(left, {name: 'AbortError'});
  const proxy = wired(() => new Response('<h1>Bad Gateway</h1>', {status: 502, headers: {'X-Request-Id': 'r-2'}}));
  const said = await caught(take(proxy.wire, proxy.scope.api.GET('/api/tags')));
  assert.deepEqual([said.status, said.requestId, said.isPassing, said.mayBeDone], [502, 'r-2', true, true]);
});

test('what is repeated by itself, and when', () => {
  const of = (status: number, retryAt: number | null = null) => new ApiProblem(status, '', '', '', '', [], retryAt);
  const now = 1000;
  const repeated = [0, 408, 409, 429, 500, 502, 503, 504, 400, 401, 403, 404, 412, 422].filter((status) => mayRepeat(0, of(status), now));
  assert.deepEqual(repeated, [0, 408, 429, 502, 503, 504]);
  assert.equal(mayRepeat(0, of(409, 2000), now), true);
  assert.equal(mayRepeat(0, of(429, now + 60_001), now), false);
  assert.equal(mayRepeat(3, of(503), now), false);
  assert.equal(pauseBefore(0, of(429, 5000), now, () => 0), 4000);
  assert.equal(pauseBefore(9, of(0), now, () => 1), 8000);
  assert.deepEqual([of(503), of(500), of(0), of(429, now + 90_000), of(403), of(404), null].map((error) => pauseAfter(error, [], now)),
    [30_000, 30_000, 30_000, 90_000, false, false, false]);
  assert.equal(pauseAfter(null, ['contacts'], now), 30_000, 'what was unknown may be known by then');
});

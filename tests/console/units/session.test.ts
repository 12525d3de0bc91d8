import assert from 'node:assert/strict';
import {test} from 'node:test';
import {addressIn, returnAddress, signInAddress, tokenOf} from '../../../gateway/console/src/session/address.ts';
import {kPerson, Session, type SessionParts} from '../../../gateway/console/src/session/session.ts';
import {Channels, FakeStorage, json, kOrganization, problem, settled, wired} from './support.ts';

/** A service with one cookie for all tabs of a browser. */
function setUp() {
  const [channels, storage] = [new Channels(), new FakeStorage()];
  const world = {person: null as string | null, isReachable: true, forgotten: 0, forgottenHere: 0};
  const who = () => ({user: {uniqueId: world.person, name: 'N'}, organizations: []});
  const {wire} = wired(async (request) => {
    if (!world.isReachable) throw new TypeError('fetch failed');
    const answer = await answerOf(request, new URL(request.url).pathname);
    Object.defineProperty(answer, 'url', {value: request.url});
    return answer;
  });
  const answerOf = async (request: Request, path: string) => {
    if (path === '/api/auth/login') {
      const {email, code} = await request.json() as {email: string; code?: string};
      if (email === 'two@example.com' && code !== '123') return problem(401, {type: '/docs/sign-in#code-needed'});
      world.person = email;
      return json({...who(), session: {token: 'secret'}});
    }
    if (world.person === null) return problem(401);
    if (path !== '/api/auth/logout') return json(who());
    world.person = null;
    return json(null, 204);
  };
  const tab = (parts: Partial<SessionParts> = {}) =>
    new Session({wire, channel: channels.open('session'), storage, forget: async () => void ++world.forgotten, forgetHere: () => void ++world.forgottenHere, ...parts});
  return {world, tab, wire, storage, speak: (message: unknown) => channels.open('session').postMessage(message)};
}

const kindOf = (session: Session) => {
  const state = session.state();
  return state.kind === 'signed in' ? state.user.uniqueId : state.kind === 'signed out' ? `out ${state.isExpired}` : state.kind;
};
const ada = {email: 'ada@example.com', password: 'x'};

test('signing in and out is known in all tabs, and leaves nothing behind', async () => {
  const {world, tab} = setUp();
  const [a, b] = [tab(), tab()];
  await Promise.all([a.ask(), b.ask()]);
  assert.deepEqual([kindOf(a), kindOf(b)], ['out false', 'out false']);
  await a.signIn(ada);
  await settled();
  assert.deepEqual([kindOf(a), kindOf(b)], [ada.email, ada.email]);
  await b.signOut();
  await settled();
  assert.deepEqual([kindOf(a), kindOf(b), world.forgotten], ['out false', 'out false', 2]);
});

test('who hears late that one signed out goes on as who has signed in since', async () => {
  const {world, tab, speak} = setUp();
  const [a, b] = [tab(), tab()];
  await a.signIn(ada);
  await b.signOut();
  await b.signIn({email: 'lin@example.com', password: 'x'});
  await settled();
  const {forgotten} = world;
  speak({kind: 'signed out'});
  await settled();
  assert.deepEqual([kindOf(a), kindOf(b), world.forgotten], ['lin@example.com', 'lin@example.com', forgotten]);
});

test('a tab that hears nothing of it until somebody else has signed in shows nothing of who was there', async () => {
  for (const told of ['signed in', 'signed out']) {
    const {world, tab, storage, speak} = setUp();
    const frozen = tab();
    await frozen.signIn(ada);
    world.person = 'lin@example.com';  // by a tab that it does not hear
    storage.setItem(kPerson, world.person);
    speak({kind: told});
    await settled();
    assert.deepEqual([kindOf(frozen), world.forgottenHere, world.forgotten], [world.person, 1, 0], told);
  }
});

test('who hears that one signed out, though a late answer has let them in again, leaves nothing behind', async () => {
  const {world, tab, storage, speak} = setUp();
  const session = tab();
  await session.signIn(ada);
  world.person = null;
  speak({kind: 'signed out'});
  await settled();
  assert.deepEqual([kindOf(session), storage.getItem(kPerson), world.forgotten], ['out false', null, 1]);
});

test('a second factor is a second step', async () => {
  const session = setUp().tab();
  const body = {email: 'two@example.com', password: 'x'};
  await assert.rejects(session.signIn(body), {status: 401, isCodeNeeded: true});
  await session.signIn({...body, code: '123'});
  assert.equal(kindOf(session), 'two@example.com');
});

test('a session that is over keeps what was written, for the same person alone', async () => {
  const {world, tab} = setUp();
  const session = tab();
  await session.signIn(ada);
  world.person = null;
  session.wire.onExpired();
  session.wire.onExpired();
  await settled();
  assert.equal(kindOf(session), 'out true');
  await session.signIn(ada);
  assert.equal(world.forgotten, 0);
  world.person = null;
  session.wire.onExpired();
  await settled();
  await session.signIn({...ada, email: 'eve@example.com'});
  assert.equal(world.forgotten, 1);
});

test('calls of one person do not go out by the cookie of the next, whichever tab knows first of that one', async () => {
  const {tab} = setUp();
  const [a, b] = [tab(), tab()];
  await a.signIn(ada);
  await settled();
  const {isOver} = b.wireOf(ada.email);
  assert.equal(isOver(), false);
  await a.signIn({...ada, email: 'eve@example.com'});  // the other tab has not heard of it yet
  assert.equal(isOver(), true);
  await settled();
  await a.signOut();
  await settled();
  assert.deepEqual([isOver(), b.wireOf('eve@example.com').isOver()], [true, true]);
  await a.signIn({...ada, email: 'eve@example.com'});
  await settled();
  assert.equal(isOver(), true);
  assert.equal(b.wireOf('eve@example.com').isOver(), false);
});

test('where signing out fails the other tabs go on', async () => {
  const {world, tab, storage} = setUp();
  const [a, b] = [tab(), tab()];
  await a.signIn(ada);
  await settled();
  world.isReachable = false;
  await assert.rejects(a.signOut());
  assert.deepEqual([kindOf(a), kindOf(b), storage.getItem(kPerson)], ['unreachable', ada.email, ada.email]);
});

test('a 401 of a request that was late does not end a session that is there again', async () => {
  const {tab} = setUp();
  const session = tab();
  await session.signIn(ada);
  session.wire.onExpired();
  await settled();
  assert.equal(kindOf(session), ada.email);
});

test('what was asked before one signed in or out does not hold afterwards', async () => {
  const held: (() => void)[] = [];
  const {world, tab, wire} = setUp();
  const {fetch} = wire;
  let isHeld = true;
  wire.fetch = async (request, init) => {
    const answer = await fetch(request, init);
    if (isHeld && request.url.endsWith('/api/user')) await new Promise<void>((resolve) => held.push(resolve));
    return answer;
  };
  const session = tab();
  void session.ask();
  await settled();
  await session.signIn(ada);
  held.splice(0).forEach((each) => each());
  await settled();
  assert.equal(kindOf(session), ada.email, 'nobody was signed in as it was asked');
  void session.ask();
  await settled();
  isHeld = false;
  await session.signOut();
  held.splice(0).forEach((each) => each());
  await settled();
  assert.deepEqual([kindOf(session), world.person], ['out false', null]);
});

test('a tab that still waits for an older answer asks again when another one signs in', async () => {
  const {tab, wire} = setUp();
  const {fetch} = wire;
  let held = () => {};
  let isHeld = true;
  wire.fetch = async (request, init) => {
    const answer = await fetch(request, init);
    if (isHeld && request.url.endsWith('/api/user')) await new Promise<void>((resolve) => (held = resolve));
    return answer;
  };
  const [a, b] = [tab(), tab()];
  void b.ask();
  await settled();
  isHeld = false;
  await a.signIn(ada);
  await settled();
  held();
  await settled();
  assert.equal(kindOf(b), ada.email);
});

test('a database that fails keeps nobody from signing out, or in', async () => {
  const {world, tab} = setUp();
  const session = tab({forget: () => Promise.reject(new DOMException('', 'UnknownError'))});
  await session.signIn(ada);
  await session.signOut();
  assert.deepEqual([kindOf(session), world.person], ['out false', null]);
  await session.signIn({...ada, email: 'eve@example.com'});
  assert.equal(kindOf(session), 'eve@example.com');
});

test('what a tab of another build says is passed over', async () => {
  const {tab, speak} = setUp();
  const session = tab();
  await session.signIn(ada);
  for (const strange of [null, 'signed out', 5, {}, {kind: 'left'}]) speak(strange);
  await settled();
  assert.equal(kindOf(session), ada.email);
});

test('without the network nobody is signed out by it, but what is kept is gone when one wants to be', async () => {
  const {world, tab} = setUp();
  const session = tab();
  await session.signIn(ada);
  world.isReachable = false;
  await session.ask();
  assert.equal(kindOf(session), ada.email);
  await assert.rejects(session.signOut(), {status: 0});
  assert.deepEqual([kindOf(session), world.forgotten], ['unreachable', 1]);
  const fresh = tab();
  await fresh.ask();
  assert.equal(kindOf(fresh), 'unreachable');
  world.isReachable = true;
  await fresh.ask();
  assert.equal(kindOf(fresh), ada.email);
});

test('addresses', () => {
  const from = addressIn(kOrganization, 'contacts?search=a%20b#x');
  assert.equal(returnAddress(signInAddress(from).slice('/console/sign-in'.length)), from);
  for (const bad of ['https://evil.example/console/', '//evil.example/console/', '/console/../api/user', '/console//../..//x', '/console/sign-in?return=x', 'javascript:1', '\\\\evil'])
    assert.equal(returnAddress('?return=' + encodeURIComponent(bad)), null, bad);
  assert.equal(tokenOf('#token=parley_invite_A-B_c'), 'parley_invite_A-B_c');
  assert.equal(tokenOf(''), null);
});

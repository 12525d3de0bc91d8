// An inbox as large as somebody may have: 50,000 conversations, and one of 20,000 messages. It prints what it took beside its bars. Needs
// the system's database (PARLEY_STATE), and a console as it is built for the gateway: NODE_ENV=production npm start.
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {check, figure, journey} from '../bed.mjs';

const kContacts = 50_000;
const root = new URL('../../..', import.meta.url).pathname;
const state = process.env.PARLEY_STATE ?? join(root, 'build/local');

/** Contacts by an import, what they wrote by SQL: nobody writes so much in a moment. */
async function seed(person) {
  const lines = Array.from({length: kContacts}, (_, n) => `Person ${String(n).padStart(5, '0')},+4915${20_000_000 + n}`);
  const {import: {uniqueId}} = await person.api('/api/contacts/imports', new Blob(['name,phone\n', lines.join('\n')], {type: 'text/csv'}));
  for (let status = 'Queued'; status !== 'Finished';) {
    ({import: {status}} = await person.api(`/api/contacts/imports/${uniqueId}`));
    check(['Queued', 'Running', 'Finished'].includes(status), `the import is ${status}`);
  }
  await promisify(execFile)('psql', ['-X', '-q', '-v', `organization=${person.organization}`, '-f', join(root, 'tests/console/extent_inbox.sql')], {
    env: {
      ...process.env, PGHOST: '127.0.0.1', PGPORT: process.env.PARLEY_POSTGRES_PORT ?? '15432', PGDATABASE: 'parley', PGUSER: 'postgres',
      PGPASSWORD: readFileSync(join(state, 'secrets/database-superuser'), 'utf8').trim(),
    },
  });
}

/** From the press of an entry until what it leads to is painted. */
const opening = (page, href, isThere) => page.evaluate(([href, words]) => new Promise((resolve) => {
  const entry = document.querySelector(`a[href*="${href}"]`);
  const begin = performance.now();
  const look = () => {
    const found = [...document.querySelectorAll('[role=log] article')].some((each) => each.textContent.includes(words));
    if (!found) return requestAnimationFrame(look);
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(performance.now() - begin);  // after the paint
    requestAnimationFrame(() => channel.port2.postMessage(null));
  };
  entry.click();
  look();
}), [href, isThere]);

/** Scrolls for so long, a frame after the other, and gives back how long each took. */
const scrolled = (page, name, seconds, pixels) => page.getByRole('group', {name, exact: true}).evaluate((each, [seconds, pixels]) => new Promise((resolve) => {
  const end = performance.now() + seconds * 1000;
  const frames = [];
  let last = 0, most = 0;
  const step = (now) => {
    if (last) frames.push(now - last);
    last = now;
    most = Math.max(most, each.querySelectorAll('li, article').length);
    each.scrollTop += pixels;
    if (now < end) requestAnimationFrame(step);
    else resolve({frames: frames.sort((a, b) => a - b), most});
  };
  requestAnimationFrame(step);
}), [seconds, pixels]);

function tell(what, {frames, most}) {
  figure(`${what}: frames over 50 ms, of ${frames.length}`, frames.filter((each) => each > 50).length, 0, '');
  figure(`${what}: the longest frame`, frames.at(-1), 50, 'ms');
  figure(`${what}: rows drawn`, most, 60, '');
}

journey('extent: 50,000 conversations, and a thread of 20,000 messages', {}, async ({page, person, open, shot}) => {
  const grace = await person();
  await seed(grace);
  const {conversations: [{uniqueId: long}, {uniqueId: other}]} = await grace.api('/api/conversations?has_inbound=true&per_page=2');
  const times = [];
  for (let turn = 0; turn < 5; ++turn) {
    await open(grace, 'inbox');
    await page.locator(`a[href*="${long}"]`).waitFor();
    await page.waitForLoadState('networkidle').catch(() => undefined);
    times.push(await opening(page, long, 'Line 20000'));
    if (turn === 4) figure('a short thread opens from a long one', await opening(page, other, 'Line 2'), 300, 'ms');
  }
  console.log(`       ${times.map((each) => Math.round(each)).join(', ')} ms`);
  figure('a thread of 20,000 messages opens, the median of 5', times.sort((a, b) => a - b)[2], 300, 'ms');
  figure('a thread of 20,000 messages opens again', await opening(page, long, 'Line 20000'), 300, 'ms');
  tell('the list, read for 10 s', await scrolled(page, 'Conversations', 10, 60));
  tell('the list, quickly', await scrolled(page, 'Conversations', 10, 600));
  const log = page.getByRole('group', {name: 'Messages', exact: true});
  tell('the thread, back for 20 s', await scrolled(page, 'Messages', 20, -400));
  const first = await log.getByText(/Line \d+$/).first().textContent();
  const reached = Number(/Line (\d+)/.exec(first)[1]);
  console.log(`       came back to message ${reached} of 20,000`);
  check(reached < 19_000, 'one cannot scroll back');
  await shot('scrolled back');
});

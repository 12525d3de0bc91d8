// An inbox as large as somebody may have: 50,000 conversations, and one of 20,000 messages. It prints what it took beside its bars. Needs
// the system's database (PARLEY_STATE), and a console as it is built for the gateway: NODE_ENV=production npm start.
import {execFile} from 'node:child_process';
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {check, figure, journey} from '../bed.mjs';
import {importMany} from '../contacts.mjs';
import {scrolled, tellScroll} from '../scroll.mjs';

const kContacts = 50_000;
const root = new URL('../../..', import.meta.url).pathname;
const state = process.env.PARLEY_STATE ?? join(root, 'build/local');

/** Contacts by an import, what they wrote by SQL: nobody writes so much in a moment. */
async function seed(person) {
  await importMany(person, kContacts);
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
  const [list, log] = ['Conversations', 'Messages'].map((name) => page.getByRole('group', {name, exact: true}));
  tellScroll('the list, read for 10 s', await scrolled(list, {seconds: 10, pixels: 60, row: 'li'}));
  tellScroll('the list, quickly', await scrolled(list, {seconds: 10, pixels: 600, row: 'li'}));
  tellScroll('the thread, back for 20 s', await scrolled(log, {seconds: 20, pixels: -400, row: 'article'}));
  const first = await log.getByText(/Line \d+$/).first().textContent();
  const reached = Number(/Line (\d+)/.exec(first)[1]);
  console.log(`       came back to message ${reached} of 20,000`);
  check(reached < 19_000, 'one cannot scroll back');
  await shot('scrolled back');
});

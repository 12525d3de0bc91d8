// What is shown stays true, and what is sent is sent once: with crashes, without network, in several tabs, under load.
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {check, figure, journey, refusal, until} from '../bed.mjs';
import {business, colleague, simulate} from '../simulated.mjs';

const run = promisify(execFile);
const kForgotten = Buffer.concat([Buffer.alloc(24), Buffer.from([0x7f, 0xff, 0xff, 0xff])]).toString('base64url');  // a place that the service knows no more

const entry = (page, name) => page.getByRole('list', {name: 'Conversations'}).getByRole('link', {name});
const field = (page) => page.getByRole('textbox', {name: /^Write to/});
const inThread = (page, text) => page.getByRole('log').getByText(text, {exact: true});

/** A business with a customer, whose conversation is open. */
async function talking(trip, name = 'Joan Clarke') {
  const ada = await business(trip);
  const contact = ada.customer(name);
  await contact.writes('Hello?');
  await trip.open(ada, 'inbox');
  await entry(trip.page, name).click();
  await inThread(trip.page, 'Hello?').waitFor();
  await trip.page.getByText('Contact since').waitFor();  // it loads by itself
  const [, id] = /inbox\/([0-9a-f-]{36})/.exec(trip.page.url());
  return {ada, contact, id};
}

async function sends(page, text) {
  await field(page).fill(text);
  await page.keyboard.press('Control+Enter');
  await inThread(page, text).waitFor();
}

/** How many sends and drafts the browser keeps. */
const kept = () => new Promise((resolve, reject) => {
  const opened = indexedDB.open('parley');
  opened.onerror = () => reject(opened.error);
  opened.onsuccess = () => {
    const transaction = opened.result.transaction(['sends', 'drafts']);
    const counts = ['sends', 'drafts'].map((name) => transaction.objectStore(name).count());
    transaction.oncomplete = () => {
      opened.result.close();
      resolve(counts.map((each) => each.result));
    };
  };
});
const nothingWaits = (page) => until('nothing waits', async () => (await page.evaluate(kept))[0] === 0, 120);

/** All messages of a conversation, as the service has them. */
async function messagesOf(ada, id) {
  const all = [];
  for (let cursor; cursor !== null;) {
    const {messages, paginationMeta} = await ada.api(`/api/conversation/${id}/messages?per_page=100${cursor ? `&cursor=${cursor}` : ''}`);
    all.push(...messages);
    cursor = paginationMeta.nextCursor;
  }
  return all.reverse();
}
const textOf = (message) => message.messageData.text;
const textsOf = async (ada, id) => (await messagesOf(ada, id)).map(textOf);

/** What reached the phone of a contact. */
async function reached({number}) {
  const {accepted} = await simulate(`accepted?recipient=${number.slice(1)}`);
  return accepted.flatMap(({count, body}) => Array(count).fill(JSON.parse(body).text?.body));
}

const isOnce = (all, text) => all.filter((each) => each === text).length === 1;

async function shownOnce(page, texts) {
  for (const text of texts) {
    await inThread(page, text).first().waitFor({timeout: 60_000});
    check(await inThread(page, text).count() === 1, `"${text}" is shown twice`);
  }
}

/** Notes what is painted twice in the thread from now on, be it for a moment. */
const watch = (page) => page.evaluate(() => {
  window.doubled = new Set();
  const look = () => {
    const texts = [...document.querySelectorAll('[role=log] [dir=auto]')].map((each) => each.textContent);
    for (const text of texts) if (texts.indexOf(text) !== texts.lastIndexOf(text)) window.doubled.add(text);
    requestAnimationFrame(look);
  };
  look();
});
const doubled = (page) => page.evaluate(() => [...window.doubled].join());

// ---- crashes --------------------------------------------------------------------------------------------------------

const mayCrash = Boolean(process.env.PARLEY_OWN_SYSTEM);
const crash = (action, name) => run(fileURLToPath(new URL('../crash', import.meta.url)), [action, name]);

if (mayCrash)
  journey('live: each process is killed while messages come and go: all are there once', {}, async (trip) => {
    const {page, expect} = trip;
    expect(/status of (50\d|429|409)|ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK|ABORTED)/);
    const {ada, contact, id} = await talking(trip);
    const [told, sent] = [[], []];
    for (const name of ['conversations', 'gateway', 'dispatcher', 'contacts', 'organizations', 'analytics']) {
      for (const when of ['before', 'while', 'after']) {
        if (when === 'while') await crash('end', name);
        if (when === 'after') await crash('start', name);
        told.push(`told ${when} ${name}`);
        sent.push(`sent ${when} ${name}`);
        await contact.writes(told.at(-1));
        await sends(page, sent.at(-1));
      }
      await inThread(page, told.at(-1)).waitFor({timeout: 90_000});
    }
    await nothingWaits(page);
    await shownOnce(page, [...told.slice(-4), ...sent.slice(-4)]);
    const messages = await messagesOf(ada, id);
    const texts = messages.map(textOf);
    for (const text of [...told, ...sent]) check(isOnce(texts, text), `"${text}" is not there once: ${texts}`);
    const phone = await phoneHas(contact, [sent.at(-1)]);
    const missing = sent.filter((text) => !isOnce(phone, text));
    // What the dispatcher had in its hands as it was killed may have gone out: it is in doubt, and not sent again.
    const isInDoubt = (text) => !phone.includes(text) && /dispatcher/.test(text) && messages.some((each) => textOf(each) === text && each.status === 'Queued');
    check(missing.length <= 2 && missing.every(isInDoubt), `did not reach the phone once: ${missing}`);
    console.log(`       ${told.length} told, ${sent.length} sent, ${missing.length} in doubt`);
    // In the order in which they were written, whatever was tried again.
    check(texts.filter((text) => sent.includes(text)).join() === sent.join(), `sent in another order: ${texts}`);
  });

/** What reached a phone, as soon as all of it has. */
async function phoneHas(contact, texts) {
  for (let round = 0; ; ++round) {
    const phone = await reached(contact);
    if (round === 120 || texts.every((text) => phone.includes(text))) return phone;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

if (mayCrash)
  journey('live: what a context knows is unknown while it is away, and comes by itself', {}, async (trip) => {
    const {page, expect, open, shot} = trip;
    expect(/status of (50\d)|ERR_(CONNECTION|INCOMPLETE|EMPTY)/);
    const {ada} = await talking(trip);
    await crash('end', 'contacts');
    try {
      await open(ada, 'inbox');
      await page.getByRole('list', {name: 'Conversations'}).getByRole('link').first().waitFor();
      await shot('inbox');
      await open(ada, 'home');
      await page.getByRole('heading', {name: 'Home', level: 1}).waitFor();
      await page.getByText(/unknown|could not be/i).first().waitFor({timeout: 60_000});
      await shot('home');
      await open(ada, 'inbox');
    } finally {
      await crash('start', 'contacts');
    }
    await entry(page, 'Joan Clarke').waitFor({timeout: 90_000});
  });

// ---- without network ------------------------------------------------------------------------------------------------

for (const {minutes, isGone} of [{minutes: 5, isGone: false}, {minutes: 15, isGone: true}])
  journey(`live: ${minutes} minutes without network: nothing is missed, nothing is there twice`, {isShort: isGone}, async (trip) => {
    const {page, context, expect, shot} = trip;
    expect(/ERR_INTERNET_DISCONNECTED/);
    await page.clock.install();
    const {ada, contact, id} = await talking(trip);
    const other = ada.customer('Mavis Batey');
    if (isGone) {
      // The service keeps events for 10 minutes of its own clock, which a test does not move: here the place is one that is gone.
      let isFirst = true;
      await context.route('**/api/events', (route) => {
        const headers = {...route.request().headers(), ...(isFirst && {'last-event-id': kForgotten})};
        isFirst = false;
        return route.continue({headers});
      });
    }
    await context.setOffline(true);
    await page.getByText(/No connection\./).waitFor();
    // Chromium goes on with an answer that has begun: the stream is left when nothing has been heard for a while.
    const left = page.waitForEvent('requestfailed', (request) => new URL(request.url()).pathname === '/api/events');
    await page.clock.fastForward(60_000);
    await left;
    const told = Array.from({length: 12}, (_, n) => `told ${n}`);
    for (const text of told) await contact.writes(text);
    await other.writes('Somebody new');
    await sends(page, 'Written in a tunnel');
    await page.clock.fastForward((minutes - 1) * 60_000);
    check(await inThread(page, told[0]).count() === 0, 'it came without network');
    await page.getByText(new RegExp(`${minutes} minutes ago`)).waitFor();
    await shot('offline');
    await context.setOffline(false);
    await page.getByText(/No connection\./).waitFor({state: 'detached'});
    await shownOnce(page, [...told, 'Written in a tunnel']);
    await nothingWaits(page);
    const texts = await textsOf(ada, id);
    for (const text of [...told, 'Written in a tunnel']) check(isOnce(texts, text), `"${text}" is not there once: ${texts}`);
    check(isOnce(await phoneHas(contact, ['Written in a tunnel']), 'Written in a tunnel'), 'it did not reach the phone once');
    await entry(page, 'Mavis Batey').or(page.getByRole('button', {name: /newer|new /i})).first().waitFor();
    await shot('online');
  });

// ---- tabs -----------------------------------------------------------------------------------------------------------

journey('live: the tab that sends is closed while a message is on its way: another one sends it, once', {isShort: true}, async (trip) => {
  const {page, context, expect} = trip;
  expect(/ERR_/);
  const {ada, contact, id} = await talking(trip);
  const second = await context.newPage();
  await second.goto(page.url());
  await inThread(second, 'Hello?').waitFor();
  await watch(second);
  await page.bringToFront();
  // The service has it, and its answer does not come any more.
  let done;
  const isDone = new Promise((resolve) => (done = resolve));
  let isFirst = true;
  await context.route('**/api/conversation/*/messages', async (route) => {
    if (route.request().method() !== 'POST' || !isFirst) return route.fallback();
    isFirst = false;
    await route.fetch();
    done();
  });
  await sends(page, 'Out of one tab');
  await isDone;
  await page.close();
  await inThread(second, 'Out of one tab').waitFor();
  await nothingWaits(second);
  await shownOnce(second, ['Out of one tab']);
  check(await doubled(second) === '', `shown twice for a moment: ${await doubled(second)}`);
  check(isOnce(await textsOf(ada, id), 'Out of one tab'), 'it was sent twice');
  await contact.writes('Heard?');
  await inThread(second, 'Heard?').waitFor();
});

journey('live: signing out in one tab leaves nothing in another', {isShort: true}, async (trip) => {
  const {page, context, expect} = trip;
  expect(/ERR_|status of 401/);
  const {ada} = await talking(trip);
  await context.route('**/api/conversation/*/messages', (route) => route.request().method() === 'POST' ? route.abort('internetdisconnected') : route.fallback());
  await sends(page, 'Never sent');
  await field(page).fill('A draft');
  const second = await context.newPage();
  await second.goto(`/console/o/${ada.organization}/home`);
  await second.getByRole('button', {name: /profile and settings/}).click();
  await second.getByRole('menuitem', {name: 'Sign out'}).click();
  const asked = second.getByRole('alertdialog');
  await asked.getByText('Messages are not sent yet.').waitFor();
  await asked.getByRole('button', {name: 'Leave'}).click();
  for (const each of [page, second]) await each.waitForURL('**/sign-in**');
  const left = await page.evaluate(kept);
  check(left.join() === '0,0', `${left} sends and drafts are left`);
});

journey('live: what waits to be tried again is not done by who signs in next', {}, async (trip) => {
  const {page, context, expect, open} = trip;
  expect(/status of 503/);
  const {ada, id} = await talking(trip);
  const lin = await colleague(trip, ada, 'Lin Lanying');
  let tries = 0;
  await context.route('**/notes', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    return ++tries === 1 ? route.fulfill(refusal(503, 'Not now', {'Retry-After': '4'})) : route.fallback();
  });
  await page.keyboard.press('n');
  await page.getByRole('textbox', {name: /note/i}).fill('For Ada alone');
  await page.keyboard.press('Control+Enter');
  await until('the first try', () => tries);
  await open(lin, 'home', await context.newPage());
  await page.waitForTimeout(8000);  // well beyond its time
  const {notes} = await ada.api(`/api/conversation/${id}/notes`);
  check(tries === 1 && notes.length === 0, `${tries} tries, and the notes are ${JSON.stringify(notes)}`);
});

journey('live: what was not sent is told wherever one is, and asked about when one signs out', {}, async (trip) => {
  const {page, context, expect} = trip;
  expect(/status of 400/);
  const {id} = await talking(trip);
  await context.route('**/api/conversation/*/messages', (route) => route.request().method() === 'POST' ? route.fulfill(refusal(400, 'The channel cannot take this')) : route.fallback());
  await sends(page, 'Never taken');
  await page.getByText(/The channel cannot take this/).waitFor();
  const told = page.getByText('1 message was not sent, or not surely.');
  check(!await told.isVisible(), 'it is told twice in its own conversation');
  await page.getByRole('navigation', {name: 'Areas'}).getByRole('link', {name: 'Contacts'}).click();
  await told.waitFor();
  await trip.looks('not sent');
  await page.getByRole('button', {name: /profile and settings/}).click();
  await page.getByRole('menuitem', {name: 'Sign out'}).click();
  const asked = page.getByRole('alertdialog');
  await asked.getByText('Messages are not sent yet. They are discarded when you sign out.', {exact: true}).waitFor();
  await asked.getByRole('button', {name: 'Stay here'}).click();
  // Who leaves a form is asked about the form alone.
  await page.getByRole('navigation', {name: 'Areas'}).getByRole('link', {name: 'Segments'}).click();
  await page.getByRole('link', {name: 'New segment'}).first().click();
  await page.getByLabel('Name', {exact: true}).fill('Regulars');
  await page.getByRole('navigation', {name: 'Areas'}).getByRole('link', {name: 'Lists'}).click();
  await asked.getByText('What you have changed here is not saved.', {exact: true}).waitFor();
  await asked.getByRole('button', {name: 'Leave'}).click();
  await page.getByRole('link', {name: 'Look'}).click();
  await page.waitForURL(`**/inbox/${id}`);
  await told.waitFor({state: 'detached'});
  await page.getByRole('button', {name: 'Discard'}).click();
  await nothingWaits(page);
});

journey('live: a browser that keeps nothing says so, loses nothing, and lets one leave', {}, async (trip) => {
  const {page, context, expect, shot} = trip;
  expect(/status of 401/);
  await context.addInitScript(() => {
    for (const name of ['open', 'deleteDatabase']) IDBFactory.prototype[name] = () => {
      throw new DOMException('refused', 'SecurityError');
    };
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const {contact} = await talking(trip);
  await field(page).fill('Cannot be kept');
  await page.keyboard.press('Control+Enter');
  await page.getByText(/could not be kept|keeps nothing|not sent/i).first().waitFor();
  check(await field(page).inputValue() === 'Cannot be kept', 'what was typed is gone');
  await shot('kept-nothing');
  await contact.writes('Still heard');
  await inThread(page, 'Still heard').waitFor();
  await page.getByRole('button', {name: /profile and settings/}).click();
  await page.getByRole('menuitem', {name: 'Sign out'}).click();
  await page.waitForURL('**/sign-in**');
});

// ---- refusals -------------------------------------------------------------------------------------------------------

journey('live: what one may not is named, not offered, and not asked for again and again', {isShort: true}, async (trip) => {
  const {page, person, open, looks, expect} = trip;
  expect(/status of 403/);
  const ada = await person();
  const {role} = await ada.api('/api/rbac/roles', {name: 'Labels', permissions: ['Get:Tag', 'Create:Tag']});
  const lin = await colleague(trip, ada, 'Lin Agent', {roles: [role.uniqueId]});
  let streams = 0;
  page.on('request', (request) => (streams += new URL(request.url()).pathname === '/api/events' ? 1 : 0));
  await page.clock.install();
  await open(lin, 'inbox');
  await page.getByText('Get:Conversation').first().waitFor();
  check(await page.getByRole('link', {name: 'Inbox'}).count() === 0, 'the navigation leads to the inbox');
  await page.getByRole('link', {name: 'Tags'}).first().waitFor();
  await looks('forbidden');
  await page.clock.runFor(20 * 60_000);
  check(streams <= 9, `the stream was asked for ${streams} times in 20 minutes`);
});

journey('live: what fails while it is expected shows itself again, and is not tried in a loop', {}, async (trip) => {
  const {page, context, expect} = trip;
  expect(/status of 403/);
  const ada = await business(trip);
  await ada.customer('Joan Clarke').writes('Unread');
  let reads = 0;
  await context.route('**/api/conversation/*/read', (route) => {
    ++reads;
    return route.fulfill(refusal(403, 'this needs the permission Update:Conversation'));
  });
  await page.clock.install();
  await trip.open(ada, 'inbox');
  const refused = page.waitForResponse('**/read');
  await entry(page, 'Joan Clarke').click();
  await refused;
  await entry(page, /unread/i).first().waitFor();
  await page.clock.runFor(20_000);
  check(reads === 1, `it was tried ${reads} times`);
});

journey('live: a page of a list that fails is not asked for in a loop, and comes later by itself', {isShort: true}, async (trip) => {
  const {page, context, expect} = trip;
  expect(/status of 500/);
  const {ada, contact} = await talking(trip);
  for (let n = 0; n < 70; ++n) await contact.writes(`Message ${n}`);
  await page.clock.install();
  await trip.open(ada, 'inbox');
  // Not before: the page that is left has the conversation open, and may have to load it anew.
  let asked = 0, fails = true;
  await context.route((url) => url.pathname === '/api/messages' || /^\/api\/conversation\/[^/]*\/messages$/.test(url.pathname), (route) => {
    if (!route.request().url().includes('cursor=')) return route.fallback();
    ++asked;
    return !fails ? route.fallback() : route.fulfill(refusal(500, 'out of order'));
  });
  const refused = page.waitForResponse((response) => response.status() === 500);
  await entry(page, 'Joan Clarke').click();
  await page.getByRole('log').hover();
  await page.mouse.wheel(0, -20_000);
  await refused;
  await page.getByText('The rest could not be loaded').waitFor();
  await trip.shot('failed-rest');
  await contact.writes('What comes does not ask for it');
  await page.clock.runFor(20_000);
  check(asked === 1, `it was asked for ${asked} times`);
  fails = false;
  const comes = page.waitForResponse((response) => response.ok() && response.url().includes('cursor='));
  await page.clock.runFor(30_000);
  await comes;
  await page.mouse.wheel(0, -20_000);
  await inThread(page, 'Hello?').waitFor();
});

journey('live: a list that is loaded anew comes, though one scrolls on meanwhile', {}, async (trip) => {
  const {page, context} = trip;
  const ada = await business(trip);
  for (let n = 0; n < 60; ++n) await ada.customer(`Customer ${n}`).writes('Hello');
  await until('all conversations', async () => (await ada.api('/api/conversations')).paginationMeta.total === 60);  // no event of them comes later
  await trip.open(ada, 'inbox');
  await entry(page, 'Customer 59').waitFor();
  await page.getByRole('list', {name: 'Conversations'}).hover();
  await ada.customer('Mavis Batey').writes('Somebody new');
  let givenUp = 0;
  page.on('requestfailed', (request) => (givenUp += new URL(request.url()).pathname === '/api/conversations' ? 1 : 0));
  let release;
  const isReleased = new Promise((resolve) => (release = resolve));
  await context.route((url) => url.pathname === '/api/conversations', async (route) => {
    if (!route.request().url().includes('cursor=')) await isReleased;
    await route.fallback().catch(() => undefined);  // it may have been given up
  });
  const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/conversations');
  await page.getByRole('button', {name: /newer/}).click();
  await asked;
  await page.getByRole('list', {name: 'Conversations'}).hover();
  await page.mouse.wheel(0, 2500);
  await entry(page, 'Customer 20').waitFor();
  const next = page.waitForResponse((response) => response.url().includes('cursor='));
  release();
  await page.mouse.wheel(0, 10_000);
  await next;
  await until('the end of the list', async () => {  // which is further down once its rows are there
    await page.mouse.wheel(0, 10_000);
    return entry(page, 'Customer 0').isVisible();
  });
  check(givenUp === 0, 'the list that was on its way was given up');
  await page.mouse.wheel(0, -10_000);
  await entry(page, 'Mavis Batey').waitFor();
});

journey('live: a rate is counted down, and what was there stays', {}, async (trip) => {
  const {page, context, expect, person, open, shot} = trip;
  expect(/status of 429/);
  const ada = await person();
  await ada.api('/api/contacts', {name: 'Radia Perlman', phone: '+447700900338'});
  let isLimited = true;
  await context.route((url) => url.pathname === '/api/contacts', (route) => !isLimited ? route.fallback() : route.fulfill(refusal(429, 'the rate of the organization is reached', {'Retry-After': '120'})));
  await page.clock.install();
  await open(ada, 'contacts');
  await page.getByText('the rate of the organization is reached').waitFor();
  await page.getByRole('button', {name: /^Tried again in 1 min/}).waitFor();
  await shot('limited');
  isLimited = false;
  await page.clock.runFor(150_000);
  await page.getByText('Radia Perlman').first().waitFor();
});

// ---- load -----------------------------------------------------------------------------------------------------------

const kSeconds = 60, kRate = 100, kCustomers = 40;

/** Messages are not counted by the API. */
async function countMessages({api}) {
  let count = 0, cursor = null;
  do {
    const {messages, paginationMeta} = await api('/api/messages?per_page=100&direction=InBound' + (cursor === null ? '' : `&cursor=${cursor}`));
    count += messages.length;
    cursor = paginationMeta.nextCursor;
  } while (cursor !== null);
  return count;
}

journey(`live: ${kRate} messages a second for ${kSeconds} s while the inbox is open`, {}, async (trip) => {
  const {page, shot} = trip;
  const ada = await business(trip);
  const customers = Array.from({length: kCustomers}, (_, n) => ada.customer(`Customer ${String(n).padStart(2, '0')}`));
  await Promise.all(customers.map((each) => each.writes('Hello')));
  await trip.open(ada, 'inbox');
  const first = entry(page, /Customer \d\d/).first();
  const shown = Number(/Customer (\d\d)/.exec(await first.textContent())[1]);
  await first.click();
  await inThread(page, 'Hello').waitFor();
  await page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries())).observe({type: 'longtask'});
  });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const collected = [];  // when the test itself had the page stand still
  const heap = async () => {
    const from = await page.evaluate(() => performance.now());
    await session.send('HeapProfiler.collectGarbage');
    collected.push([from, await page.evaluate(() => performance.now())]);
    const {metrics} = await session.send('Performance.getMetrics');
    return metrics.find((each) => each.name === 'JSHeapUsedSize').value / 2 ** 20;
  };
  const heaps = [await heap()];
  const begin = Date.now();
  let count = 0;
  let told = 0;
  for (let tick = 1; tick <= kSeconds * 10; ++tick) {
    const due = begin + tick * 100;
    for (; count < tick * kRate / 10; ++count)
      void customers[count % kCustomers].writes(`message ${count}`).then(() => ++told);
    if (due > Date.now()) await new Promise((resolve) => setTimeout(resolve, due - Date.now()));
    if (tick % 150 === 0) heaps.push(await heap());
  }
  const took = (Date.now() - begin) / 1000;
  await inThread(page, `message ${count - kCustomers + shown}`).waitFor({timeout: 180_000});
  const last = (Date.now() - begin) / 1000;
  await until('all messages are there', async () => await countMessages(ada) >= count + kCustomers, 180);
  heaps.push(await heap());
  await shot('inbox');
  const seen = await page.evaluate(() => window.longTasks.map(({startTime, duration}) => ({startTime, duration})));
  const isOfTest = ({startTime, duration}) => collected.some(([from, to]) => startTime < to && startTime + duration > from);
  const tasks = seen.filter((each) => !isOfTest(each)).map((each) => each.duration);
  console.log(`       ${told} messages told in ${took.toFixed(0)} s, the last one shown after ${last.toFixed(0)} s; heap ${heaps.map((each) => each.toFixed(1)).join(', ')} MiB`);
  console.log(`       long tasks: ${tasks.length}, ${tasks.filter((each) => each > 100).length} of them over 100 ms, ${tasks.reduce((sum, each) => sum + each, 0).toFixed(0)} ms together`);
  figure('the longest task while messages come', Math.max(0, ...tasks), 50, 'ms');
  figure('growth of the heap from the first quarter to the end', heaps.at(-1) - heaps[1], 10, 'MiB');
  // The thread has all of its messages once.
  const mine = Array.from({length: count}, (_, n) => n).filter((n) => n % kCustomers === shown).map((n) => `message ${n}`);
  const [, id] = /inbox\/([0-9a-f-]{36})/.exec(page.url());
  const texts = await textsOf(ada, id);
  check(mine.every((text) => isOnce(texts, text)), 'the service has not all of them once');
  await shownOnce(page, mine.slice(-5));
});

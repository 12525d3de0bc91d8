// The home: what wants action, the figures, who waits, what runs.
import {call, check, journey, kPassword, refusal} from '../bed.mjs';
import {business} from '../simulated.mjs';

const inMinutes = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString();
const meta = (total) => ({page: 1, per_page: 100, total, nextCursor: null});
const none = (name) => ({[name]: [], paginationMeta: meta(0)});

/** Answers calls of the page in place of the system. */
const answer = (page, path, body, headers = {}) => page.route('**/api/' + path, (route) =>
  route.fulfill({status: 200, contentType: 'application/json', headers, body: JSON.stringify(body)}));
const refuse = (page, path, status, detail) => page.route('**/api/' + path, (route) => route.fulfill(refusal(status, detail)));

const progress = {
  recipients: 8204, skipped: 12, pending: 2072, sent: 900, delivered: 3100, read: 2095, failed: 20, undelivered: 5, inDoubt: 0, rate: 23.4, secondsLeft: 88,
};
const campaign = (uniqueId, name, status, statusReason) => ({
  uniqueId, name, description: '', status, statusReason, message: {type: 'Text', text: ''}, variants: [], listIds: [], excludedListIds: [], segmentIds: [],
  tags: [], phoneNumberId: null, scheduledAt: null, timezone: 'UTC', allowedLatenessSeconds: 3600, messagesPerSecond: null, createdAt: inMinutes(-90),
  updatedAt: inMinutes(-50), startedAt: inMinutes(-50), finishedAt: null, progress, links: [],
});
const number = (id, displayPhoneNumber, registered, sendingStopped) => ({
  uniqueId: id, id, displayPhoneNumber, verifiedName: '', qualityRating: 'GREEN', throughput: 'STANDARD', messagingLimit: 'TIER_10K', registered, sendingStopped,
});
const webhook = (uniqueId, url, failingSince, disabledAt) => ({
  uniqueId, url, description: '', events: ['message.created'], active: !disabledAt, createdAt: inMinutes(-9999), failingSince, disabledAt,
  disabledReason: disabledAt ? 'Failing' : null, answerableMemberId: null, previousSecretValidUntil: null,
});

/** An organization in which much goes wrong. */
async function troubled(page) {
  await answer(page, 'organization/phone-numbers', {
    phoneNumbers: [
      number('1', '+44 20 7946 0321', true, {code: 190, text: 'The access token has expired', until: inMinutes(90)}),
      number('2', '+1 555 0100', false, null),
    ], notices: [], paginationMeta: meta(2),
  });
  const paused = campaign('01949c44-1f10-7b3c-8d21-9c0e5f7a6b18', 'عرض الربيع', 'Paused', 'the limit of the number is used up');
  const running = campaign('01949c44-1f10-7b3c-8d21-9c0e5f7a6b19', 'Spring sale', 'Running', '');
  await answer(page, 'campaigns?status=Paused*', {campaigns: [paused], paginationMeta: meta(1)});
  await answer(page, 'campaigns?status=Running*', {campaigns: [running], paginationMeta: meta(1)});
  await answer(page, 'campaigns/' + running.uniqueId, {campaign: running});
  await answer(page, 'webhooks', {webhooks: [
    webhook('w-1', 'https://hooks.example.com/parley', inMinutes(-65), null), webhook('w-2', 'https://old.example.com/', inMinutes(-99), inMinutes(-20)),
  ]});
  await answer(page, 'organization/usage', {usage: [
    {name: 'contacts', limit: 5000, used: 4130}, {name: 'members', limit: 100, used: 80}, {name: 'lists', limit: 10, used: 10},
  ], missing: []});
}

/** Seven days, of which each is known by its numbers. */
async function counted(page) {
  const days = Array.from({length: 7}, (_, day) => {
    const date = new Date(Date.now() - (6 - day) * 86_400_000);
    const sent = 1000 + day;
    return {date: date.toISOString(), label: date.toISOString().slice(0, 10), inbound: 1, outbound: sent, sent, delivered: 900, read: 500, failed: 0};
  });
  const sum = (name) => days.reduce((all, each) => all + each[name], 0);
  const analytics = {
    totalMessages: 0, inboundMessages: 7, outboundMessages: sum('sent'), messagesQueued: 0, messagesSent: sum('sent'), messagesFailed: 0,
    messagesDelivered: sum('delivered'), messagesUndelivered: 0, messagesRead: sum('read'), conversationsOpened: 0, conversationsOpenedByContacts: 0,
    conversationsOpenedByCampaigns: 0, conversationsOpenedByMembers: 0, contactsCreated: 0, contactsDeleted: 0, totalContacts: 1,
    messageTrends: days, conversationTrends: [], contactTrends: [],
  };
  await page.route('**/api/analytics/primary*', (route) => {
    const isEarlier = new URL(route.request().url()).searchParams.has('to');
    const body = isEarlier ? {...analytics, messagesSent: 3510, messageTrends: []} : analytics;
    return route.fulfill({status: 200, contentType: 'application/json', body: JSON.stringify({analytics: body})});
  });
  await answer(page, 'analytics/campaigns*', {analytics: {
    messagesDelivered: 6300, messageAnalytics: days.map(({date, label, sent, delivered, read}) => ({date, label, sent, delivered, read, replied: 90})),
  }});
}

journey('home: a new organization begins with first steps', {}, async ({page, person, open, looks}) => {
  await open(await person());
  await page.getByRole('heading', {name: 'First steps'}).waitFor();
  await page.getByRole('heading', {name: 'Nobody waits'}).waitFor();
  check(await page.getByRole('heading', {name: 'What wants action'}).count() === 0, 'it wants action where nothing is');
  await looks('first steps');
  await page.getByRole('link', {name: 'Import contacts'}).click();
  await page.waitForURL('**/import');
});

journey('home: the worst comes first, with where to go', {isShort: true}, async ({page, person, open, looks}) => {
  await troubled(page);
  await counted(page);
  await open(await person());
  const concerns = page.getByRole('list', {name: 'What wants action'}).getByRole('listitem');
  await concerns.first().waitFor();
  const said = (await concerns.allTextContents()).map((each) => each.replace(/[\u2066-\u2069]/g, ''));
  check(/^\+44 20 7946 0321 cannot send until .*The access token has expired \(error 190\)/.test(said[0]), `it is not the number first: ${said[0]}`);
  check(/^\+1 555 0100 is not registered/.test(said[1]) && /old\.example\.com was switched off/.test(said[2]) && /^No more lists/.test(said[3]), said.join('\n'));
  await page.getByText('82% of contacts used').waitFor();
  check(await page.getByText('members used').count() === 0, 'eighty percent are not more than eighty percent');
  await page.getByText('the limit of the number is used up').waitFor();
  await page.getByRole('progressbar', {name: 'Spring sale'}).waitFor();
  await page.getByText('6,132 of 8,204 sent').first().waitFor();
  await looks('trouble');
});

journey('home: figures, as a plot for the keys and as a table', {}, async ({page, person, open, looks, axe}) => {
  await troubled(page);
  await counted(page);
  await open(await person());
  await page.getByText('7,021', {exact: true}).waitFor();
  await page.getByText('100% more').waitFor();
  await page.getByText('89.7% of those sent').waitFor();
  const plot = page.getByRole('slider', {name: /^Messages by day/});
  await plot.focus();
  const spoken = () => plot.getAttribute('aria-valuetext');
  check(/: Sent 1,006, Delivered 900, Read 500, Replied 90$/.test(await spoken()), await spoken());
  await page.keyboard.press('ArrowLeft');
  check(/Sent 1,005/.test(await spoken()), 'the arrow does not lead a day back');
  await page.keyboard.press('Home');
  check(/Sent 1,000/.test(await spoken()), 'Home does not lead to the first day');
  await page.keyboard.press('ArrowLeft');
  check(/Sent 1,000/.test(await spoken()), 'the cursor leaves the plot');
  await axe('plot with its cursor');
  const file = new URL(await page.getByRole('link', {name: 'Figures as CSV'}).getAttribute('href'), page.url());
  check(file.searchParams.get('format') === 'csv' && file.searchParams.get('timezone') === 'Europe/Berlin' && file.searchParams.has('from'), file.href);

  await page.getByRole('radio', {name: 'Table'}).click();
  await page.waitForURL('**/home?view=table');
  const total = page.getByRole('row').filter({hasText: 'Total'});
  check((await total.textContent()) === 'Total7,0216,3003,500630', `the sums are ${await total.textContent()}`);
  await looks('table');
  await page.getByRole('radio', {name: 'Today'}).click();
  await page.waitForURL(/days=1/);
  await page.reload();
  await page.getByRole('heading', {name: 'Today'}).waitFor();
  await page.getByRole('table', {name: 'Messages by the hour'}).waitFor();
});

journey('home: what could not be asked is unknown, and asked again', {}, async ({page, person, open, looks, expect}) => {
  expect(/status of (500|403)/);
  await answer(page, 'organization/phone-numbers', {phoneNumbers: [number('1', '+1 555 0100', true, null)], notices: [], paginationMeta: meta(1)});
  await answer(page, 'organization/templates*', none('templates'), {'Parley-Degraded': 'channel'});
  await answer(page, 'organization/usage', {usage: [{name: 'contacts', limit: 9, used: 1}], missing: ['organizations']}, {'Parley-Degraded': 'organizations'});
  await refuse(page, 'webhooks', 500, 'something broke');
  await refuse(page, 'analytics/campaigns*', 500, 'something broke');
  await open(await person());
  await page.getByRole('heading', {name: 'Not everything could be asked'}).waitFor();
  await page.getByText('Not known at the moment: usage and webhooks.').waitFor();
  await page.getByText('As it was last known: templates.').waitFor();
  await page.getByText('unknown', {exact: true}).waitFor();
  check(await page.getByRole('heading', {name: 'All is well'}).count() === 0, 'it says that all is well, which it does not know');
  await looks('degraded');
  for (const each of ['webhooks', 'organization/usage']) await page.unroute('**/api/' + each);
  await page.getByRole('button', {name: 'Try again'}).click();
  await page.getByText('Not known at the moment: usage and webhooks.').waitFor({state: 'detached'});
});

journey('home: who may see nothing is told a permission', {}, async ({page, url, person, open, looks, expect}) => {
  expect(/status of 403 .*\/api\/events/);  // there is nothing that a stream could tell them
  const grace = await person();
  const email = `none-${grace.email}`;
  const {token} = await grace.api('/api/organization/invites', {email, accessLevel: 'Member', roles: []});
  await call(url, '/api/auth/join-organization', {token, name: 'Ken Thompson', password: kPassword});
  const asked = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await open({...grace, name: 'Ken Thompson', email});
  await page.getByText('Get:Conversation').waitFor();
  check(!asked.some((each) => /analytics|campaigns|templates|webhooks|usage|conversations/.test(each)), `it asks for ${asked}`);
  await looks('nothing allowed');
});

journey('home: it lives', {}, async (trip) => {
  const {page, open} = trip;
  const shop = await business(trip);
  await open(shop);
  await page.getByRole('heading', {name: 'Nobody waits'}).waitFor();
  await shop.customer('Ada Lovelace').writes('Is anybody there?');
  await page.getByRole('link', {name: /Ada Lovelace.*Is anybody there\?/}).waitFor();
  await shop.customer('Joan Clarke').writes('Hello?');
  await page.getByRole('link', {name: /Joan Clarke.*Hello\?/}).waitFor();
});

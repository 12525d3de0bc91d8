// Needs the system's credentials (PARLEY_API_KEY, PARLEY_SIMULATOR_URL): the simulator is the phone of a contact.
import {randomInt, randomUUID} from 'node:crypto';
import {call, check, journey, kPassword} from '../bed.mjs';

const {PARLEY_API_KEY: key, PARLEY_SIMULATOR_URL: simulator} = process.env;

/** Somebody new in the organization whose account the simulator has. */
async function colleague({url}, name) {
  const email = `${randomUUID()}@console.example`;
  const asOwner = {Authorization: `Bearer ${key}`};
  const {token} = await call(url, '/api/organization/invites', {email, accessLevel: 'Admin'}, asOwner);
  const {organization, member} = await call(url, '/api/auth/join-organization', {token, name, password: kPassword});
  const api = (path, body, method) => call(url, path, body, asOwner, method);
  return {name, email, password: kPassword, organization: organization.uniqueId, memberId: member.uniqueId, api};
}

/** A contact, by their phone. */
function phone() {
  const number = '+4477009' + String(randomInt(100_000)).padStart(5, '0');
  return {number, writes: (text) => call(simulator, '/simulator/inbound', {from: number, text})};
}

/** Opens the conversation of a number, which has written. */
async function openTalk({page, open}, person, contact) {
  await open(person, `inbox?q=${encodeURIComponent(contact.number.slice(1))}`, page);
  await page.locator('a[href*="/inbox/"]').filter({has: page.locator('time')}).first().click();
  await page.getByRole('log').waitFor();
}

const field = (page) => page.getByRole('textbox', {name: /^Write to/});
const inThread = (page, text) => page.getByRole('log').getByText(text, {exact: true});

journey('inbox: a message comes in by itself, and is answered', {isShort: true}, async (trip) => {
  if (!key) return;
  const {page, looks} = trip;
  const ada = await colleague(trip, 'Ada Agent');
  const contact = phone();
  await contact.writes('Is the shop open?');
  await openTalk(trip, ada, contact);
  await contact.writes('Until when?');
  await inThread(page, 'Until when?').waitFor();
  await page.keyboard.press('r');
  await field(page).fill('Until six.');
  await page.keyboard.press('Control+Enter');
  await inThread(page, 'Until six.').waitFor();
  await page.getByRole('log').getByText(/^(Delivered|Read)$/).first().waitFor({state: 'attached'});
  check(await field(page).inputValue() === '', 'what was sent is still in the field');
  await looks('thread');
});

journey('inbox: what was sent without network outlives a reload, and goes out once', {isShort: true}, async (trip) => {
  if (!key) return;
  const {page, context, expect} = trip;
  expect(/ERR_INTERNET_DISCONNECTED/);
  const ada = await colleague(trip, 'Ada Agent');
  const contact = phone();
  await contact.writes('Hello?');
  await openTalk(trip, ada, contact);
  const address = page.url();
  // The page itself can be loaded, what it asks cannot: a reload in a tunnel.
  const cut = (route) => route.abort('internetdisconnected');
  await context.route('**/api/conversation/*/messages', (route) => route.request().method() === 'POST' ? cut(route) : route.fallback());
  await field(page).fill('From a tunnel');
  await page.keyboard.press('Control+Enter');
  await inThread(page, 'From a tunnel').waitFor();
  await page.reload();
  await inThread(page, 'From a tunnel').waitFor();
  const second = await context.newPage();
  await second.goto(address);
  await inThread(second, 'From a tunnel').waitFor();
  await context.unroute('**/api/conversation/*/messages');
  for (const each of [page, second]) await each.getByRole('log').getByText('Waits for the network').waitFor({state: 'detached', timeout: 90_000});
  for (const each of [page, second]) check(await inThread(each, 'From a tunnel').count() === 1, 'it is shown twice');
  const id = /inbox\/([0-9a-f-]{36})/.exec(address)[1];
  const {messages} = await ada.api(`/api/conversation/${id}/messages`);
  check(messages.filter(({messageData}) => messageData.text === 'From a tunnel').length === 1, 'it was not sent exactly once');
});

journey('inbox: a draft stays, a note reaches a colleague', {}, async (trip) => {
  if (!key) return;
  const {page, another, open} = trip;
  const [ada, lin] = [await colleague(trip, 'Ada Agent'), await colleague(trip, `Lin ${randomUUID().slice(0, 8)}`)];
  const contact = phone();
  await contact.writes('Where is my order?');
  await openTalk(trip, ada, contact);
  const address = page.url();
  await field(page).fill('It left this');
  const other = await (await another()).newPage();
  await openTalk({page: other, open}, lin, contact);
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.getByRole('textbox', {name: 'Note'}).pressSequentially(`Please look @${lin.name.slice(0, 7)}`);
  await page.getByRole('option', {name: new RegExp(lin.name)}).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await inThread(other, `Please look @${lin.name}`).waitFor();
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'It left this');
});

journey('inbox: keys walk, assign and close', {}, async (trip) => {
  if (!key) return;
  const {page, looks} = trip;
  const ada = await colleague(trip, 'Ada Agent');
  const contact = phone();
  await contact.writes('Thank you');
  await openTalk(trip, ada, contact);
  await page.keyboard.press('m');
  await page.getByRole('button', {name: 'Assigned to you'}).waitFor();
  await page.keyboard.press('e');
  await page.getByText('This conversation is closed.').waitFor();
  await looks('closed');
  await page.keyboard.press('e');
  await field(page).waitFor();
  await page.keyboard.press('u');
  await page.waitForURL(/\/inbox\?/);
});

journey('inbox: when the window is over only a template can be sent', {}, async (trip) => {
  if (!key) return;
  const {page, open, looks} = trip;
  const ada = await colleague(trip, 'Ada Agent');
  const {contact} = await ada.api('/api/contacts', {name: 'Katherine Johnson', phone: phone().number});
  const {conversation} = await ada.api('/api/conversation', {contactId: contact.uniqueId});
  await open(ada, `inbox/${conversation.uniqueId}`);
  await page.getByText('This contact has never written to you.', {exact: false}).waitFor();
  await page.getByRole('button', {name: 'Choose a template'}).click();
  await page.getByRole('button', {name: /members_week/}).click();
  await page.getByRole('button', {name: 'Send template'}).click();
  await page.getByText('Without it the template cannot be sent.').first().waitFor();
  await looks('template');
  await page.getByRole('textbox', {name: 'Value 1'}).fill('Katherine');
  await page.getByRole('textbox', {name: 'Value 2'}).fill('the orrery is repaired.');
  await page.getByRole('button', {name: 'Send template'}).click();
  await page.getByRole('log').getByText(/Hello Katherine, our week for members/).waitFor();
});

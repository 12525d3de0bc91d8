// The inbox. The simulator is the phone of a contact.
import {check, journey} from '../bed.mjs';
import {business, colleague} from '../simulated.mjs';

/** Opens the conversation of a customer, who has written. */
async function openTalk({page, open}, person, name) {
  await open(person, 'inbox', page);
  await entry(page, name).click();
  await page.getByRole('log').waitFor();
}

const entry = (page, name) => page.getByRole('list', {name: 'Conversations'}).getByRole('link', {name});
const field = (page) => page.getByRole('textbox', {name: /^Write to/});
const inThread = (page, text) => page.getByRole('log').getByText(text, {exact: true});

journey('inbox: a message comes in by itself, and is answered', {isShort: true}, async (trip) => {
  const {page, looks} = trip;
  const ada = await business(trip);
  const contact = ada.customer('Joan Clarke');
  await contact.writes('Is the shop open?');
  await openTalk(trip, ada, 'Joan Clarke');
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
  const {page, context, expect} = trip;
  expect(/ERR_INTERNET_DISCONNECTED/);
  const ada = await business(trip);
  const contact = ada.customer('Joan Clarke');
  await contact.writes('Hello?');
  await openTalk(trip, ada, 'Joan Clarke');
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
  const {page, another, open} = trip;
  const ada = await business(trip);
  const lin = await colleague(trip, ada, 'Lin Lanying');
  const contact = ada.customer('Joan Clarke');
  await contact.writes('Where is my order?');
  await openTalk(trip, ada, 'Joan Clarke');
  const address = page.url();
  await field(page).fill('It left this');
  const other = await (await another()).newPage();
  await openTalk({page: other, open}, lin, 'Joan Clarke');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await page.getByRole('textbox', {name: 'Note'}).pressSequentially('Please look @lan');
  await page.getByRole('option', {name: /Lin Lanying/}).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await inThread(other, 'Please look @Lin Lanying').waitFor();
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector('textarea')?.value === 'It left this');
});

journey('inbox: keys walk, assign and close', {}, async (trip) => {
  const {page, looks} = trip;
  const ada = await business(trip);
  const contact = ada.customer('Joan Clarke');
  await contact.writes('Thank you');
  await openTalk(trip, ada, 'Joan Clarke');
  await page.keyboard.press('m');
  await page.getByRole('button', {name: 'Assigned to you'}).waitFor();
  await page.keyboard.press('e');
  await page.getByText('This conversation is closed.').waitFor();
  await looks('closed');
  await page.keyboard.press('e');
  await field(page).waitFor();
  await page.keyboard.press('u');
  await page.waitForURL(/\/inbox$/);
});

journey('inbox: when the window is over only a template can be sent', {}, async (trip) => {
  const {page, open, looks} = trip;
  const ada = await business(trip);
  await ada.template({name: 'members_week', category: 'MARKETING', components: [{type: 'BODY', text: 'Hello {{1}}, our week for members has begun: {{2}}', example: {body_text: [['Ada', 'https://shop.example']]}}]});
  const {contact} = await ada.api('/api/contacts', {name: 'Katherine Johnson', phone: ada.customer().number});
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

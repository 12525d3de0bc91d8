// The inbox. The simulator is the phone of a contact.
import {check, journey, kPassword, refusal, until} from '../bed.mjs';
import {png, tone} from '../files.mjs';
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
/** The composer, of a message or a note, has these words. */
const says = (page, words) => page.waitForFunction((wanted) => document.querySelector('textarea')?.value === wanted, words);

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
  await says(page, 'It left this');
});

journey('inbox: keys walk, assign and close', {}, async (trip) => {
  const {page, looks} = trip;
  const ada = await business(trip);
  const contact = ada.customer('Joan Clarke');
  await contact.writes('Thank you');
  await openTalk(trip, ada, 'Joan Clarke');
  await page.keyboard.press('m');
  await page.getByRole('button', {name: 'Assigned to you'}).waitFor();
  const asked = [];
  await page.route('**/api/conversation/*', (route) => route.request().method() === 'POST' ? void asked.push(route) : route.fallback());
  await page.keyboard.press('e');
  await page.locator('button[data-pending]', {hasText: 'Open again'}).waitFor();
  await (await until('it is closed', () => asked.shift())).continue();
  await page.locator('button[data-pending]').waitFor({state: 'detached'});
  await page.unrouteAll();
  await page.getByText('This conversation is closed.').waitFor();
  await looks('closed');
  await page.keyboard.press('e');
  await field(page).waitFor();
  await page.keyboard.press('u');
  await page.waitForURL(/\/inbox$/);
  await page.setViewportSize({width: 1300, height: 900});  // beside the navigation three panes have no room
  await entry(page, 'Joan Clarke').click();
  await page.getByRole('button', {name: 'More'}).click();
  await page.getByRole('menuitem', {name: /the contact$/}).click();
  await page.getByRole('link', {name: 'Open the contact’s page'}).waitFor();
});

journey('inbox: what one has written is no sign for who signs in after', {}, async (trip) => {
  const {page, expect} = trip;
  expect(/status of 401/);  // who is not signed in asks who is
  const ada = await business(trip);
  const lin = await colleague(trip, ada, 'Lin Lanying');
  await ada.customer('Joan Clarke').writes('Hello?');
  await openTalk(trip, ada, 'Joan Clarke');
  await field(page).fill('It is');
  await entry(page, /Something is written/).waitFor();
  await page.getByRole('link', {name: 'Home', exact: true}).click();
  await page.getByRole('heading', {name: 'Home', level: 1}).waitFor();
  await page.getByRole('button', {name: /profile and settings/}).click();
  await page.getByRole('menuitem', {name: 'Sign out'}).click();
  await page.waitForURL('**/sign-in**');
  await page.getByLabel('E-mail address').fill(lin.email);
  await page.getByLabel('Password', {exact: true}).fill(kPassword);
  await page.getByRole('button', {name: 'Sign in', exact: true}).click();
  await page.getByRole('link', {name: /^Inbox/}).click();
  await entry(page, 'Joan Clarke').waitFor();
  check(await entry(page, /Something is written/).count() === 0, 'one sees that another one has written something');
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

journey('inbox: everything that a contact may send is shown', {}, async (trip) => {
  const {page, looks, expect} = trip;
  expect(/status of 4(04|10) .*\/media/);
  const ada = await business(trip);
  const contact = ada.customer('Joan Clarke');
  await contact.writes('صباح الخير، هل وصل طلبي؟');
  await openTalk(trip, ada, 'Joan Clarke');
  await contact.writes('👍🏽');
  await contact.writes('Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3));
  await contact.writes('See https://shop.example/orders/7, please. <b>Not bold</b>');
  await contact.sendsFile('image', png(), 'image/png', {caption: 'The left one is broken'});
  await contact.sendsFile('image', png(200, 400), 'image/png');
  await contact.sendsFile('sticker', png(512, 512), 'image/webp');
  await contact.sendsFile('audio', tone(), 'audio/ogg', {voice: true});
  await contact.sendsFile('document', 'Invoice', 'application/pdf', {filename: 'Invoice of a very long name that no line has room for 2026-11-27.pdf', caption: 'Here it is'});
  await contact.sendsFile('video', 'no video at all', 'video/mp4', {caption: 'How it rattles'});
  await contact.sends({type: 'location', location: {latitude: 51.9977, longitude: -0.7407, name: 'Bletchley Park', address: 'Sherwood Drive'}});
  await contact.sends({type: 'contacts', contacts: [{name: {formatted_name: 'Alan Turing'}, phones: [{phone: '+44 7700 900112'}]}]});
  await contact.sends({type: 'image', image: {id: '404', caption: 'This one is gone'}});
  await contact.sends({type: 'unsupported', unsupported: {type: 'poll'}, errors: [{code: 131051, title: 'Message type unknown'}]});
  const log = page.getByRole('log');
  await log.getByText('A message that cannot be shown here').waitFor();
  await log.getByText('The file is not there any more').waitFor();
  await log.getByText('Bletchley Park').waitFor();
  await log.getByText('Alan Turing').waitFor();
  await page.getByRole('link', {name: 'Show on a map'}).waitFor();
  await looks('media end');

  const inView = (locator) => locator.evaluate((each) => each.scrollIntoView({block: 'center'}));
  await page.getByLabel('How it rattles').evaluate((video) => video.play().catch(() => undefined));
  await log.getByText('The file cannot be loaded').waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: /Save: Invoice/}).click()]);
  check(/^Invoice of a very long name.*\.pdf$/.test(file.suggestedFilename()), file.suggestedFilename());
  await page.getByRole('button', {name: 'Play'}).click();
  await page.getByRole('button', {name: 'Pause'}).waitFor();
  await page.getByRole('button', {name: 'Play'}).waitFor();  // it has ended
  await inView(page.getByRole('img', {name: 'Sticker'}));
  await looks('media middle');
  const picture = page.getByRole('button', {name: 'Show the picture larger: The left one is broken'});
  await inView(picture);
  check(await picture.getByRole('img').evaluate((each) => each.complete && each.naturalWidth === 320), 'the picture is not there');
  await looks('media begin');
  await picture.click();
  await page.getByRole('dialog', {name: 'Picture'}).getByRole('img').waitFor();
  await looks('large picture');
  await page.keyboard.press('Escape');
  check(await log.getByRole('link', {name: 'https://shop.example/orders/7'}).count() === 1, 'an address is no link');
  check(await log.getByText('<b>Not bold</b>', {exact: false}).count() === 1, 'words became HTML');
});

journey('inbox: a file is sent, waits elsewhere, and is refused where it is too large', {}, async (trip) => {
  const {page, shot} = trip;
  const ada = await business(trip);
  await ada.customer('Joan Clarke').writes('Which one is it?');
  await ada.customer('Alan Turing').writes('Hello');
  await openTalk(trip, ada, 'Joan Clarke');
  const chooser = page.locator('input[type=file]');
  await chooser.setInputFiles({name: 'film.mkv', mimeType: 'video/x-matroska', buffer: Buffer.from('film')});
  await page.getByText('The channel does not take files of this kind.').waitFor();
  await chooser.setInputFiles({name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(5_000_001)});
  await page.getByText('Files of this kind may have at most 5 MB.').waitFor();
  await chooser.setInputFiles({name: 'left.png', mimeType: 'image/png', buffer: png()});
  await field(page).fill('The left one');
  await shot('attached');
  await entry(page, 'Alan Turing').click();
  await page.getByRole('textbox', {name: 'Write to Alan Turing'}).waitFor();
  check(await page.getByText('left.png').count() === 0, 'the file is at another conversation, too');
  await entry(page, 'Joan Clarke').click();
  await page.getByText('left.png').waitFor();
  await says(page, 'The left one');
  await field(page).press('Control+Enter');
  await page.getByRole('button', {name: 'Show the picture larger: The left one'}).waitFor();
  check(await page.getByText('left.png').count() === 0 && await field(page).inputValue() === '', 'what was sent is still there');
  await page.getByRole('log').getByText(/^(Delivered|Read)$/).first().waitFor({state: 'attached'});
});

journey('inbox: a quick reply has what is known of the contact', {}, async (trip) => {
  const {page, looks} = trip;
  const ada = await business(trip);
  await ada.api('/api/quick-replies', {shortcut: 'hours', text: 'Hello {{name}}, we are open from nine to six.'});
  await ada.api('/api/quick-replies', {shortcut: 'order', text: 'Your order {{order}} is on its way.'});
  await ada.customer('Joan Clarke').writes('When are you open?');
  await openTalk(trip, ada, 'Joan Clarke');
  await field(page).pressSequentially('/');
  await page.getByRole('option', {name: /order/}).waitFor();
  await looks('quick replies');
  await field(page).press('h');
  await page.getByRole('option', {name: /order/}).waitFor({state: 'detached'});
  await field(page).press('Enter');
  await says(page, 'Hello Joan Clarke, we are open from nine to six.');
  await field(page).press('Control+Enter');
  await inThread(page, 'Hello Joan Clarke, we are open from nine to six.').waitFor();
  await field(page).pressSequentially('/order');
  await page.getByRole('option', {name: /order/}).click();
  await page.getByText('Not known of this contact: order').waitFor();
  // What names no quick reply is sent as it is.
  await field(page).fill('/nothing');
  await page.getByText('There is no such quick reply').waitFor();
  await field(page).press('Control+Enter');
  await inThread(page, '/nothing').waitFor();
});

journey('inbox: where there are no quick replies, the sign for them says so and is not sent', {}, async (trip) => {
  const {page} = trip;
  const ada = await business(trip);
  await ada.customer('Joan Clarke').writes('When are you open?');
  await openTalk(trip, ada, 'Joan Clarke');
  await field(page).fill('/');
  await page.getByText('There are no quick replies yet').waitFor();
  await field(page).press('Control+Enter');
  check(await page.getByRole('button', {name: 'Send', exact: true}).isDisabled(), 'it can be sent');
  for (const spaced of [' /', '/ ', '/\n']) {
    await field(page).fill(spaced);
    await field(page).press('Control+Enter');
    check(await page.getByRole('button', {name: 'Send', exact: true}).isDisabled(), `${JSON.stringify(spaced)} can be sent`);
  }
  await page.locator('input[type=file]').setInputFiles({name: 'left.png', mimeType: 'image/png', buffer: png()});
  await page.getByRole('button', {name: 'Remove the file'}).waitFor();
  await field(page).press('Control+Enter');
  check(await page.getByRole('button', {name: 'Send', exact: true}).isDisabled(), 'it can be sent with a file');
  await page.getByRole('button', {name: 'Remove the file'}).click();
  await field(page).press('Escape');  // it means nothing but itself then
  await field(page).press('Control+Enter');
  await inThread(page, '/').waitFor();
  check(await inThread(page, '/').count() === 1, 'it was sent before, too');
});

journey('inbox: what may name a quick reply is not sent while they are not known', {}, async (trip) => {
  const {page, looks} = trip;
  trip.expect(/status of 500/);
  const ada = await business(trip);
  await ada.api('/api/quick-replies', {shortcut: 'hello', text: 'Good day'});
  await ada.customer('Joan Clarke').writes('When are you open?');
  const asked = [];
  const refuse = (route) => route.fulfill(refusal(500, 'quick replies cannot be read'));
  let isHeldBack = true;
  await page.route('**/api/quick-replies?*', (route) => (isHeldBack ? void asked.push(route) : refuse(route)));
  await openTalk(trip, ada, 'Joan Clarke');
  const send = page.getByRole('button', {name: 'Send', exact: true});
  const isNotSent = async (when) => {
    for (const keys of ['Enter', 'Control+Enter', 'Control+Shift+Enter']) await field(page).press(keys);
    check(await send.isDisabled() && await field(page).inputValue() === '/hello', `it was sent, or can be, ${when}`);
  };
  await page.getByRole('button', {name: 'Keys that send'}).click();
  await page.getByRole('menuitemradio', {name: 'Enter sends', exact: true}).click();
  await field(page).fill('/hello');
  await until('quick replies are asked for', () => asked.length > 0);
  await isNotSent('before they are loaded');
  isHeldBack = false;
  await Promise.all(asked.map(refuse));
  await page.getByText('Quick replies could not be loaded').waitFor();
  await isNotSent('after they failed');
  await looks('failed quick replies');
  await field(page).press('Escape');
  await page.getByText('Quick replies could not be loaded').waitFor({state: 'detached'});
  await field(page).press('Enter');
  await inThread(page, '/hello').waitFor();
  check(await inThread(page, '/hello').count() === 1, 'it was sent before, too');
});

journey('inbox: a quick reply that comes late replaces nothing that was written meanwhile', {}, async (trip) => {
  const {page} = trip;
  const ada = await business(trip);
  await ada.api('/api/quick-replies', {shortcut: 'hours', text: 'We are open from nine to six.'});
  for (const name of ['Joan Clarke', 'Alan Turing']) await ada.customer(name).writes('When are you open?');
  const asked = [];
  await page.route('**/api/quick-replies/*/preview?*', (route) => void asked.push(route));
  const choose = async () => {
    await field(page).fill('/hours');
    await page.getByRole('option', {name: /hours/}).click();
    return until('the quick reply is asked for', () => asked.shift());
  };
  await openTalk(trip, ada, 'Joan Clarke');
  const first = await choose();
  await field(page).fill('One moment, please');
  await Promise.all([page.waitForResponse(/preview/), first.continue()]);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));  // all that the answer may do is done
  check(await field(page).inputValue() === 'One moment, please', 'what was written meanwhile is gone');
  const answer = await choose();
  await page.getByRole('button', {name: 'Answer this: Joan Clarke'}).click();
  await answer.continue();
  await says(page, 'We are open from nine to six.');
  await page.getByText('Answer to Joan Clarke').waitFor();
  const second = await choose();
  await entry(page, 'Alan Turing').click();
  await page.getByRole('textbox', {name: 'Write to Alan Turing'}).waitFor();
  await second.continue().catch(() => undefined);  // nobody waits for it any more
  await entry(page, 'Joan Clarke').click();
  await says(page, '/hours');
  await (await choose()).continue();
  await says(page, 'We are open from nine to six.');
});

journey('inbox: a search has what is typed while it begins', {}, async (trip) => {
  const {page, open} = trip;
  const ada = await business(trip);
  await ada.customer('Joan Clarke').writes('Hello?');
  await open(ada, 'inbox');
  await entry(page, 'Joan Clarke').waitFor();
  // One types on when the address has the words, and the page has not heard of that.
  await page.evaluate(() => {
    const {replaceState} = history;
    history.replaceState = (...state) => {
      replaceState.apply(history, state);
      if (!/[?&]q=joan$/.test(location.search)) return;
      history.replaceState = replaceState;
      document.execCommand('insertText', false, 'n');
    };
  });
  const search = page.getByRole('searchbox', {name: 'Search'});
  await search.pressSequentially('joan');
  await page.getByText('No conversation matches').waitFor();
  check(await search.inputValue() === 'joann', `the field has “${await search.inputValue()}”`);
});

journey('inbox: messages are found, and shown where they were said', {}, async (trip) => {
  const {page, looks} = trip;
  const ada = await business(trip);
  const joan = ada.customer('Joan Clarke');
  await joan.writes('The orrery has stopped');
  for (const each of ['one', 'two', 'three']) await joan.writes(`Word ${each}`);
  await ada.customer('Alan Turing').writes('An orrery is a machine');
  await openTalk(trip, ada, 'Alan Turing');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('orrery');
  await page.getByRole('radio', {name: 'Messages'}).click();
  const found = page.getByRole('list', {name: 'Messages'}).getByRole('link');
  await found.nth(1).waitFor();
  check(await found.count() === 2 && await page.locator('mark', {hasText: 'orrery'}).count() === 2, 'not both are found, or the word is not marked');
  await looks('found');
  await found.filter({hasText: 'Joan Clarke'}).click();
  await inThread(page, 'The orrery has stopped').waitFor();
  await page.waitForURL(/message=/);
  await page.getByRole('button', {name: 'More'}).click();
  await page.getByRole('menuitem', {name: 'Search in this conversation'}).click();
  await page.getByText('In this conversation only').waitFor();
  await found.nth(1).waitFor({state: 'detached'});
  check(await found.count() === 1, 'another conversation is searched, too');
});

journey('inbox: what is unread is in the title, until it is read', {}, async (trip) => {
  const {page, open} = trip;
  const ada = await business(trip);
  const joan = ada.customer('Joan Clarke');
  await open(ada, 'home');
  const title = (wanted) => page.waitForFunction((text) => document.title.startsWith(text), wanted);
  await title('Home');
  await joan.writes('Hello?');
  await title('(1) Home');
  await page.getByRole('link', {name: /^Inbox/}).click();
  await entry(page, 'Joan Clarke').click();
  await title('Joan Clarke');
  await ada.customer('Alan Turing').writes('And me?');
  await title('(1) Joan Clarke');
});

journey('inbox: what comes while one reads above is counted, and moves nothing', {}, async (trip) => {
  const {page, shot} = trip;
  const ada = await business(trip);
  const joan = ada.customer('Joan Clarke');
  for (let number = 1; number <= 60; ++number) await joan.writes(`Line ${number}`);
  await openTalk(trip, ada, 'Joan Clarke');
  const log = page.getByRole('group', {name: 'Messages'});
  await page.waitForFunction(() => !/^\(\d/.test(document.title));  // it is read
  await log.evaluate((each) => each.scrollTo({top: 200}));
  const anchor = log.getByText(/^Line \d+$/).first();
  await anchor.waitFor();
  const words = await anchor.textContent();
  const before = await log.getByText(words, {exact: true}).boundingBox();
  await joan.writes('Something new');
  await joan.writes('And more');
  await page.getByRole('button', {name: '2 new messages'}).waitFor();
  const after = await log.getByText(words, {exact: true}).boundingBox();
  check(before.y === after.y, `what one reads moved by ${after.y - before.y}`);
  await page.waitForFunction(() => /^\(1\)/.test(document.title));  // they are not read
  await shot('new ones below');
  await page.getByRole('button', {name: '2 new messages'}).click();
  await inThread(page, 'And more').waitFor();
  await page.waitForFunction(() => !/^\(\d/.test(document.title));
});

journey('inbox: the window ends while one writes', {}, async (trip) => {
  const {page, looks} = trip;
  await page.clock.install();
  const ada = await business(trip);
  const joan = ada.customer('Joan Clarke');
  await joan.writes('Are you there?');
  await openTalk(trip, ada, 'Joan Clarke');
  await field(page).fill('We are, and');
  await page.clock.fastForward('22:30:00');
  await page.getByText(/^1 h \d+ min left to answer$/).waitFor();
  await page.clock.fastForward('01:31:00');
  await page.getByText('What you have written is kept.').waitFor();
  await looks('window over');
});

journey('inbox: what others do is seen at once', {}, async (trip) => {
  const {page, another, open, looks} = trip;
  const ada = await business(trip);
  const lin = await colleague(trip, ada, 'Lin Lanying');
  await ada.customer('Joan Clarke').writes('Where is my order?');
  await openTalk(trip, ada, 'Joan Clarke');
  const other = await (await another()).newPage();
  await openTalk({page: other, open}, lin, 'Joan Clarke');
  await page.getByRole('img', {name: 'Lin Lanying is looking, too'}).waitFor();
  await field(other).pressSequentially('It is');
  await page.getByRole('img', {name: 'Lin Lanying is typing…'}).waitFor();
  await looks('colleague');
  await other.keyboard.press('Escape');
  await other.keyboard.press('m');
  await page.getByRole('button', {name: 'Assigned to Lin Lanying'}).waitFor();
  await other.keyboard.press('e');
  await page.getByText('This conversation is closed.').waitFor();
  const {contacts} = await ada.api('/api/contacts');
  await ada.api('/api/contacts/' + contacts[0].uniqueId, undefined, 'DELETE');
  await page.getByRole('heading', {name: 'This conversation is no more'}).waitFor();
  await looks('gone');
});

/** A conversation that is open in two tabs of one person. */
async function twoTabs(trip) {
  const ada = await business(trip);
  await ada.customer('Joan Clarke').writes('Hello?');
  await openTalk(trip, ada, 'Joan Clarke');
  const second = await trip.context.newPage();
  await second.goto(trip.page.url());
  return {ada, second};
}

journey('inbox: two tabs have one draft, and one message of it', {isShort: true}, async (trip) => {
  const {page} = trip;
  const {second} = await twoTabs(trip);
  await says(second, '');
  await field(page).fill('Good morning');
  await says(second, 'Good morning');
  await field(second).press('Control+Enter');
  await inThread(page, 'Good morning').waitFor();
  await says(page, '');
  await page.keyboard.press('Control+Enter');
  check(await inThread(page, 'Good morning').count() === 1, 'it was sent twice');
  await field(page).fill('And gone');
  await says(second, 'And gone');
  // As if the tab were closed as soon as the message is kept: it changes its draft no more, and tells nobody of it.
  await page.evaluate(() => {
    const {transaction} = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (stores, ...rest) {
      if (String(stores) === 'drafts' && rest[0] === 'readwrite') throw new Error('closed');
      return transaction.call(this, stores, ...rest);
    };
    const {postMessage} = BroadcastChannel.prototype;
    BroadcastChannel.prototype.postMessage = function (message) {
      if (this.name !== 'parley.drafts') postMessage.call(this, message);
    };
  });
  await field(page).press('Control+Enter');
  await says(page, '');
  await page.close();
  await says(second, '');
});

journey('inbox: two tabs send the same words once, though neither has heard of the other', {}, async (trip) => {
  const {page} = trip;
  const {ada, second} = await twoTabs(trip);
  await field(page).fill('Once');
  await says(second, 'Once');
  const release = await second.evaluateHandle(() => new Promise((resolve) => {  // it has the database for itself until then
    indexedDB.open('parley').onsuccess = ({target: {result: database}}) => {
      let isHeld = true;
      const store = database.transaction('sends').objectStore('sends');
      const again = () => isHeld ? store.count().onsuccess = again : database.close();
      again();
      resolve(() => (isHeld = false));
    };
  }));
  for (const each of [page, second]) await field(each).press('Control+Enter');
  await release.evaluate((act) => act());
  const fault = 'These words were sent or changed in another tab meanwhile.';
  await Promise.any([page, second].map((each) => each.getByText(fault).waitFor()));
  await inThread(page, 'Once').waitFor();
  const [{uniqueId: id}] = (await ada.api('/api/conversations')).conversations;
  const sent = async () => (await ada.api(`/api/conversation/${id}/messages`)).messages.filter((each) => each.direction === 'OutBound').length;
  await until('it is sent', sent);
  check(await sent() === 1, 'it was sent twice');
});

journey('inbox: who goes elsewhere and comes back while a note is saved has it once, and keeps what is written since', {}, async (trip) => {
  const {page, context} = trip;
  const ada = await business(trip);
  for (const name of ['Joan Clarke', 'Alan Turing']) await ada.customer(name).writes('Hello?');
  await openTalk(trip, ada, 'Joan Clarke');
  let tries = 0, goOn;
  const may = new Promise((resolve) => (goOn = resolve));
  await context.route('**/notes', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    ++tries;
    await may;
    return route.fallback();
  });
  const note = page.getByRole('textbox', {name: 'Note'});
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  await note.fill('A note');
  await note.press('Control+Enter');
  await until('it is being saved', () => tries);
  await entry(page, 'Alan Turing').click();
  await says(page, '');
  await entry(page, 'Joan Clarke').click();
  await says(page, 'A note');
  await note.press('Control+Enter');
  await note.fill('A note and more');
  goOn();
  await inThread(page, 'A note').waitFor();
  await says(page, 'and more');
  check(tries === 1, `it was saved ${tries} times`);
  await page.reload();
  await inThread(page, 'A note').waitFor();
  await page.keyboard.press('n');
  await says(page, 'and more');
});

journey('inbox: tags that another member gives meanwhile stay, and none is sent while they are unknown', {}, async (trip) => {
  const {page, context, open, expect} = trip;
  expect(/status of 412 .*\/tags/);
  const ada = await business(trip);
  await ada.customer('Joan Clarke').writes('Hello?');
  const [{uniqueId: id}] = await until('the conversation', async () => {
    const {conversations} = await ada.api('/api/conversations');
    return conversations.length > 0 && conversations;
  });
  const path = `/api/conversation/${id}`;
  const give = (...tags) => ada.api(`${path}/tags`, {tags});
  await give('urgent');
  await ada.api(`${path}/read`, {});  // so that no event tells of it when it is opened
  const degraded = async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const each of json.conversations ?? [json.conversation]) each.tags = [];
    await route.fulfill({response, json, headers: {...response.headers(), 'parley-degraded': 'contacts'}});
  };
  const asked = /\/api\/(conversations\?|conversation\/[0-9a-f-]+$)/;
  await context.route(asked, degraded);
  await openTalk(trip, ada, 'Joan Clarke');
  await page.keyboard.press('t');
  await page.getByText('Unknown just now: Tags').waitFor();
  await page.keyboard.type('late');
  await page.getByText('Unknown just now: Tags').waitFor();
  check(await page.getByRole('button', {name: 'Make the tag “late”'}).count() === 0, 'it can be given instead of tags that are not known');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await context.unroute(asked);
  await page.keyboard.press('t');
  await page.getByRole('checkbox', {name: 'urgent', checked: true}).waitFor();
  const meanwhile = (times) => context.route(`**${path}/tags`, async (route) => {
    await give('urgent', 'vip', ...(--times % 2 ? ['odd'] : []));
    await route.continue();
  }, {times});
  await meanwhile(4);
  await page.keyboard.type('late');
  await page.getByRole('button', {name: 'Make the tag “late”'}).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Somebody else has changed it meanwhile.').waitFor();
  const words = page.getByRole('searchbox', {name: 'Search or make a tag'});
  check(await words.inputValue() === 'late', 'what was typed is gone, though it was not done');
  await meanwhile(1);
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', {name: 'late', checked: true}).waitFor();
  await page.getByRole('checkbox', {name: 'vip', checked: true}).waitFor();
  await page.getByRole('checkbox', {name: 'urgent'}).focus();
  await page.keyboard.press('Space');
  await page.getByRole('checkbox', {name: 'urgent', checked: false}).waitFor();
  check(await page.evaluate(() => document.activeElement.matches('input[type=checkbox]')), 'the focus is gone');
  const {conversation} = await ada.api(path);
  const labels = conversation.tags.map(({label}) => label).sort();
  check(String(labels) === 'late,vip', `it has ${labels}`);
});

journey('inbox: lists and tags behind the first hundred are known, too', {}, async (trip) => {
  const {page, context, open} = trip;
  const ada = await business(trip);
  const {list} = await ada.api('/api/lists', {name: 'Members of the club'});
  await ada.api('/api/tags', {label: 'wholesale'});
  await ada.customer('Joan Clarke').writes('Hello?');
  // As if a hundred others came first.
  await context.route(/\/api\/(lists|tags)\?(?!.*(search|cursor)=)/, async (route) => {
    const response = await route.fetch();
    const {paginationMeta, ...rest} = await response.json();
    const empty = Object.fromEntries(Object.keys(rest).map((name) => [name, []]));
    await route.fulfill({response, json: {...empty, paginationMeta: {...paginationMeta, nextCursor: 'more'}}});
  });
  await open(ada, 'inbox?list=' + list.uniqueId);
  await page.getByText('Members of the club').waitFor();
  await page.getByRole('button', {name: 'Remove the filter “List”'}).click();
  await entry(page, 'Joan Clarke').click();
  await page.getByRole('log').waitFor();
  await page.keyboard.press('t');
  await page.getByRole('searchbox', {name: 'Search or make a tag'}).fill('wholesale');
  await page.getByRole('checkbox', {name: 'wholesale'}).waitFor();
  check(await page.getByRole('button', {name: 'Make the tag “wholesale”'}).count() === 0, 'one can make a tag that there is');
});

journey('inbox: by keys alone', {isShort: true}, async (trip) => {
  const {page, open, prefer, expect} = trip;
  expect(/status of 412 .*\/tags/);  // how the message that was just sent gets on changes the conversation, too
  const ada = await business(trip);
  await colleague(trip, ada, 'Lin Lanying');
  const names = ['Alan Turing', 'Joan Clarke', 'Mavis Batey'];
  for (const name of names) await ada.customer(name).writes(`I am ${name}`);
  // A list that one points at does not become newer by itself; a browser that was never here loads it anew once it hears the stream.
  let lists = 0;
  page.on('response', (response) => (lists += new URL(response.url()).pathname === '/api/conversations' ? 1 : 0));
  await page.mouse.move(400, 400);
  await open(ada, 'inbox');
  for (const name of names) await entry(page, name).waitFor();
  await until('the list is loaded anew', () => lists >= 2);
  // The channel tells seconds: who wrote in the same one is in any order.
  const shown = async () => (await entry(page, /./).allTextContents()).map((text) => names.find((name) => text.includes(name)));
  const [first, second] = await shown();
  const press = (key) => page.keyboard.press(key);
  await press('j');
  await inThread(page, `I am ${first}`).waitFor();
  await press('j');
  await inThread(page, `I am ${second}`).waitFor();
  await press('r');
  await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  await page.keyboard.type('Good morning');
  await press('Control+Enter');
  await inThread(page, 'Good morning').waitFor();
  await press('Escape');
  await press('a');
  await page.getByRole('searchbox', {name: 'Search a member'}).waitFor();
  await page.keyboard.type('lin');
  await page.getByRole('menuitem', {name: 'Lin Lanying'}).waitFor();
  await press('ArrowDown');
  await press('Enter');
  await page.getByRole('button', {name: 'Assigned to Lin Lanying'}).waitFor();
  await page.getByRole('menu').waitFor({state: 'detached'});
  await press('t');
  await page.getByRole('searchbox', {name: 'Search or make a tag'}).waitFor();
  await page.keyboard.type('urgent');
  await press('Enter');
  await page.getByRole('checkbox', {name: 'urgent', checked: true}).waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  const before = await shown();
  await press('e');
  await page.getByText('This conversation is closed.').waitFor();
  await entry(page, second).waitFor({state: 'detached'});
  const left = before.filter((name) => name !== second);
  const next = left[Math.min(before.indexOf(second), left.length - 1)];
  await press('j');  // on from where it was, though a toast tells of it
  await inThread(page, `I am ${next}`).waitFor();
  await press(next === left[0] ? 'j' : 'k');
  await inThread(page, `I am ${left.find((name) => name !== next)}`).waitFor();
  await press('u');
  await page.waitForURL(/\/inbox$/);
  await prefer({singleKeys: false});
  await press('j');
  await press('Control+k');
  await page.getByRole('dialog', {name: 'Search or do'}).waitFor();
  check(/\/inbox$/.test(page.url()), 'a single key did something although they are switched off');
});

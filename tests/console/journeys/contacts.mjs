// Contacts, and one of them.
import {readFileSync} from 'node:fs';
import {check, journey, refusal, until} from '../bed.mjs';
import {add, importMany, many, named, rowOf} from '../contacts.mjs';
import {business, colleague} from '../simulated.mjs';

const frame = (page) => page.getByRole('region', {name: 'Contacts'});

journey('contacts: none yet, and the first one by hand', {}, async ({page, person, open, looks, expect}) => {
  expect(/status of 400/);
  const grace = await person();
  await open(grace, 'contacts');
  await page.getByRole('heading', {name: 'No contacts yet'}).waitFor();
  await looks('empty');
  await page.getByRole('main').getByRole('button', {name: 'New contact'}).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', {exact: true}).fill('Ada Lovelace');
  await dialog.getByLabel('Telephone number').fill('12');
  await dialog.getByRole('button', {name: 'Add the contact'}).click();
  await dialog.locator('input[aria-invalid=true][type=tel]').waitFor();
  await dialog.getByLabel('Telephone number').fill('+44 20 7183 8750');
  await dialog.getByRole('button', {name: 'Add the contact'}).click();
  await page.getByText('Contact added').waitFor();
});

journey('contacts: a list is to be filled where it is known to be there, and one may', {}, async (trip) => {
  const {page, person, open, expect} = trip;
  expect(/status of 404/);
  const grace = await person();
  const {list: {uniqueId: id}} = await grace.api('/api/lists', {name: 'Spring'});
  const emptyList = page.getByRole('heading', {name: 'Nobody is on this list yet'});
  const noMatch = page.getByRole('heading', {name: 'No contact matches'});
  const asked = [];
  await page.route('**/api/lists/' + id, (route) => void asked.push(route));
  await open(grace, 'contacts?list=' + id);
  await until('the list is asked for', () => asked.length > 0);
  await page.getByRole('main').getByRole('link', {name: 'Import', exact: true}).waitFor();
  check(await emptyList.count() + await noMatch.count() === 0, 'it says what it does not know yet');
  await asked.shift().continue();
  await emptyList.waitFor();
  await open(grace, 'contacts?list=' + grace.organization);
  await noMatch.waitFor();
  check(await page.getByRole('main').getByRole('link', {name: 'Import', exact: true}).count() === 1, 'a list that is no more is to be filled');

  const {role} = await grace.api('/api/rbac/roles', {name: 'Clerk', permissions: ['Get:Contact', 'BulkImport:Contacts', 'Update:List']});
  await open(await colleague(trip, grace, 'Ken Thompson', {accessLevel: 'Member', roles: [role.uniqueId]}), 'contacts?list=' + id);
  await noMatch.waitFor();
  check(asked.length === 0, 'a list is asked for that may not be seen');
});

journey('contacts: filters are in the address, going back finds the place', {isShort: true}, async ({page, person, open, looks}) => {
  const grace = await person();
  await add(grace, many(300, (i) => (i % 3 === 0 ? {tags: ['vip']} : {})));
  await open(grace, 'contacts');
  await page.getByText('Export 300 contacts').waitFor();
  await looks('list');
  check(await page.getByRole('row').count() <= 60, 'more than 60 rows are drawn');
  await page.getByRole('button', {name: 'Filter', exact: true}).click();
  await page.getByRole('combobox', {name: 'Tag'}).click();
  await page.getByRole('option', {name: 'vip'}).click();
  await page.getByRole('button', {name: 'Apply'}).click();
  await page.getByText('Export 100 contacts').waitFor();
  check(/[?&]tag=/.test(page.url()), 'the filter is not in the address');
  await page.reload();
  await page.getByText('Export 100 contacts').waitFor();
  await frame(page).evaluate((each) => each.scrollTo(0, 1800));
  const link = page.getByRole('row').nth(20).getByRole('link');
  await link.click();
  await page.getByRole('heading', {name: 'What happened'}).waitFor();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('[role=region][aria-label=Contacts]')?.scrollTop === 1800);
  await page.goBack();
  await page.getByText('Export 300 contacts').waitFor();
});

journey('contacts: who goes elsewhere while typing is not led back by the search', {}, async ({page, person, open}) => {
  const grace = await person();
  await add(grace, many(3));
  await open(grace, 'contacts');
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route('**/assets/lists-*.js', (route) => held.then(() => route.continue()));
  await page.getByRole('searchbox').fill('Ada');
  await page.getByRole('navigation', {name: 'Areas'}).getByRole('link', {name: 'Lists'}).click();
  await page.waitForTimeout(600);  // the search would have gone there by then
  go();
  await page.getByRole('heading', {name: 'No lists yet'}).waitFor();
});

journey('contacts: keys lead through the rows', {}, async ({page, person, open}) => {
  const grace = await person();
  await add(grace, many(30));
  await open(grace, 'contacts?sort=name');
  await rowOf(page, 'Person 000').waitFor();
  for (const key of ['j', 'j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await page.getByText('3 contacts selected').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('3 contacts selected').waitFor({state: 'detached'});
  await page.keyboard.press('/');
  await page.keyboard.type('Person 007');
  await page.getByText('Export 1 contact', {exact: true}).waitFor();
  check(page.url().includes('q=Person'), 'the search is not in the address');
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'Person 007', level: 1}).waitFor();
});

journey('contacts: what goes gives the focus on, and words are spoken without the buttons beside them', {}, async ({page, context, person, open, expect}) => {
  expect(/status of 500/);
  const grace = await person();
  await add(grace, many(30, () => ({tags: ['vip']})));
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent);
  const streams = page.waitForResponse('**/api/events');
  await open(grace, 'contacts?tag=vip&status=Active');
  await page.getByText('Export 30 contacts').waitFor();
  const filters = page.getByRole('toolbar', {name: 'Filters'});
  await filters.getByRole('button', {name: /^Remove the filter: Tag/}).press('Enter');
  await filters.getByRole('button', {name: /^Remove the filter: Tag/}).waitFor({state: 'detached'});
  check(/^Status/.test(await focused()), `the focus is at ${await focused()}`);
  await filters.getByRole('button', {name: /^Remove the filter: Status/}).press('Enter');
  await filters.getByRole('button', {name: /^Remove the filter: Status/}).waitFor({state: 'detached'});
  check(await focused() === 'Filter', `the focus is at ${await focused()}`);
  await streams;
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const told = page.getByRole('status').filter({hasText: '1 contact selected'});
  await told.waitFor();
  check(await told.getByRole('button').count() === 0, 'the status has buttons');
  await grace.api('/api/contacts', named('Somebody new', '+442071838750'));
  const newer = page.getByRole('button', {name: '1 new contact'});
  await newer.press('Enter');
  await newer.waitFor({state: 'detached'});
  check(await focused() === 'Contacts', `the focus is at ${await focused()}`);
  await context.route('**/api/contacts?*', (route) => route.fulfill(refusal(500, 'It broke')));
  await page.reload();
  await page.getByRole('button', {name: 'Try again'}).waitFor();
  const alert = page.getByRole('alert').filter({hasText: 'It broke'});
  check(await alert.count() === 1 && await alert.getByRole('button').count() === 0, 'the alert is not of the words alone');
});

journey('contacts: all that match are changed, and as many as the button says', {isShort: true}, async ({page, person, open, looks, expect}) => {
  expect(/status of 409/);
  const grace = await person();
  await add(grace, many(120, (i) => (i < 112 ? {tags: ['vip']} : {})));
  await open(grace, 'contacts?tag=vip');
  await page.getByText('Export 112 contacts').waitFor();
  await frame(page).locator('[role=columnheader] label').first().click();
  await page.getByText('All 112 contacts selected').waitFor();
  await page.getByRole('button', {name: 'Change', exact: true}).click();
  await page.getByRole('menuitem', {name: 'Add tags'}).click();
  await page.getByRole('combobox', {name: 'Tags'}).fill('gold');
  await page.getByRole('option', {name: /gold/}).click();
  await page.getByRole('option').first().waitFor({state: 'detached'});
  await grace.api('/api/contacts', named('Somebody new', '+442071838750', {tags: ['vip']}));
  await page.getByRole('button', {name: 'Tag 112 contacts'}).click();
  await page.getByText('are another number by now').waitFor();
  await page.getByRole('button', {name: 'Count again'}).click();
  await page.getByRole('button', {name: 'Tag 113 contacts'}).click();
  await page.getByText('113 contacts changed').waitFor();
  await looks('changed');
  const {paginationMeta} = await grace.api('/api/contacts?tag=gold');
  check(paginationMeta.total === 113, `${paginationMeta.total} contacts have the tag`);
});

journey('contacts: where the total is wrong, those that there are are shown, and are not asked for again and again', {}, async ({page, person, open}) => {
  const grace = await person();
  await add(grace, many(3));
  let [asked, before] = [0, 0];
  await page.route('**/api/contacts?*', async (route) => {
    ++asked;
    const response = await route.fetch();
    const json = await response.json();
    json.paginationMeta.total += 2;
    await route.fulfill({response, json});
  });
  const shows = async (count) => {
    await page.getByText(`Export ${count} contacts`).waitFor();
    await until('nothing more is asked for', () => before === (before = asked), 10);
    await page.getByText(`Export ${count} contacts`).waitFor();
    check(await frame(page).getByRole('row').count() === count + 1, 'there are other rows than those of the contacts and the columns');
    check(asked < 40, `contacts were asked for ${asked} times`);
  };
  const streams = page.waitForResponse('**/api/events');
  await open(grace, 'contacts');
  await shows(3);
  await streams;
  await grace.api('/api/contacts', named('Somebody new', '+442071838750'));
  await page.getByRole('button', {name: '1 new contact'}).press('Enter');
  await shows(4);
});

journey('contacts: some are deleted, after a question with their number', {}, async ({page, person, open}) => {
  const grace = await person();
  await add(grace, many(5));
  await open(grace, 'contacts?sort=name');
  for (const name of ['Person 001', 'Person 003']) await rowOf(page, name).getByRole('checkbox').click();
  await page.getByRole('button', {name: 'Delete', exact: true}).click();
  await page.getByRole('alertdialog').getByRole('button', {name: 'Delete 2 contacts'}).click();
  await page.getByText('2 contacts deleted').waitFor();
  await page.getByText('Export 3 contacts').waitFor();
});

journey('contact: who was faster is shown, and what was typed is kept', {isShort: true}, async ({page, person, open, looks, expect}) => {
  expect(/status of 412/);
  const grace = await person();
  const {contact} = await grace.api('/api/contacts', named('Ada Lovelace', '+442071838750', {attributes: {city: 'London', visits: 3}, tags: ['vip']}));
  await open(grace, `contacts/${contact.uniqueId}`);
  await page.getByRole('heading', {name: 'Ada Lovelace', level: 1}).waitFor();
  await page.getByText('London').waitFor();
  await looks('contact');
  await page.getByRole('button', {name: 'Edit'}).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', {exact: true}).first().fill('Ada, Countess of Lovelace');
  await grace.api(`/api/contacts/${contact.uniqueId}`, {attributes: {city: 'Paris', visits: 3}});
  await dialog.getByRole('button', {name: 'Save', exact: true}).click();
  await page.getByText('Somebody else has changed this meanwhile').waitFor();
  await dialog.getByText('Paris').first().waitFor();
  check(await dialog.getByLabel('Name', {exact: true}).first().inputValue() === 'Ada, Countess of Lovelace', 'what was typed is gone');
  await dialog.getByRole('button', {name: 'Save mine'}).click();
  await page.getByRole('heading', {name: 'Ada, Countess of Lovelace', level: 1}).waitFor();
});

journey('contacts: a selection stays while one is elsewhere, and loses who is deleted', {}, async ({page, person, open}) => {
  const grace = await person();
  await add(grace, many(6));
  await open(grace, 'contacts?sort=name');
  for (const name of ['Person 001', 'Person 003', 'Person 005']) await rowOf(page, name).getByRole('checkbox').click();
  await page.getByText('3 contacts selected').waitFor();
  await page.getByRole('link', {name: 'Lists'}).click();
  await page.getByRole('heading', {name: 'Lists', level: 1}).waitFor();
  await page.goBack();
  await page.getByText('3 contacts selected').waitFor();
  const {contacts: [third]} = await grace.api('/api/contacts?search=Person%20003');
  await grace.api(`/api/contacts/${third.uniqueId}`, undefined, 'DELETE');
  await page.getByText('2 contacts selected').waitFor();
  await page.getByRole('button', {name: 'Change', exact: true}).click();
  await page.getByRole('menuitem', {name: 'Set the status'}).click();
  await page.getByRole('button', {name: 'Change 2 contacts'}).waitFor();
});

journey('contacts: a change by hand goes on elsewhere, and is cancelled', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  await add(grace, many(12));
  await open(grace, 'contacts?sort=name');
  await rowOf(page, 'Person 000').getByRole('checkbox').click();
  await rowOf(page, 'Person 011').getByRole('checkbox').click({modifiers: ['Shift']});
  await page.getByText('12 contacts selected').waitFor();
  await page.getByRole('button', {name: 'Change', exact: true}).click();
  await page.getByRole('menuitem', {name: 'Set the status'}).click();
  await page.getByRole('dialog').getByRole('button', {name: /Status$/}).click();
  await page.getByRole('option', {name: /^Inactive/}).click();
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.route('**/api/contacts/*', async (route) => {
    if (route.request().method() === 'POST') await released;
    await route.fallback();
  });
  await page.getByRole('button', {name: 'Change 12 contacts'}).click();
  await page.getByText('0 of 12 contacts').waitFor();
  await looks('under way');
  await page.getByRole('link', {name: 'Tags'}).click();
  await page.getByRole('heading', {name: 'Tags', level: 1}).waitFor();
  await page.goBack();
  await page.getByText('0 of 12 contacts').waitFor();
  await page.getByRole('button', {name: 'Cancel the change'}).click();
  release();
  await page.getByText('Cancelled. Changed before: 4 contacts').waitFor();
  const {paginationMeta: {total}} = await grace.api('/api/contacts?status=Inactive');
  check(total === 4, `${total} contacts were changed`);
});

journey('contacts: a change of all waits its turn, is found again, and is cancelled', {}, async ({page, person, open}) => {
  const grace = await person();
  await importMany(grace, 20_000);
  await open(grace, 'contacts');
  await page.getByText('Export 20,000 contacts').waitFor();
  for (let turn = 0; turn < 5; ++turn)
    await grace.api('/api/contacts/bulk-changes', {contacts: {}, expected: 20_000, action: {type: 'setAttribute', attribute: `before ${turn}`, value: true}});
  await frame(page).locator('[role=columnheader] label').first().click();
  await page.getByRole('button', {name: 'Delete', exact: true}).click();
  await page.getByRole('alertdialog').getByRole('button', {name: 'Delete 20,000 contacts'}).click();
  const progress = page.getByRole('progressbar');
  await progress.waitFor();
  await page.reload();
  await progress.waitFor();
  await page.getByRole('button', {name: 'Cancel the change'}).click();
  await page.getByText(/^Cancelled\. Deleted before: [\d,]+ contacts?$/).waitFor();
  await page.getByRole('button', {name: 'Close'}).click();
  await page.reload();
  await page.getByText(/^Export [\d,]+ contacts$/).waitFor();
  check(await page.getByText(/^Cancelled/).count() === 0, 'a change that was closed is shown again');
});

journey('contacts: the export is what is filtered', {}, async ({page, person, open}) => {
  const grace = await person();
  await add(grace, many(30, (i) => (i % 3 === 0 ? {tags: ['vip'], attributes: {town: 'Köln, "Süd"'}} : {})));
  await open(grace, 'contacts?tag=vip');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Export 10 contacts').click()]);
  const lines = readFileSync(await download.path(), 'utf8').trim().split('\r\n');
  check(lines[0] === 'id,name,phone,status,createdAt,tags,lists,attributes', `its head is ${lines[0]}`);
  check(lines.length === 11 && lines.slice(1).every((each) => each.includes('vip')), `it has ${lines.length} lines`);
});

journey('contact: messages, a campaign and a note in one line, as they come', {}, async (trip) => {
  const {page, open, looks} = trip;
  const ada = await business(trip);
  await ada.template({name: 'hello_world', category: 'MARKETING', components: [{type: 'BODY', text: 'Hello, our week for members has begun.'}]});
  const contact = ada.customer('Joan Clarke');
  await contact.writes('Is the shop open?');
  const person = await until('the contact is there', async () => (await ada.api(`/api/contacts?search=${contact.number.slice(1)}`)).contacts[0]);
  await open(ada, `contacts/${person.uniqueId}`);
  const line = page.getByRole('list', {name: 'What happened'});
  await line.getByText('Is the shop open?').waitFor();
  await contact.writes('Until when?');
  await line.getByText('Until when?').waitFor();
  const {list} = await ada.api('/api/lists', {name: `Journey ${person.uniqueId.slice(-8)}`, contactIds: [person.uniqueId]});
  const name = `Hello ${person.uniqueId.slice(-8)}`;
  const {campaign} = await ada.api('/api/campaigns', {name, listIds: [list.uniqueId], message: {type: 'Template', template: {name: 'hello_world', language: 'en'}}});
  await ada.api(`/api/campaigns/${campaign.uniqueId}/start`, {});
  await until('the campaign is finished', async () => (await ada.api(`/api/campaigns/${campaign.uniqueId}`)).campaign.status === 'Finished');
  const {conversations: [{uniqueId}]} = await ada.api(`/api/conversations?contact_id=${person.uniqueId}`);
  await ada.api(`/api/conversation/${uniqueId}/notes`, {text: 'Asked about the hours'});
  await page.reload();
  for (const each of ['Asked about the hours', name]) await line.getByText(each).waitFor();
  await looks('timeline');
});

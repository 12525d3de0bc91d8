// Contacts, lists, tags, segments and imports.
import {check, journey} from '../bed.mjs';

const named = (name, phone, more = {}) => ({name, phone, ...more});
const many = (count, more = () => ({})) =>
  Array.from({length: count}, (_, i) => named(`Person ${String(i).padStart(3, '0')}`, `+4915202${String(i).padStart(6, '0')}`, more(i)));

const add = async (person, contacts) => {
  for (let from = 0; from < contacts.length; from += 100) await person.api('/api/contacts', {contacts: contacts.slice(from, from + 100)});
};
const frame = (page) => page.getByRole('region', {name: 'Contacts'});
const rowOf = (page, name) => page.getByRole('row').filter({hasText: name});

journey('contacts: none yet, and the first one by hand', {isShort: true}, async ({page, person, open, looks, expect}) => {
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

journey('contacts: keys lead through the rows', {isShort: true}, async ({page, person, open}) => {
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

journey('contacts: some are deleted, after a question with their number', {isShort: true}, async ({page, person, open}) => {
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

journey('segments: built, counted, saved, and a filter of contacts', {isShort: true}, async ({page, person, open, looks}) => {
  const grace = await person();
  await add(grace, many(40, (i) => ({attributes: {visits: i}})));
  await open(grace, 'segments/new');
  await page.getByLabel('Name', {exact: true}).fill('Regulars');
  await page.getByRole('button', {name: 'Condition', exact: true}).click();
  await page.getByRole('combobox', {name: 'Attribute'}).click();
  await page.getByRole('option', {name: /^visits/}).click();
  await page.getByRole('textbox', {name: 'at least'}).fill('30');
  await page.getByText('10 contacts', {exact: true}).waitFor();
  await looks('builder');
  await page.getByRole('button', {name: 'Save the segment'}).click();
  await page.waitForURL('**/segments');
  await page.getByRole('link', {name: 'Show its contacts: Regulars'}).click();
  await page.getByText('Export 10 contacts').waitFor();
  check(/[?&]segment=/.test(page.url()), 'the segment is not in the address');
});

journey('import: columns, rows judged before, and a result that adds up', {isShort: true}, async ({page, person, open, looks}) => {
  const grace = await person();
  await open(grace, 'import');
  await page.getByText('Drop a CSV file here').waitFor();
  const text = '\ufeffKunde;Mobil;Tags;Ort\r\nAda Lovelace;020 7946 0018;vip|tea;London\r\nGrace Hopper;+1 201 555 0123;;\r\nNobody;unknown;;\r\nAgain;+44 20 7946 0018;;\r\n';
  await page.locator('input[type=file]').setInputFiles({name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(text)});
  await page.getByText('Which column is what').waitFor();
  await looks('columns');
  await page.getByRole('button', {name: 'Check the rows'}).click();
  await page.getByText('1 of them would fail').waitFor();
  await page.getByText('Same number as line 2').waitFor();
  await looks('check');
  await page.getByRole('button', {name: 'Import 4 rows'}).click();
  await page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);
  await page.getByText('Finished').waitFor();
  await looks('report');
  await page.getByRole('button', {name: 'Download 1 row'}).waitFor();
  const {imports: [made]} = await grace.api('/api/contacts/imports');
  check(made.imported === 2 && made.skipped === 1 && made.failed === 1, `it was ${JSON.stringify(made)}`);
});

journey('lists and tags: made, renamed, deleted', {isShort: true}, async ({page, person, open, looks}) => {
  const grace = await person();
  await open(grace, 'lists');
  await page.getByRole('heading', {name: 'No lists yet'}).waitFor();
  await page.getByRole('button', {name: 'New list'}).first().click();
  await page.getByRole('dialog').getByLabel('Name', {exact: true}).fill('Spring customers');
  await page.getByRole('button', {name: 'Create the list'}).click();
  await rowOf(page, 'Spring customers').waitFor();
  await looks('lists');
  await page.getByRole('button', {name: 'Edit: Spring customers'}).click();
  await page.getByRole('dialog').getByLabel('Name', {exact: true}).fill('Summer customers');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await page.getByRole('button', {name: 'Delete: Summer customers'}).click();
  await page.getByText('No open campaign uses it.').waitFor();
  await page.getByRole('button', {name: 'Delete 1 list'}).click();
  await page.getByRole('heading', {name: 'No lists yet'}).waitFor();
  await open(grace, 'tags');
  await page.getByRole('button', {name: 'New tag'}).first().click();
  await page.getByRole('dialog').getByLabel('Label').fill('vip');
  await page.getByRole('button', {name: 'Create the tag'}).click();
  await rowOf(page, 'vip').waitFor();
  await looks('tags');
});

journey('contacts: 100,000 rows scroll without a stop', {}, async ({page, person, open}) => {
  const grace = await person();
  const lines = Array.from({length: 100_000}, (_, i) => `Person ${i},+4915${20_000_000 + i}`);
  const {import: begun} = await grace.api('/api/contacts/imports', new Blob(['name,phone\n' + lines.join('\n')], {type: 'text/csv'}));
  for (let status = ''; status !== 'Finished';) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    ({import: {status}} = await grace.api(`/api/contacts/imports/${begun.uniqueId}`));
  }
  await open(grace, 'contacts');
  await page.getByText('Export 100,000 contacts').waitFor();
  const {slow, rows} = await frame(page).evaluate((each) => new Promise((resolve) => {
    const end = performance.now() + 10_000;
    let last = 0, slow = 0, rows = 0;
    const step = (now) => {
      if (last && now - last > 50) ++slow;
      last = now;
      rows = Math.max(rows, each.querySelectorAll('[role=row]').length);
      each.scrollTop += 120;
      if (now < end) requestAnimationFrame(step);
      else resolve({slow, rows});
    };
    requestAnimationFrame(step);
  }));
  check(rows <= 60, `${rows} rows are drawn`);
  check(slow === 0, `${slow} frames take more than 50 ms`);
});

// Imports of contacts.
import {readFileSync} from 'node:fs';
import {check, journey, refusal, until} from '../bed.mjs';
import {colleague} from '../simulated.mjs';

const choose = (page, name, content) => page.locator('input[type=file]').setInputFiles({name, mimeType: 'text/csv', buffer: Buffer.from(content)});
const isOver = (page) => page.waitForURL(/\/imports\/[0-9a-f-]{36}$/);

journey('import: columns, rows judged before, and a result that adds up', {isShort: true}, async ({page, person, open, looks}) => {
  const grace = await person();
  await open(grace, 'import');
  await page.getByText('Drop a CSV file here').waitFor();
  const text = '\ufeffKunde;Mobil;Tags;Ort\r\nAda Lovelace;020 7946 0018;vip|tea;London\r\nGrace Hopper;+1 201 555 0123;;\r\nNobody;unknown;;\r\nAgain;+44 20 7946 0018;;\r\n';
  await choose(page, 'customers.csv', text);
  await page.getByText('Which column is what').waitFor();
  await looks('columns');
  await page.getByRole('button', {name: 'Check the rows'}).click();
  await page.getByText('1 of them would fail').waitFor();
  await page.getByText('Same number as line 2').waitFor();
  await looks('check');
  await page.getByRole('button', {name: 'Import 2 of 4 rows'}).click();
  await isOver(page);
  await page.getByText('Finished').waitFor();
  await looks('report');
  await page.getByRole('button', {name: 'Download 1 row'}).waitFor();
  const {imports: [made]} = await grace.api('/api/contacts/imports');
  check(made.imported === 2 && made.skipped === 1 && made.failed === 1, `it was ${JSON.stringify(made)}`);
});

journey('import: a list on which nobody is says how to fill it, and a file does', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  const {list} = await grace.api('/api/lists', {name: 'Spring'});
  await open(grace, 'contacts?list=' + list.uniqueId);
  await page.getByRole('heading', {name: 'Nobody is on this list yet'}).waitFor();
  await looks('empty list');
  const tools = page.getByRole('main').getByRole('link', {name: 'Import', exact: true});
  for (const each of await tools.all()) check((await each.getAttribute('href')).endsWith('/import?list=' + list.uniqueId), 'an import is not for the list');
  await tools.last().click();
  await choose(page, 'spring.csv', 'Name,Phone\r\nAda Lovelace,+442079460018\r\n');
  check(await page.getByRole('combobox', {name: 'All join the list'}).inputValue() === 'Spring', 'the list is not chosen');
  await page.getByRole('button', {name: 'Check the rows'}).click();
  await page.getByRole('button', {name: 'Import 1 row'}).click();
  await isOver(page);
  await page.getByText('Finished').waitFor();
  const {contacts: [made]} = await grace.api('/api/contacts');
  check(made.lists[0].uniqueId === list.uniqueId, `it is ${JSON.stringify(made)}`);
});

const goOn = (page) => page.getByRole('button', {name: 'Check the rows'}).click();
const listField = (page) => page.getByRole('combobox', {name: 'All join the list'});
const one = 'Name,Phone\r\nAda Lovelace,+442079460018\r\n';

/** Imports a row, and gives back the list that it was for. */
async function imported(page, person) {
  await page.getByRole('button', {name: 'Import 1 row'}).click();
  await isOver(page);
  await page.getByText('Finished').waitFor();
  return (await person.api('/api/contacts/imports')).imports[0].listId;
}

journey('import: the list of the address is joined also while its name is not known', {}, async ({page, person, open, expect}) => {
  expect(/status of 503/);
  const grace = await person();
  const {list: {uniqueId: id}} = await grace.api('/api/lists', {name: 'Spring'});
  const asked = [];
  let answer = null;
  await page.route(/\/api\/lists/, (route) => (answer ? answer(route) : void asked.push(route)));
  const answerBy = (how) => Promise.all(asked.splice(0).map(answer = how));
  const begin = async () => {
    answer = null;
    asked.length = 0;
    await open(grace, 'import?list=' + id);
    await choose(page, 'spring.csv', one);
    await until('the list is asked for', () => asked.some((route) => route.request().url().endsWith(id)));
    check(await listField(page).inputValue() === '…', 'the list is not chosen');
  };
  await begin();
  await page.getByText('With name, attributes and tags of the row').click();
  await answerBy((route) => route.continue());
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({value}) => value === 'Spring'));
  await listField(page).fill('Nothing is called so');
  await listField(page).press('Tab');
  check(await listField(page).inputValue() === 'Spring', 'what names nothing stays');

  await begin();
  await goOn(page);
  check(await imported(page, grace) === id, 'it begins without the list');

  await begin();
  await answerBy((route) => route.fulfill(refusal(503, 'lists cannot be read', {'Retry-After': '3600'})));
  await page.getByText('lists cannot be read').waitFor();
  await goOn(page);
  check(await imported(page, grace) === id, 'it is without the list that could not be loaded');

  await begin();
  await listField(page).fill('');
  await listField(page).press('Tab');
  await answerBy((route) => route.continue());
  await goOn(page);
  check(await imported(page, grace) === null, 'it is with the list that was taken out');
});

journey('import: a list of the address that is no more says so, and one goes on without it', {}, async ({page, person, open, looks, expect}) => {
  expect(/status of 404/);
  const grace = await person();
  await open(grace, 'import?list=' + grace.organization);
  await choose(page, 'spring.csv', one);
  await page.getByText('This list is no more.').waitFor();
  await page.getByText('Which column is what').waitFor();
  await looks('gone');
  await goOn(page);
  check(await page.getByText('Which column is what').isVisible(), 'it goes on with a list that is no more');
  await listField(page).fill('');
  await listField(page).press('Tab');
  await page.getByText('This list is no more.').waitFor({state: 'detached'});
  await goOn(page);
  check(await imported(page, grace) === null, 'it is with a list');
});

journey('import: what a role has lost meanwhile is not sent', {}, async (trip) => {
  const {page, person, open} = trip;
  trip.expect(/status of 403/);
  const grace = await person();
  const {list} = await grace.api('/api/lists', {name: 'Spring'});
  const some = ['Get:Contact', 'Get:List', 'BulkImport:Contacts'];
  const {role} = await grace.api('/api/rbac/roles', {name: 'Clerk', permissions: [...some, 'Update:Contact', 'Update:List']});
  await open(await colleague(trip, grace, 'Ken Thompson', {accessLevel: 'Member', roles: [role.uniqueId]}), 'import');
  await choose(page, 'spring.csv', one);
  await listField(page).click();
  await page.getByRole('option', {name: 'Spring'}).click();
  await page.getByText('With name, attributes and tags of the row').click();
  await grace.api('/api/rbac/roles/' + role.uniqueId, {permissions: some});
  await page.getByText('Takes the permission Update:List.').waitFor();
  await page.getByText('Takes the permission Update:Contact.').waitFor();
  await goOn(page);
  await page.getByText('Takes the permission Update:List.').waitFor();
  check(await imported(page, grace) === null, 'it joins a list');
  const {imports: [made]} = await grace.api('/api/contacts/imports');
  check(made.onConflict === 'skip' && list.uniqueId !== made.listId, `it was ${JSON.stringify(made)}`);
});

journey('import: what cannot be taken, or not be known, is said before', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  await grace.api('/api/contacts', {name: 'Ada Lovelace', phone: '+442079460018'});
  const begin = async (text) => {
    await open(grace, 'import');
    await choose(page, 'customers.csv', 'Name,Phone\n' + text);
    await goOn(page);
  };
  await begin('Ada,+442079460018\nAgain,+442079460018\n');
  await page.getByText('The first 2 rows: 1 of 2 can be taken').waitFor();
  await page.getByText('Whose number is known already: Leave as they are. The rows count as skipped.').waitFor();
  await page.getByRole('button', {name: 'Import 1 of 2 rows'}).waitFor();

  await begin('Ada,none\nGrace,unknown\n');
  await page.getByText('2 of them would fail').waitFor();
  await looks('nothing');
  check(await page.getByRole('button', {name: 'Import 0 of 2 rows'}).isDisabled(), 'it can be begun, though nothing will be taken');

  await begin('Ada,+442079460011\nGrace,+442079460012\n"Joan,+442079460013\nKen,+442079460014\n');
  await page.getByText('Nothing behind line 4 can be read').waitFor();
  check(await page.getByText('All of them can be taken.').count() === 0, 'it says that all is well');
  await looks('broken');
  await page.getByRole('button', {name: 'Import 2 rows'}).click();
  await isOver(page);
  await page.getByText('The import ended before its file did').waitFor();
  const {imports: [made]} = await grace.api('/api/contacts/imports');
  check(made.imported === 2, `it was ${JSON.stringify(made)}`);
});

journey('import: who leaves columns that were mapped by hand is asked', {}, async ({page, person, open}) => {
  const grace = await person();
  await open(grace, 'contacts');
  await page.getByRole('main').getByRole('link', {name: 'Import', exact: true}).first().click();
  await choose(page, 'one.csv', 'Name,Phone,City\r\nAda Lovelace,+442079460018,London\r\n');
  await goOn(page);
  await page.getByRole('button', {name: 'Import 1 row'}).waitFor();
  await page.goBack();  // nothing is lost that the file does not say
  await page.waitForURL(/\/contacts$/);
  await page.getByRole('main').getByRole('link', {name: 'Import', exact: true}).first().click();
  await choose(page, 'one.csv', 'Name,Phone,City\r\nAda Lovelace,+442079460018,London\r\n');
  await page.getByRole('textbox').fill('town');
  await goOn(page);
  await page.getByRole('button', {name: 'Import 1 row'}).waitFor();
  await page.goBack();
  await page.getByRole('button', {name: 'Stay here'}).click();
  await page.getByRole('button', {name: 'Import 1 row'}).click();
  await isOver(page);
});

journey('import: what spreadsheets save, columns mapped by hand, and failed rows that are mended', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  await grace.api('/api/lists', {name: 'Laden'});
  await open(grace, 'import');
  const text = 'sep=;\r\nWer;Wo;Nr;Seit\r\n"Müller; Söhne\nGmbH";Köln;030 901820;45321\r\nGroß;Bonn;4,91701E+11;31.01.2026\r\n;;;\r\nOhne;Ort;0171;\r\n';
  await choose(page, 'kunden.csv', Buffer.from(text, 'latin1'));
  await page.getByText('It is read as WINDOWS-1252').waitFor();
  await page.getByText('Köln, Bonn').waitFor();
  await page.getByRole('button', {name: /Wer$/}).click();
  await page.getByRole('option', {name: 'Name', exact: true}).click();
  await page.getByRole('button', {name: /Nr$/}).click();
  await page.getByRole('option', {name: 'Telephone number'}).click();
  const country = page.getByRole('combobox', {name: 'Numbers without a country are of'});
  await country.fill('Germany');
  await page.getByRole('option', {name: /^Germany/}).click();
  await page.getByRole('combobox', {name: 'All join the list'}).click();
  await page.getByRole('option', {name: 'Laden'}).click();
  await looks('encoding');
  await page.getByRole('button', {name: 'Check the rows'}).click();
  await page.getByText('2 of them would fail').waitFor();
  await page.getByText('a spreadsheet has shortened it').waitFor();
  await looks('check');
  await page.getByRole('button', {name: 'Import 1 of 3 rows'}).click();
  await isOver(page);
  await page.getByText('Finished').waitFor();
  const {contacts: [made]} = await grace.api('/api/contacts');
  check(made.name === 'Müller; Söhne\nGmbH' && made.phone === '+4930901820' && made.attributes.Wo === 'Köln' && made.attributes.Seit === '45321' && made.lists[0].name === 'Laden', `it is ${JSON.stringify(made)}`);

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', {name: 'Download 2 rows'}).click()]);
  const failed = readFileSync(await download.path(), 'utf8');
  check(/^line,column,reason,Wer,Wo,Nr,Seit\r\n5,Nr,/.test(failed.replace('\ufeff', '')), `it begins with ${failed.slice(0, 80)}`);
  await open(grace, 'import');
  await choose(page, 'failed.csv', failed.replace(',"4,91701E+11",', ',0228 9191,').replace(',0171,', ',0171 1234567,'));
  for (const each of ['line', 'column', 'reason']) await page.getByRole('button', {name: new RegExp(`Leave out ${each}$`)}).waitFor();
  await page.getByRole('button', {name: /Nr$/}).click();
  await page.getByRole('option', {name: 'Telephone number'}).click();
  await country.fill('Germany');
  await page.getByRole('option', {name: /^Germany/}).click();
  await page.getByRole('button', {name: 'Check the rows'}).click();
  await page.getByText('All of them can be taken.').waitFor();
});

journey('import: 100,000 rows tell how far they are, and stop where one cancels', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  const lines = Array.from({length: 100_000}, (_, n) => `Person ${n},+4915${20_000_000 + n},"a note, with a comma"`);
  await open(grace, 'import');
  await choose(page, 'many.csv', 'name,phone,note\n' + lines.join('\n'));
  await page.getByRole('button', {name: 'Check the rows'}).click();
  await page.getByText('Rows behind these are judged while they are imported.').waitFor();
  await page.getByRole('button', {name: /^Import about [\d,]+ rows$/}).click();
  await isOver(page);
  await page.getByText(/^[\d,]{5,} rows read, \d+ %$/).waitFor();
  await page.getByRole('button', {name: 'Cancel the import'}).click();
  await page.getByRole('alertdialog').getByRole('button', {name: 'Cancel the import'}).click();
  await page.getByText('Cancelled').waitFor();
  await looks('cancelled');
  const {imports: [made]} = await grace.api('/api/contacts/imports');
  check(made.status === 'Cancelled' && made.rowsRead === made.imported + made.updated + made.skipped + made.failed, `it was ${JSON.stringify(made)}`);
  const {paginationMeta: {total}} = await grace.api('/api/contacts?per_page=1');
  check(total === made.imported, `${total} contacts are there, ${made.imported} were told`);
  await page.getByRole('link', {name: 'To the contacts'}).click();
  await page.getByText(`Export ${made.imported.toLocaleString('en')} contacts`).waitFor();
});

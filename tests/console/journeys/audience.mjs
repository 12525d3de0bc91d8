// Lists, tags and segments.
import {check, journey, refusal} from '../bed.mjs';
import {add, many, rowOf} from '../contacts.mjs';

journey('lists and tags: made, renamed, deleted', {}, async ({page, person, open, looks}) => {
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

journey('lists: search and order are in the address, and nobody is overwritten', {}, async ({page, person, open, looks, expect}) => {
  expect(/status of 412/);
  const grace = await person();
  for (const name of ['Spring', 'Summer', 'Autumn']) await grace.api('/api/lists', {name, description: `Of ${name}`});
  await open(grace, 'lists');
  await rowOf(page, 'Autumn').waitFor();
  await page.getByRole('button', {name: 'Name', exact: true}).click();
  await page.getByRole('searchbox').fill('u');
  await rowOf(page, 'Spring').waitFor({state: 'detached'});
  check(/q=u/.test(page.url()) && /order=desc/.test(page.url()), `the address is ${page.url()}`);
  check((await page.getByRole('rowheader').allTextContents()).join() === 'Summer,Autumn', 'they are in another order');
  await page.reload();
  await rowOf(page, 'Summer').waitFor();
  await page.getByRole('button', {name: 'Edit: Summer'}).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', {exact: true}).fill('Summer customers');
  const {lists} = await grace.api('/api/lists?search=Summer');
  await grace.api(`/api/lists/${lists[0].uniqueId}`, {description: 'By somebody else'});
  await dialog.getByRole('button', {name: 'Save', exact: true}).click();
  await dialog.getByText('Somebody else has changed this meanwhile').waitFor();
  check(await dialog.getByLabel('Name', {exact: true}).inputValue() === 'Summer customers', 'what was typed is gone');
  await looks('conflict');
  await dialog.getByRole('button', {name: 'Save mine'}).click();
  await rowOf(page, 'Summer customers').waitFor();
  const {list} = await grace.api(`/api/lists/${lists[0].uniqueId}`);
  check(list.name === 'Summer customers' && list.description === 'By somebody else', `it is ${JSON.stringify(list)}`);
});

journey('lists: what is saved before it is known what is there overwrites nothing', {}, async ({page, context, person, open, expect}) => {
  expect(/status of 403/);
  const grace = await person();
  const {list: {uniqueId}} = await grace.api('/api/lists', {name: 'Spring'});
  let read = (route) => route.fulfill(refusal(403, 'Not now'));
  const sent = [];
  await context.route('**/api/lists/' + uniqueId, (route) => {
    if (route.request().method() === 'GET') return read(route);
    sent.push(route.request());
    return route.fallback();
  });
  await open(grace, 'lists');
  await page.getByRole('button', {name: 'Edit: Spring'}).click();
  const dialog = page.getByRole('dialog'), save = dialog.getByRole('button', {name: 'Save', exact: true});
  await dialog.getByLabel('Name', {exact: true}).fill('Summer');
  await save.click();
  await dialog.getByText('Not now').waitFor();
  let goOn;
  const isAsked = new Promise((resolve) => {
    read = async (route) => {
      resolve();
      await new Promise((release) => (goOn = release));
      return route.fallback();
    };
  });
  await save.click();
  await isAsked;
  await grace.api('/api/lists/' + uniqueId, {description: 'By somebody else'});
  check(sent.length === 0, 'it was saved before it was read');
  read = (route) => route.fallback();
  goOn();
  await rowOf(page, 'Summer').waitFor();
  const {list} = await grace.api('/api/lists/' + uniqueId);
  check(list.description === 'By somebody else', `it is ${JSON.stringify(list)}`);
  check(sent.length === 1 && sent[0].headers()['if-match'], 'it was saved whatever it is by now');
});

journey('lists, tags and segments: what uses them is told before they are deleted', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  await add(grace, many(5, () => ({tags: ['vip']})));
  const [{list: shown}, {list: hidden}] = [await grace.api('/api/lists', {name: 'Customers'}), await grace.api('/api/lists', {name: 'Staff'})];
  const {tags: [tag]} = await grace.api('/api/tags');
  const {segment} = await grace.api('/api/segments', {name: 'Regulars', filter: {type: 'all', conditions: [{type: 'tag', tagIds: [tag.uniqueId]}, {type: 'not', condition: {type: 'list', listIds: [hidden.uniqueId]}}]}});
  const message = {type: 'Template', template: {name: 'hello_world', language: 'en_US'}};
  const campaign = (name, more) => grace.api('/api/campaigns', {name, message, ...more});
  await campaign('Spring sale', {listIds: [shown.uniqueId], excludedListIds: [hidden.uniqueId], tags: ['vip']});
  await campaign('Regulars only', {segmentIds: [segment.uniqueId]});
  await open(grace, 'lists');
  const dialog = page.getByRole('alertdialog');
  const cancel = () => dialog.getByRole('button', {name: 'Cancel'}).click();
  await page.getByRole('button', {name: 'Delete: Customers'}).click();
  await dialog.getByText('Spring sale').waitFor();
  check(await dialog.getByText('leave its contacts out').count() === 0, 'it is told to be left out');
  await cancel();
  await page.getByRole('button', {name: 'Delete: Staff'}).click();
  await dialog.getByText('leave its contacts out').waitFor();
  await dialog.getByText('Regulars', {exact: true}).waitFor();
  await looks('list');
  await cancel();
  await page.getByRole('link', {name: 'Tags'}).click();
  await page.getByRole('button', {name: 'Delete: vip'}).click();
  await dialog.getByText('5 contacts bear it').waitFor();
  await dialog.getByText('Spring sale').waitFor();
  await dialog.getByText('Regulars', {exact: true}).waitFor();
  await cancel();
  await page.getByRole('link', {name: 'Segments'}).click();
  await page.getByRole('link', {name: 'Regulars', exact: true}).click();
  await page.getByRole('button', {name: 'Delete', exact: true}).click();
  await dialog.getByText('Regulars only').waitFor();
  await dialog.getByRole('button', {name: 'Delete 1 segment'}).click();
  await page.getByRole('heading', {name: 'No segments yet'}).waitFor();
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

journey('segments: many are counted a few at a time', {}, async ({page, context, person, open}) => {
  const grace = await person();
  await add(grace, many(3));
  for (let i = 0; i < 9; ++i) await grace.api('/api/segments', {name: `Segment ${i}`, filter: {type: 'all', conditions: [{type: 'number', attribute: 'visits', atLeast: i}]}});
  const waiting = [];
  let isTold = () => {};
  await context.route('**/api/segments/count', (route) => {
    waiting.push(route);
    isTold();
  });
  await open(grace, 'segments');
  for (let left = 9; left > 0;) {
    while (waiting.length < Math.min(4, left)) await new Promise((resolve) => (isTold = resolve));
    check(waiting.length <= 4, `${waiting.length} are counted at once`);
    await waiting.shift().fallback();
    --left;
  }
  await page.getByRole('cell', {name: '…'}).first().waitFor({state: 'detached'});
});

journey('segments: who leaves one that is not saved is asked', {isShort: true}, async ({page, person, open, looks}) => {
  const grace = await person();
  await open(grace, 'segments');
  await page.keyboard.press('Control+k');  // loaded by now, the palette would be there at once
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await page.getByRole('link', {name: 'New segment'}).first().click();
  await page.waitForURL('**/segments/new');
  const name = page.getByLabel('Name', {exact: true}), asked = page.getByRole('alertdialog', {name: 'Leave without saving?'});
  const navigation = page.getByRole('navigation');
  await name.fill('Regulars');
  await navigation.getByRole('link', {name: 'Lists'}).click();
  await asked.waitFor();
  await looks('leaving');
  await page.keyboard.press('Control+k');
  check(await page.getByRole('dialog').count() === 0, 'the palette lies over the question');
  await page.keyboard.press('Escape');
  await asked.waitFor({state: 'detached'});
  // However often one goes back, the address is that of what is shown.
  for (let step = 0; step < 2; ++step) {
    await page.goBack();
    await asked.waitFor();
    await page.waitForFunction(() => /\/segments\/new$/.test(location.pathname));
  }
  await asked.getByRole('button', {name: 'Stay here'}).click();
  check(await name.inputValue() === 'Regulars', 'what was typed is gone');
  await page.getByRole('button', {name: /profile and settings/}).click();
  await page.getByRole('menuitem', {name: 'Sign out'}).click();
  await asked.getByRole('button', {name: 'Stay here'}).click();
  await page.goBack();
  await asked.getByRole('button', {name: 'Leave'}).click();
  await page.getByRole('heading', {name: 'No segments yet'}).waitFor();
  await page.goForward();
  await name.waitFor();
  check(await name.inputValue() === '', 'what was given up is there again');
  await name.fill('Others');
  await navigation.getByRole('link', {name: 'Tags'}).click();
  await asked.getByRole('button', {name: 'Leave'}).click();
  await page.getByRole('heading', {name: 'No tags yet'}).waitFor();
});

journey('segments: who leaves while one is saved stays where they went', {}, async ({page, person, open}) => {
  const grace = await person();
  await add(grace, many(2, () => ({tags: ['vip']})));
  await open(grace, 'segments/new');
  let answer;
  const held = new Promise((resolve) => { answer = resolve; });
  await page.route('**/api/segments', async (route) => {
    if (route.request().method() === 'POST') await held;
    await route.fallback();
  });
  await page.getByLabel('Name', {exact: true}).fill('Regulars');
  await page.getByRole('button', {name: 'Condition', exact: true}).click();
  await page.getByRole('button', {name: /What$/}).click();
  await page.getByRole('option', {name: 'Tag', exact: true}).click();
  await page.getByRole('combobox', {name: 'Tags'}).fill('vip');
  await page.getByRole('option', {name: 'vip'}).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', {name: 'Save the segment'}).click();
  await page.getByRole('navigation').getByRole('link', {name: 'Lists'}).click();
  await page.getByRole('alertdialog').getByRole('button', {name: 'Leave'}).click();
  await page.getByRole('heading', {name: 'No lists yet'}).waitFor();
  answer();
  await page.getByText('Regulars').waitFor();  // the toast
  check(/\/lists$/.test(page.url()), `the address is ${page.url()}`);
});

journey('segments: groups, what is not finished, and who was faster', {}, async ({page, person, open, looks, expect}) => {
  expect(/status of 412/);
  const grace = await person();
  await add(grace, many(40, (i) => ({attributes: {visits: i, plan: i % 2 ? 'gold' : 'basic'}, ...(i < 10 && {tags: ['vip']})})));
  await open(grace, 'segments/new');
  await page.getByLabel('Name', {exact: true}).fill('Either');
  await page.getByRole('button', {name: 'Save the segment'}).click();
  await page.getByText('At least one condition is needed.').waitFor();
  await page.getByRole('button', {name: 'Condition', exact: true}).click();
  await page.getByRole('combobox', {name: 'Attribute'}).fill('plan');
  await page.getByRole('option', {name: /^plan/}).click();
  await page.getByRole('textbox', {name: 'Values'}).fill('gold');
  await page.getByRole('button', {name: 'Add a value'}).click();
  await page.getByText('20 contacts', {exact: true}).waitFor();
  await page.getByRole('button', {name: 'Group', exact: true}).click();
  const group = page.locator('fieldset').nth(1);
  await group.getByRole('button', {name: /What$/}).click();
  await page.getByRole('option', {name: 'Tag', exact: true}).click();
  await page.getByRole('button', {name: 'Save the segment'}).click();
  await page.getByText('At least one is needed.').waitFor();
  await looks('unfinished');
  await group.getByRole('combobox', {name: 'Tags'}).fill('vip');
  await page.getByRole('option', {name: 'vip'}).click();
  await page.getByText('5 contacts', {exact: true}).waitFor();
  await group.getByRole('button', {name: 'Turn it round'}).first().click();
  await page.getByText('15 contacts', {exact: true}).waitFor();
  await page.getByRole('button', {name: 'Save the segment'}).click();
  await page.waitForURL('**/segments');
  await page.getByRole('link', {name: 'Either', exact: true}).click();
  await page.getByText('15 contacts', {exact: true}).waitFor();
  await page.getByLabel('Name', {exact: true}).fill('Either of them');
  const {segments: [segment]} = await grace.api('/api/segments');
  await grace.api(`/api/segments/${segment.uniqueId}`, {description: 'By somebody else', filter: {type: 'all', conditions: [{type: 'number', attribute: 'visits', atLeast: 38}]}});
  await page.getByRole('button', {name: 'Save the changes'}).click();
  await page.getByText('Somebody else has changed this meanwhile').waitFor();
  await page.getByText('– visits: at least 38').waitFor();
  await page.getByText('2 contacts', {exact: true}).waitFor();
  check(await page.getByLabel('Name', {exact: true}).inputValue() === 'Either of them', 'what was typed is gone');
  await looks('conflict');
  await page.getByRole('button', {name: 'Save mine'}).click();
  await page.waitForURL('**/segments');
  const {segments: [saved]} = await grace.api('/api/segments');
  check(saved.name === 'Either of them' && saved.description === 'By somebody else' && saved.filter.conditions[0].attribute === 'visits', `it is ${JSON.stringify(saved)}`);
});

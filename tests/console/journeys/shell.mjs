// What is around every page: navigation, keys, the palette, the connection.
import {check, journey} from '../bed.mjs';

const isMac = process.platform === 'darwin';
const palette = isMac ? 'Meta+k' : 'Control+k';

journey('keyboard only: sign in, go to contacts, sign out', {isShort: true}, async ({page, person, expect}) => {
  expect(/status of 401/);
  const grace = await person();
  await page.goto('/console/sign-in');
  await page.getByLabel('E-mail address').waitFor();
  await page.keyboard.type(grace.email);  // it has the focus
  await page.keyboard.press('Tab');
  await page.keyboard.type(grace.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', {name: 'Home', level: 1}).waitFor();
  await page.keyboard.press('Tab');
  const first = await page.evaluate(() => document.activeElement.textContent);
  check(first === 'To the content', `the first stop is ${first}`);
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.getByRole('heading', {name: 'Contacts', level: 1}).waitFor();
  const profile = page.getByRole('button', {name: /Grace Hopper.*profile and settings/});
  while (!(await profile.evaluate((each) => each === document.activeElement))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  await page.keyboard.press('ArrowUp');  // from the first to the last
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/sign-in**');
});

journey('navigation: who points at a page has it loaded', {}, async ({page, person, open}) => {
  await open(await person());
  const loaded = page.waitForResponse('**/console/assets/tags-*.js');
  await page.getByRole('link', {name: 'Tags'}).hover();
  await loaded;
});

journey('menus: pressed before they are there, they open when they are', {isShort: true}, async ({page, context, person, open}) => {
  const grace = await person();
  let load;
  const isPressed = new Promise((resolve) => (load = resolve));
  await context.route('**/console/assets/profile_menu-*.js', async (route) => {
    await isPressed;
    return route.fallback();
  });
  await open(grace, 'profile');
  await page.getByRole('button', {name: /Grace Hopper.*profile and settings/}).click();
  load();
  await page.getByRole('menuitem', {name: 'Sign out'}).waitFor();
});

journey('palette: pages and contacts', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  await grace.api('/api/contacts', {name: 'Radia Perlman', phone: '+447700900338'});
  await open(grace);
  await page.getByRole('heading', {name: 'Home', level: 1}).waitFor();
  await page.keyboard.press(palette);
  await page.getByRole('searchbox').or(page.getByRole('combobox')).first().waitFor();
  await page.keyboard.type('radia');
  await page.getByRole('menuitem', {name: /Radia Perlman/}).waitFor();
  await looks('palette');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/contacts/*');
  await page.keyboard.press(palette);
  await page.getByRole('menuitem', {name: 'Tags'}).waitFor();
  await page.keyboard.type('tags');
  await page.getByRole('menuitem', {name: 'Inbox'}).waitFor({state: 'detached'});
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/tags');
});

journey('keys: the list of them, and none while one types or has switched them off', {}, async ({page, person, open, looks, prefer}) => {
  const grace = await person();
  await open(grace, 'profile');
  await page.getByLabel('Your name').focus();
  await page.keyboard.press('?');
  check(await page.getByRole('dialog').count() === 0, 'a key did something while one typed');
  await page.getByRole('heading', {name: 'Profile', level: 1}).click();
  await page.keyboard.press('?');
  await page.getByRole('dialog', {name: 'Keyboard shortcuts'}).waitFor();
  await looks('keys');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({state: 'detached'});
  await prefer({singleKeys: false});
  await page.keyboard.press('?');
  await page.keyboard.press(palette);
  await page.getByRole('dialog', {name: 'Search or do'}).waitFor();
  check(await page.getByRole('dialog').count() === 1, 'a single key did something although they are switched off');
});

// Somebody's page, which the stream of events has reached, and whose line a journey cuts.
async function followed({page, person, open, expect}, place) {
  expect(/ERR_INTERNET_DISCONNECTED/);
  const grace = await person();
  const streams = page.waitForResponse('**/api/events');
  await open(grace, place);
  await streams;
}

journey('connection: lost, told with the age of what is seen, and back', {isShort: true}, async (trip) => {
  const {page, context} = trip;
  await followed(trip);
  await context.setOffline(true);
  await page.getByText(/No connection\..*What you see is as of/).waitFor();
  check(await page.getByRole('status').filter({hasText: 'No connection.'}).textContent() === 'No connection.', 'what changes by itself is spoken each time');
  await context.setOffline(false);
  await page.getByText(/No connection\./).waitFor({state: 'detached'});
});

journey('connection: a page that was not loaded before opens once the line is back', {}, async (trip) => {
  const {page, context} = trip;
  await followed(trip, 'home');
  await page.evaluate(() => (window.isSame = true));
  await context.setOffline(true);
  await page.getByText(/No connection\./).waitFor();
  const failed = page.waitForEvent('requestfailed', (request) => /\/assets\/tags-/.test(request.url()));
  await page.getByRole('link', {name: 'Tags'}).click();
  await failed;
  check(await page.getByRole('heading', {level: 1}).count() === 1, 'there is no page');
  await context.setOffline(false);
  await page.getByRole('heading', {name: 'Tags', level: 1}).waitFor();
  check(await page.evaluate(() => window.isSame), 'the page was loaded anew');
});

journey('connection: what fails because it is lost is told, and the language changes once it is back', {}, async (trip) => {
  const {page, context, person, open, expect} = trip;
  expect(/ERR_(FAILED|INTERNET_DISCONNECTED)/);
  const grace = await person();
  await grace.api('/api/lists', {name: 'Spring'});
  const shown = page.waitForResponse('**/console/assets/notices-*.js');
  await open(grace, 'lists');
  await shown;
  await page.getByRole('button', {name: 'Delete: Spring'}).click();
  const remove = page.getByRole('alertdialog').getByRole('button', {name: 'Delete 1 list'});
  await remove.waitFor();
  await context.route('**/*', (route) => route.abort());
  await remove.click();
  await page.getByText('This did not work').waitFor();
  await context.unroute('**/*');
  await context.setOffline(true);
  await page.getByText(/No connection\./).waitFor();
  const failed = page.waitForEvent('requestfailed', (request) => /\/assets\/de-/.test(request.url()));
  await page.evaluate(() => {
    localStorage.setItem('parley.preferences', '{"language": "de"}');
    dispatchEvent(new StorageEvent('storage', {key: 'parley.preferences'}));
  });
  await failed;
  await context.setOffline(false);
  await page.locator('html[lang=de]').waitFor({state: 'attached'});
});

journey('another version: the next navigation loads it, unless something is being written', {},
  async (trip) => {
    const {page, context} = trip;
    await followed(trip, 'profile');
    await page.evaluate(() => (window.isSame = true));
    await context.route('**/console/', (route) => route.fulfill({contentType: 'text/html', body: '<meta name="parley-build" content="another">'}));
    await context.setOffline(true);
    await page.getByText(/No connection\./).waitFor();
    const asked = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/console/');
    await context.setOffline(false);
    await asked;
    await page.getByLabel('Your name').fill('Not saved yet');
    await page.getByRole('link', {name: 'Contacts'}).click();
    await page.getByRole('alertdialog').getByRole('button', {name: 'Leave'}).click();
    await page.getByRole('heading', {name: 'Contacts', level: 1}).waitFor();
    check(await page.evaluate(() => window.isSame), 'the page was loaded anew although something was written');
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', {name: 'Lists'}).click();
    await loaded;
    await page.getByRole('heading', {name: 'Lists', level: 1}).waitFor();
    check(!(await page.evaluate(() => window.isSame)), 'the page was not loaded anew');
  });

journey('places that are not there, and that are not for one', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  const ada = await person({name: 'Ada Lovelace', organization: 'Analytical Engines'});
  await open(grace, 'nonsense');
  await page.getByRole('heading', {name: 'There is no such page'}).waitFor();
  await page.getByRole('link', {name: 'Contacts'}).waitFor();
  await looks('not-found');
  await page.goto(`/console/o/${ada.organization}/home`);
  await page.getByRole('heading', {name: 'You are not a member of this organization'}).waitFor();
  await page.getByRole('link', {name: 'To Home'}).click();
  await page.waitForURL(`**/console/o/${grace.organization}/home`);
});

journey('narrow: the bar and the drawer lead everywhere', {isShort: true}, async ({page, person, open, axe}) => {
  const grace = await person();
  await page.setViewportSize({width: 390, height: 844});
  await open(grace);
  await page.getByRole('navigation', {name: 'Main areas'}).getByRole('link', {name: 'Contacts'}).click();
  await page.getByRole('heading', {name: 'Contacts', level: 1}).waitFor();
  await page.getByRole('button', {name: 'More'}).click();
  await page.getByRole('dialog', {name: 'Areas'}).waitFor();
  await axe('drawer');
  await page.getByRole('dialog', {name: 'Areas'}).getByRole('link', {name: 'Tags'}).click();
  await page.getByRole('heading', {name: 'Tags', level: 1}).waitFor();
  await page.getByRole('dialog').waitFor({state: 'detached'});
});

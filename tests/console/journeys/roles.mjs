// What one may do decides what one sees: nothing is hidden by mistake, and what is not for one names its permission.
import {check, journey, until} from '../bed.mjs';
import {inside, shop} from '../furnished.mjs';
import {colleague} from '../simulated.mjs';

const kAreas = {
  Home: null, Inbox: 'Get:Conversation', Contacts: 'Get:Contact', Lists: 'Get:List', Segments: 'Get:List', Tags: 'Get:Tag', Imports: 'BulkImport:Contacts',
};
/** What a page cannot do without, by its route. */
const kNeeds = {
  inbox: ['Get:Conversation'], $conversation: ['Get:Conversation', 'Get:Message'], contacts: ['Get:Contact'], 'contacts/$contact': ['Get:Contact', 'Get:Message'],
  lists: ['Get:List'], segments: ['Get:List'], 'segments/$segment': ['Get:List'], tags: ['Get:Tag'],
  imports: ['BulkImport:Contacts'], 'imports/$import': ['BulkImport:Contacts'], import: ['BulkImport:Contacts'],
};
/** What is shown beside that where it is held. */
const kBeside = [
  'Get:OrganizationMember', 'Get:Campaign', 'Get:CampaignAnalytics', 'Get:MessageTemplates', 'Get:PrimaryAnalytics', 'Get:PhoneNumbers', 'Get:Organization',
  'Update:IntegrationSettings',
];
/** A tool of a page, and what it is called. */
const kTools = [
  ['contacts', 'Create:Contact', 'New contact'], ['contacts', 'BulkImport:Contacts', 'Import'], ['contacts', 'Export:Contacts', /^Export/],
  ['contacts/$contact', 'Update:Contact', 'Edit'], ['contacts/$contact', 'Delete:Contact', 'Delete the contact'], ['contacts/$contact', 'Create:Conversation', 'Write'],
  ['lists', 'Create:List', 'New list'], ['lists', 'Update:List', 'Edit: Spring customers'], ['lists', 'Delete:List', 'Delete: Spring customers'],
  ['segments', 'Create:List', 'New segment'], ['segments/$segment', 'Update:List', 'Save the changes'], ['segments/$segment', 'Delete:List', 'Delete'],
  ['tags', 'Create:Tag', 'New tag'], ['tags', 'Update:Tag', 'Rename: vip'], ['tags', 'Delete:Tag', 'Delete: vip'],
  ['$conversation', 'Create:Message', 'Send'], ['$conversation', 'Assign:Conversation', 'Assign'], ['$conversation', 'Update:Conversation', 'Close'],
];

const navigation = (page) => page.getByRole('navigation', {name: 'Areas'});
const refusal = (page) => page.getByRole('main').getByRole('heading', {name: /^You may (not )?see/});

/** A member with these permissions and no others. */
async function member(trip, owner, permissions) {
  const roles = permissions.length === 0 ? []
    : [(await owner.api('/api/rbac/roles', {name: `Role ${crypto.randomUUID()}`, permissions})).role.uniqueId];
  return colleague(trip, owner, 'Ken Thompson', {accessLevel: 'Member', roles});
}

const everything = async (owner) => (await owner.api('/api/rbac/permissions')).permissions.map(({name}) => name);

/** Opens all pages one after the other. `look` gets what was refused to the page meanwhile. */
async function walk({page, url}, has, look, routes = Object.keys(kNeeds)) {
  const refused = [];
  const note = (answer) => {
    const {pathname} = new URL(answer.url());
    if (answer.status() === 403 && answer.url().startsWith(url) && pathname !== '/api/events') refused.push(pathname);
  };
  page.on('response', note);
  const places = inside(has);
  for (const route of routes) {
    refused.length = 0;
    await page.goto(`/console/o/${has.organization}/${places[route].path ?? route}`);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    await page.waitForFunction(() => !document.querySelector('main [aria-busy=true]'));
    await look(route, [...refused]);
  }
  page.off('response', note);
}

async function checkAreas({page}, isHeld) {
  await navigation(page).getByRole('link', {name: 'Home'}).waitFor();
  for (const [name, permission] of Object.entries(kAreas)) {
    const isShown = await navigation(page).getByRole('link', {name: new RegExp('^' + name)}).isVisible();
    check(isShown === (!permission || isHeld(permission)), `${name} is ${isShown ? '' : 'not '}in the navigation`);
  }
}

/** All pages of somebody: forbidden are those for which something is not held, and no others. */
async function checkPages(trip, has, isHeld) {
  const {page, faults} = trip;
  await checkAreas(trip, isHeld);
  await walk(trip, has, async (route, refused) => {
    const lacking = kNeeds[route].filter((each) => !isHeld(each));
    const names = (await page.getByRole('main').locator('code').allTextContents()).join(' ');
    if (lacking.length > 0 && !names.includes(lacking[0])) faults.push(`${route} does not name ${lacking[0]}`);
    if (lacking.length === 0 && await refusal(page).count() > 0) faults.push(`${route} is forbidden: ${names}`);
    if (lacking.length === 0 && refused.length > 0) faults.push(`${route} asks what it may not: ${refused}`);
  });
}

const isTool = ({page}, name) => page.getByRole('main').getByRole('button', {name, exact: true}).or(page.getByRole('main').getByRole('link', {name, exact: true})).first();

journey('roles: an owner has every area and every tool', {}, async (trip) => {
  const owner = await shop(trip);
  await trip.open(owner);
  await checkPages(trip, owner, () => true);
  await walk(trip, owner, async (route) => {
    for (const [, permission, name] of kTools.filter(([each]) => each === route))
      await isTool(trip, name).waitFor().catch(() => trip.faults.push(`${route} has no tool "${name}" although ${permission} is held`));
  });
});

journey('roles: who holds nothing is told of each page what it needs', {}, async (trip) => {
  trip.expect(/status of 403/);
  const owner = await shop(trip);
  await trip.open(await member(trip, owner, []));
  await checkPages(trip, owner, () => false);
});

journey('roles: who may only look has all pages and no tools', {}, async (trip) => {
  const owner = await shop(trip);
  const looks = (await everything(owner)).filter((each) => each.startsWith('Get:') || each === 'BulkImport:Contacts');
  await trip.open(await member(trip, owner, looks));
  await checkPages(trip, owner, (each) => looks.includes(each));
  await walk(trip, owner, async (route) => {
    for (const [, permission, name] of kTools.filter(([each, permission]) => each === route && !looks.includes(permission)))
      if (await isTool(trip, name).isVisible()) trip.faults.push(`${route} has the tool "${name}" although ${permission} is not held`);
  });
});

journey('roles: a refusal of what was held shows that the role is another one by now', {}, async (trip) => {
  const {page, context} = trip;
  trip.expect(/status of 403/);
  await context.route('**/api/events', () => {});  // the stream would end, and show it too
  const owner = await shop(trip);
  const {role} = await owner.api('/api/rbac/roles', {name: 'Clerk', permissions: ['Get:Contact', 'Create:Contact']});
  const ken = await colleague(trip, owner, 'Ken Thompson', {accessLevel: 'Member', roles: [role.uniqueId]});
  await trip.open(ken, 'contacts');
  const tool = page.getByRole('main').getByRole('button', {name: 'New contact'});
  await tool.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', {exact: true}).fill('Ada Lovelace');
  await dialog.getByLabel('Telephone number').fill('+442079460018');
  await owner.api('/api/rbac/roles/' + role.uniqueId, {permissions: ['Get:Contact']});
  await until('the role has lost it', () => page.evaluate(async (organization) => {
    const answer = await fetch('/api/rbac/permissions', {headers: {'X-Organization-Id': organization}});
    return (await answer.json()).permissions.some(({name, held}) => name === 'Create:Contact' && !held);
  }, ken.organization));
  await dialog.getByRole('button', {name: 'Add the contact'}).click();
  await dialog.getByText('Create:Contact').waitFor();
  await page.locator('main').getByText('New contact', {exact: true}).waitFor({state: 'detached'});  // a role is not found behind the dialog
});

for (const without of [...new Set(Object.values(kNeeds).flat()), ...kBeside])
  journey(`roles: without ${without}`, {}, async (trip) => {
    trip.expect(/status of 403/);  // of the pages that cannot do without it; of the others each is looked at
    const owner = await shop(trip);
    const held = (await everything(owner)).filter((each) => each !== without);
    await trip.open(await member(trip, owner, held));
    await checkPages(trip, owner, (each) => held.includes(each));
  });

// Every page as it is with real data, in every look: nothing for axe to find, nothing beside the screen, nothing that moves while it loads.
import {readFileSync} from 'node:fs';
import {check, journey} from '../bed.mjs';
import {gallery} from '../gallery.mjs';
import {business} from '../simulated.mjs';

const kMostShift = 0.02;
const kConsole = new URL('../../../gateway/console/', import.meta.url);
const kLong = 'Everybody who has bought a handmade ceramic teapot in spring and has not written since then';

/** An organization that is at work: names and words of many lengths and both directions. One for all looks, as no page changes it. */
let made;
const shop = (trip) => (made ??= furnish(trip));

async function furnish(trip) {
  const owner = await business(trip);
  const {api} = owner;
  const named = (name, index, more) => ({name, phone: `+4915202${String(index).padStart(6, '0')}`, ...more});
  const people = ['ليلى حدّاد', 'Marie-Antoinette von Hohenzollern-Sigmaringen', 'Ada Lovelace', '王小明', 'Kim'];
  const {contacts} = await api('/api/contacts', {contacts: Array.from({length: 60}, (_, index) => named(
    people[index] ?? `Person ${index}`, index, {attributes: {visits: index, city: index % 2 ? 'Hamburg' : 'القاهرة'}, ...(index % 3 && {tags: ['vip']})}))});
  const ids = contacts.map(({contact, uniqueId}) => uniqueId ?? contact.uniqueId);
  const lists = [];
  for (const [name, count] of [['Spring customers', 40], [kLong, 3], ['عملاء الربيع', 0]])
    lists.push((await api('/api/lists', {name, description: count > 3 ? 'Bought something between March and May' : '', contactIds: ids.slice(0, count)})).list);
  const {segment} = await api('/api/segments', {name: kLong, description: 'Came ten times or more', filter: {type: 'all', conditions: [
    {type: 'number', attribute: 'visits', atLeast: 10}, {type: 'text', attribute: 'city', operator: 'is', values: ['Hamburg']},
    {type: 'not', condition: {type: 'list', listIds: [lists[1].uniqueId]}}]}});
  const rows = 'full name,phone,tags\nGrace Murray,+442071838751,vip\nNobody,unknown,\nAgain,+442071838751,\n';
  const {import: begun} = await api('/api/contacts/imports', new Blob([rows], {type: 'text/csv'}));
  for (const [name, ...texts] of [['ليلى حدّاد', 'مرحبا', 'متى يُفتح المتجر يوم السبت؟'], ['Radia Perlman', `Is ${'the shop '.repeat(30)}open?`], ['Joan Clarke', 'Hello?']]) {
    const customer = owner.customer(name);
    for (const text of texts) await customer.writes(text);
  }
  const find = async () => (await api('/api/conversations')).conversations;
  let talks = await find();
  while (talks.length < 3) talks = await find();
  const talk = talks.find(({contact}) => /Radia/.test(contact?.name ?? '')) ?? talks[0];
  await api(`/api/conversation/${talk.uniqueId}/notes`, {text: 'Wants an invoice. Can you take over?'});
  await api(`/api/conversation/${talk.uniqueId}/messages`, {messageType: 'Text', messageData: {text: 'Yes, from nine until six.'}});
  return {...owner, contact: talk.contactId ?? ids[0], segment: segment.uniqueId, import: begun.uniqueId, conversation: talk.uniqueId};
}

/** Where every page is, by its route, and what is seen when it is there, in any language. */
const outside = {'sign-in': '', register: '', join: '#token=x', password: '#token=x'};
const inside = (has) => ({
  home: {seen: 'Hello?'},
  inbox: {seen: 'Joan Clarke'},
  $conversation: {path: `inbox/${has.conversation}`, seen: 'Yes, from nine until six.'},
  contacts: {seen: 'Person 59'},
  'contacts/$contact': {path: `contacts/${has.contact}`, seen: 'Yes, from nine until six.'},
  lists: {seen: 'Spring customers'},
  segments: {seen: kLong},
  'segments/$segment': {path: `segments/${has.segment}`, seen: kLong},
  tags: {seen: 'vip'},
  imports: {},
  'imports/$import': {path: `imports/${has.import}`},
  import: {},
  profile: {seen: has.email},
  sessions: {},
  $: {path: 'nonsense'},
});

const looks = ['en', 'ar'].flatMap((language) => ['wide', 'narrow'].flatMap((width) => ['light', 'dark'].map((theme) => [language, width, theme])));

// German has the longest words, which a narrow screen shows: it is the look that no other journey has.
for (const [look, isShort] of [...looks.map((each) => [each, false]), [['de', 'narrow', 'light'], true]])
  journey(`pages: ${look.join(' ')}`, {isShort}, async (trip) => {
    const {page, open, expect, wear} = trip;
    expect(/status of 401/);
    await page.goto('/console/sign-in');
    await wear(look);
    for (const [route, more] of Object.entries(outside)) await seen(trip, route, `/console/${route}${more}`, page.getByRole('heading', {level: 1}));
    const has = await shop(trip);
    await open(has);
    for (const [route, {path = route, seen: text}] of Object.entries(inside(has))) {
      const main = page.getByRole('main');
      await seen(trip, route, `/console/o/${has.organization}/${path}`, (text ? main.getByText(text) : main.getByRole('heading', {level: 1})).first());
    }
  });

/** Loads a page and looks at it, when what it waited for is there. */
async function seen({page, shot, axe, fits, faults}, route, address, sign) {
  await page.goto('about:blank');  // an address that differs in its fragment alone would load nothing
  await page.goto(address);
  await sign.waitFor();
  await page.waitForFunction(() => !document.querySelector('main [aria-busy=true]'));
  const name = route.replace(/\W+/g, '-');
  await shot(name);
  await fits(name);
  await axe(name);
  const moved = await page.evaluate(() => window.layoutShift());
  if (moved.sum > kMostShift) faults.push(`${name}: it moves by ${moved.sum.toFixed(3)} while it loads: ${moved.what.join('; ')}`);
}

journey('pages: none is left out', {isShort: true}, async () => {
  const routes = readFileSync(new URL('src/shell/routes.tsx', kConsole), 'utf8');
  const there = [...routes.matchAll(/\b(?:open|page)\('([^']+)'|\bpath: '([\w$][^']*)'/g)].map(([, short, long]) => short ?? long);
  const known = Object.keys({...outside, ...inside({})});
  const left = there.filter((each) => !known.includes(each));
  check(there.length > 15 && left.length === 0, `these are looked at by no journey: ${left}`);
});

for (const look of looks)
  journey(`gallery: ${look.join(' ')}`, {}, async (trip) => {
    const {page, context, bed, wear, shot, axe, fits} = trip;
    await gallery(context, bed);
    await page.goto('/console/gallery');
    await wear(look);
    const [language, , theme] = look;
    for (const scene of ['', 'inbox', 'inbox_list', 'contacts', 'contact', 'import', 'home', 'sign_in']) {
      await page.goto(`/console/gallery?theme=${theme}&dir=${language === 'ar' ? 'rtl' : 'ltr'}&scene=${scene}`);
      await page.getByRole('heading', {level: 1}).first().waitFor();
      const name = scene || 'parts';
      await shot(name);
      await fits(name);
      await axe(name);
    }
  });

// Every page as it is with real data, in every look: nothing for axe to find, nothing beside the screen, nothing that moves while it loads.
import {readFileSync} from 'node:fs';
import {check, journey} from '../bed.mjs';
import {inside, outside, shop} from '../furnished.mjs';
import {gallery} from '../gallery.mjs';

const kMostShift = 0.02;
const kConsole = new URL('../../../gateway/console/', import.meta.url);

const looks = ['en', 'ar'].flatMap((language) => ['wide', 'narrow'].flatMap((width) => ['light', 'dark'].map((theme) => [language, width, theme])));

// German has the longest words, which a narrow screen shows: it is the look that no other journey has.
for (const look of [...looks, ['de', 'narrow', 'light']])
  journey(`pages: ${look.join(' ')}`, {}, async (trip) => {
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
    const [language, width, theme] = look;
    await wear(['en', width, theme]);
    for (const scene of ['', 'inbox', 'inbox_list', 'contacts', 'contact', 'import', 'home', 'sign_in']) {
      await page.goto(`/console/gallery?theme=${theme}&dir=${language === 'ar' ? 'rtl' : 'ltr'}&scene=${scene}`);
      await page.getByRole('heading', {level: 1}).first().waitFor();
      const name = scene || 'parts';
      await shot(name);
      await fits(name);
      await axe(name);
    }
  });

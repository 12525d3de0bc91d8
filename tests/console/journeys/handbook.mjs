// Draws the pictures of the handbook, gateway/docs/guides/15-console.md, of the demo organization in light and dark, and compares them
// with those that are there: --draw replaces these, where there are fonts for all names (fonts-noto-cjk, fonts-noto-core).
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {check, journey, settled} from '../bed.mjs';

const kFolder = new URL('../../../gateway/docs/guides/pictures/', import.meta.url).pathname;
const kSize = {width: 1200, height: 750};
// A share of the dots: times and dates differ in each run.
const kAlike = 0.03;

const pages = {
  home: async (page) => page.getByRole('heading', {name: 'Messages by day'}).waitFor(),
  inbox: async (page) => {
    await page.getByRole('list', {name: 'Conversations'}).getByRole('link', {name: 'Loïc Hébert'}).first().click();
    await page.getByRole('log').getByText(/our week for members has begun/).waitFor();
    await page.getByRole('button', {name: 'Assign', disabled: false}).waitFor();
    await page.mouse.move(0, 0);
  },
  contacts: async (page) => page.getByRole('row').nth(5).waitFor(),
  segment: async (page) => {
    await page.getByLabel('Name', {exact: true}).fill('Customers in Köln');
    await page.getByRole('button', {name: 'Condition', exact: true}).click();
    await page.getByRole('combobox', {name: 'Attribute'}).click();
    await page.getByRole('option', {name: /^city/}).click();
    await page.getByRole('textbox', {name: 'Value'}).fill('Köln');
    await page.keyboard.press('Enter');
    await page.getByText(/^\d+ contacts$/).waitFor();
  },
};
const paths = {segment: 'segments/new'};

/** A picture as webp, and the share of its dots that differ from another one; 1 if there is none of its size. */
const drawn = (page, png, before) => page.evaluate(async ([png, before]) => {
  const dots = async (address) => {
    const image = await createImageBitmap(await (await fetch(address)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d', {willReadFrequently: true});
    context.drawImage(image, 0, 0);
    return {canvas, all: context.getImageData(0, 0, image.width, image.height).data};
  };
  const {canvas, all} = await dots(png);
  const blob = await canvas.convertToBlob({type: 'image/webp', quality: 0.85});
  const octets = Array.from(new Uint8Array(await blob.arrayBuffer()));
  const known = before && (await dots(before)).all;
  if (known?.length !== all.length) return {octets, share: 1};
  let other = 0;
  for (let i = 0; i < all.length; i += 4) if (Math.abs(all[i] - known[i]) + Math.abs(all[i + 1] - known[i + 1]) + Math.abs(all[i + 2] - known[i + 2]) > 90) ++other;
  return {octets, share: other / (all.length / 4)};
}, [png, before]);

const address = (type, octets) => `data:image/${type};base64,${octets.toString('base64')}`;

function known(file) {
  try {
    return address('webp', readFileSync(file));
  } catch {
    return null;
  }
}

journey('handbook: its pictures are as the pages are', {}, async ({another, open, url, isDrawing}) => {
  const {PARLEY_EMAIL: email, PARLEY_PASSWORD: password, PARLEY_API_KEY: key} = process.env;
  check(key, 'needs the credentials of the demo organization: --own-system, or PARLEY_STATE');
  const {organizations} = await (await fetch(`${url}/api/user`, {headers: {Authorization: `Bearer ${key}`}})).json();
  const owner = {name: 'Demo Owner', email, password, organization: organizations[0].uniqueId};
  // Pictures are compared in a page without a policy, which would not let them be read.
  const easel = await (await another()).newPage();
  mkdirSync(kFolder, {recursive: true});
  for (const colorScheme of ['light', 'dark']) {
    const context = await another({viewport: kSize, colorScheme, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce', deviceScaleFactor: 1});
    const page = await context.newPage();
    for (const [name, show] of Object.entries(pages)) {
      await open(owner, paths[name] ?? name, page);
      await show(page);
      await settled(page);
      const file = join(kFolder, `${name}.${colorScheme}.webp`);
      const png = await page.screenshot({animations: 'disabled', caret: 'hide'});
      const {octets, share} = await drawn(easel, address('png', png), known(file));
      if (isDrawing) writeFileSync(file, Buffer.from(octets));
      else if (share > kAlike) console.log(`changed: ${name}.${colorScheme}, ${(share * 100).toFixed(1)} percent: look at it, and draw it with --draw`);
    }
  }
});

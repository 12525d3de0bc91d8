// What journeys through the console stand on: people, a browser, and what must hold on every page. See tests/console/run --help.
//
//   import {journey} from '../bed.mjs';
//   journey('contacts: a filter is in the address', {isShort: true}, async ({page, person, open, looks}) => {
//     const ada = await person();        // with an organization of her own; ada.api(path, body) calls as her
//     await open(ada, 'contacts');       // signed in
//     await page.getByRole('button', {name: 'Filter'}).click();
//     await looks('contacts');           // axe and pictures: light, dark, 390, 1,440, en, ar
//   });
//
// Wait for what is seen (`locator.waitFor()`, `page.waitForURL()`), never for a time.
import {createHmac, randomUUID} from 'node:crypto';
import {mkdirSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {join} from 'node:path';

export const journeys = [];

/** `isShort`: it is one of those that every run of all tests takes. */
export function journey(name, options, walk) {
  journeys.push({name, ...options, walk});
}

const kChromium = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];
export const kPassword = 'correct horse battery';
const kWide = {width: 1440, height: 900}, kNarrow = {width: 390, height: 844};
const kWait = 15_000;

/** What differs between runs: where the packages are, and the system. */
export class Bed {
  constructor(tools, url, {isShort, isDrawing}) {
    Object.assign(this, {tools, url, isShort, isDrawing, interactions: new Map(), interactionCounts: new Map()});
    this.pictures = join(tools, 'pictures');
    mkdirSync(this.pictures, {recursive: true});
    const packages = createRequire(join(tools, 'package.json'));
    this.chromium = packages('playwright-core').chromium;
    this.axe = readFileSync(packages.resolve('axe-core/axe.min.js'), 'utf8');
  }

  async start() {
    this.browser = await this.chromium.launch({executablePath: '/usr/bin/chromium', args: kChromium});
  }

  stop() {
    return this.browser.close();
  }

  /** One of the events of an interaction, of which the longest counts. */
  interacted(page, count, event) {
    this.interactionCounts.set(page, Math.max(this.interactionCounts.get(page) ?? 0, count));
    if ((this.interactions.get(event.id)?.duration ?? 0) < event.duration) this.interactions.set(event.id, event);
  }

  /** Interaction to Next Paint (https://web.dev/articles/inp): of 50 interactions it leaves the longest out. */
  tellInteractions() {
    const longest = [...this.interactions.values()].sort((a, b) => b.duration - a.duration);
    if (longest.length === 0) return;
    const all = [...this.interactionCounts.values()].reduce((sum, count) => sum + count, 0);
    if (!Number.isInteger(all)) throw new Error('the browser does not count interactions');
    const place = Math.floor(all / 50);
    figure(`until the next frame, 98 of 100 of ${all} interactions`, longest[place]?.duration ?? 0, 100, 'ms');
    for (const {duration, event, at, journey} of longest.slice(0, Math.min(place + 1, 20))) console.log(`       ${duration} ms, ${event} at ${at}: ${journey}`);
  }

  /** Walks a journey in a browser that knows nobody; gives back what was wrong. */
  async walk({name, walk}) {
    const trip = new Trip(this, name);
    try {
      await trip.begin();
      await walk(trip);
    } catch (error) {
      trip.faults.push(String(error.stack ?? error).split('\n').slice(0, 12).join('\n'));
      await trip.page?.screenshot({path: trip.picture('failed')}).catch(() => undefined);
    }
    await trip.end();
    return trip.unexpected();
  }
}

class Trip {
  constructor(bed, name) {
    Object.assign(this, {bed, name, url: bed.url, isDrawing: bed.isDrawing, faults: [], expected: []});
    // A journey takes what it needs of these apart.
    for (const each of ['person', 'open', 'looks', 'wear', 'axe', 'fits', 'expect', 'prefer', 'another', 'shot']) this[each] = this[each].bind(this);
  }

  async begin() {
    this.context = await this.another({viewport: kWide, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce'});
    this.page = await this.context.newPage();
  }

  /** Another browser, for another person or a second device. What goes wrong there counts too. */
  async another(options = {viewport: kWide, locale: 'en-GB', reducedMotion: 'reduce'}) {
    const context = await this.bed.browser.newContext({baseURL: this.url, ...options});
    context.setDefaultTimeout(kWait);
    await context.addInitScript(() =>
      document.addEventListener('securitypolicyviolation', (e) => console.error(`violates ${e.violatedDirective}: ${e.blockedURI}`)));
    await context.addInitScript(watchShifts);
    await context.exposeFunction('interacted', (page, count, event) => this.bed.interacted(page, count, {...event, journey: this.name}));
    await context.addInitScript(watchInteractions);
    context.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.faults.push(`the browser says: ${message.text()} (${message.location().url})`);
    });
    context.on('weberror', (error) => this.faults.push(`a script throws: ${error.error().stack}`));
    context.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== new URL(this.url).origin)
        this.faults.push(`the page asks ${request.url()}`);
    });
    (this.contexts ??= []).push(context);
    return context;
  }

  /** What the browser may complain of in this journey, such as an answer of 401. */
  expect(pattern) {
    this.expected.push(pattern);
  }

  unexpected() {
    return this.faults.filter((each) => !this.expected.some((pattern) => pattern.test(each)));
  }

  async end() {
    await Promise.all((this.contexts ?? []).map((each) => each.close()));
  }

  /** Somebody new, with an organization of their own. */
  async person({name = 'Grace Hopper', organization = 'Northwind Tea'} = {}) {
    const email = `${randomUUID()}@console.example`;
    const made = await call(this.url, '/api/auth/register', {name, email, password: kPassword, organizationName: organization});
    const id = made.organizations[0].uniqueId;
    const api = (path, body, method) => call(this.url, path, body, {Authorization: `Bearer ${made.session.token}`, 'X-Organization-Id': id}, method);
    return {name, email, password: kPassword, organization: id, api};
  }

  /** Opens a page of the person's organization, signed in without the form; of another browser with its page. */
  async open(person, path = 'home', page = this.page) {
    const {name, email, password} = person;
    const headers = {Origin: this.url, 'Sec-Fetch-Site': 'same-origin'};
    const answer = await page.context().request.post('/api/auth/login', {data: {email, password}, headers});
    if (!answer.ok()) throw new Error(`${name} cannot sign in: ${await answer.text()}`);
    await page.goto(`/console/o/${person.organization}/${path}`);
    await page.locator('#root main').waitFor();
  }

  /** Sets language, theme and single keys as the profile does, at once. */
  async prefer(changes, page = this.page) {
    await page.evaluate((wanted) => {
      const name = 'parley.preferences';
      localStorage.setItem(name, JSON.stringify({...JSON.parse(localStorage.getItem(name) ?? '{}'), ...wanted}));
      dispatchEvent(new StorageEvent('storage', {key: name}));
    }, changes);
    if (changes.language) await page.locator(`html[lang=${changes.language}]`).waitFor({state: 'attached'});
  }

  picture(name) {
    return join(this.bed.pictures, `${[this.name.replace(/[^a-z0-9]+/gi, '-'), name].filter(Boolean).join('.')}.png`);
  }

  async shot(name, page = this.page) {
    await settled(page);
    await page.screenshot({path: this.picture(name), animations: 'disabled', caret: 'hide'});
  }

  /** The page as it is now has no finding of axe's. */
  async axe(name, page = this.page) {
    await settled(page);
    await page.evaluate(this.bed.axe + '; undefined');
    // React Aria's announcer says the names of buttons that wait, for seconds, also of those that are gone.
    const found = await page.evaluate(() => window.axe.run({exclude: ['[data-live-announcer]']}, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'],
    }));
    for (const {id, help, nodes} of found.violations)
      this.faults.push(`axe, ${name}: ${id}: ${help}: ${nodes.slice(0, 3).map((each) => `${each.target} ${each.html.slice(0, 160)}`).join('; ')}`);
  }

  /** Nothing of the page is beside the screen: it scrolls down, and not to the side. */
  async fits(name, page = this.page) {
    const wide = await page.evaluate(() => [document.documentElement, document.querySelector('main')].filter(Boolean)
      .filter((each) => each.scrollWidth > each.clientWidth).map((each) => `${each.localName}: ${each.scrollWidth} of ${each.clientWidth} px`));
    if (wide.length > 0) this.faults.push(`${name}: it scrolls to the side: ${wide}`);
  }

  /** How the page looks from now on: its language, 'wide' or 'narrow', 'light' or 'dark'. */
  async wear([language, width, colorScheme], page = this.page) {
    await page.setViewportSize(width === 'wide' ? kWide : kNarrow);
    await page.emulateMedia({colorScheme});
    await this.prefer({language}, page);
  }

  /** axe and a picture of the page in every look, in a short run in the two that differ most. It is English, light and wide again afterwards. */
  async looks(name, page = this.page) {
    for (const language of ['en', 'ar'])
      for (const width of ['wide', 'narrow'])
        for (const colorScheme of ['light', 'dark']) {
          const look = [language, width, colorScheme];
          if (this.bed.isShort && !['en wide light', 'ar narrow dark'].includes(look.join(' '))) continue;
          await this.wear(look, page);
          const each = [name, ...look].join('.');
          await this.shot(each, page);
          await this.fits(each, page);
          await this.axe(each, page);
        }
    await this.wear(['en', 'wide', 'light'], page);
  }
}

/** Nothing moves any more, and nothing is on its way that was not there before: no skeleton, no animation that ends. */
export async function settled(page) {
  await page.waitForFunction(() => document.fonts.status === 'loaded' && document.getAnimations().every((each) =>
    each.playState !== 'running' || each.effect?.getComputedTiming().endTime === Infinity));
}

/** In the page: layoutShift() tells how much has moved since it began to load without anybody having done something, and what. */
function watchShifts() {
  const shifts = [];
  const take = (entries) => shifts.push(...entries.filter((each) => !each.hadRecentInput));
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({type: 'layout-shift', buffered: true});
  const told = ({node, previousRect: from, currentRect: to}) =>
    `${(node?.outerHTML ?? node?.textContent ?? '').slice(0, 90)} (${[from.x, from.y, from.width, from.height]} → ${[to.x, to.y, to.width, to.height]})`;
  window.layoutShift = () => {
    take(observer.takeRecords());
    return {sum: shifts.reduce((sum, {value}) => sum + value, 0), what: shifts.flatMap(({sources}) => sources.map(told)).slice(0, 6)};
  };
}

/** In the page: tells how long it takes from a press or a click to the frame that shows what came of it. */
function watchInteractions() {
  const page = Math.random();
  const observer = new PerformanceObserver((list) => {
    for (const {interactionId, name, duration, target} of list.getEntries()) {
      const at = (target?.ariaLabel ?? target?.labels?.[0]?.textContent ?? target?.textContent ?? '').trim().slice(0, 40);
      if (interactionId) window.interacted(page, performance.interactionCount, {id: `${page} ${interactionId}`, event: name, duration, at});
    }
  });
  observer.observe({type: 'event', durationThreshold: 16});  // the browser tells of nothing shorter, but counts it
}

/** Calls the API as a program does, with JSON or a file; throws for what is no success. */
export async function call(url, path, body, headers = {}, method = body === undefined ? 'GET' : 'POST') {
  const isFile = body instanceof Blob;
  const answer = await fetch(url + path, {
    method, headers: {...headers, ...(body !== undefined && {'Content-Type': isFile ? body.type : 'application/json'})},
    ...(body !== undefined && {body: isFile ? body : JSON.stringify(body)}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text ? JSON.parse(text) : null;
}

/** An answer of the API that refuses, for `route.fulfill()`. */
export const refusal = (status, detail, headers = {}) => ({
  status, headers, contentType: 'application/problem+json',
  body: JSON.stringify({type: 'about:blank', title: '', status, detail, instance: '/', requestId: '01949c44-1f10-7b3c-8d21-9c0e5f7a6b18', errors: []}),
});

/** The six digits of an authenticator app (RFC 6238) at a moment. */
export function totp(secret, at = Date.now()) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...secret.replace(/\s/g, '')].map((each) => letters.indexOf(each).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((each) => parseInt(each, 2)));
  const count = Buffer.alloc(8);
  count.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)));
  const digest = createHmac('sha1', key).update(count).digest();
  const offset = digest[19] & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Prints what was measured beside its bar. Nothing fails by it: the machine may be busy. */
export function figure(what, value, bar, unit) {
  const rounded = Math.round(value * 10) / 10;
  console.log(`${value <= bar ? 'met   ' : 'MISSED'} ${String(rounded).padStart(8)} of ${bar} ${unit}  ${what}`);
}

/** Asks until there is something; for what no page tells. */
export async function until(what, find, seconds = 60) {
  for (const end = Date.now() + seconds * 1000;;) {
    const found = await find();
    if (found) return found;
    check(Date.now() < end, `${what}: not within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Something is as it should be, or the journey ends here. */
export function check(isGood, text) {
  if (!isGood) throw new Error(text);
}

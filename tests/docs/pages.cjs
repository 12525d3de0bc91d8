// Looks at every page of the gateway in a browser: node pages.cjs URL KEY PICTURES
'use strict';
const {mkdirSync} = require('node:fs');
const {chromium} = require('playwright-core');

const [url, key, pictures] = process.argv.slice(2);
const screens = [];
for (const [width, height] of [[1440, 900], [390, 844]]) for (const scheme of ['light', 'dark']) screens.push({width, height, scheme});
let faults = 0;
const fault = (text) => {
  console.error(`    ${text}`);
  ++faults;
};

// A page that reports what must not happen: a message of the console, an exception, a violation, a request that fails or goes
// elsewhere.
async function open(browser, {width, height, scheme}, path) {
  const context = await browser.newContext({viewport: {width, height}, colorScheme: scheme});
  const page = await context.newPage();
  const at = `${path} at ${width}, ${scheme}:`;
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (e) => console.error(`violates ${e.violatedDirective}: ${e.blockedURI}`)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) fault(`${at} ${message.text()}`);
  });
  page.on('pageerror', (error) => fault(`${at} ${error}`));
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== url) fault(`${at} asks ${request.url()}`);
  });
  page.on('requestfailed', (request) => fault(`${at} ${request.url()} ${request.failure().errorText}`));
  await page.goto(url + path);
  if (path.startsWith('/docs') && !path.startsWith('/docs/')) await page.getByText('Powered by Scalar').first().waitFor({state: 'attached'});
  return page;
}

async function look(browser, screen, path) {
  const page = await open(browser, screen, path);
  const name = path.replace(/[^a-zA-Z]+/g, '-').slice(1);
  if (path.includes('#')) await page.getByRole('heading', {name: 'Create a campaign'}).first().waitFor();
  await page.waitForTimeout(500);  // for the pictures: what moves has come to rest
  const [inner, wide] = await page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
  if (wide > inner) fault(`${path} at ${screen.width}: is ${wide} wide`);
  const isLong = path.startsWith('/docs/');
  await page.screenshot({path: `${pictures}/${name}-${screen.width}-${screen.scheme}.png`, fullPage: isLong});
  await page.context().close();
}

// A reader types a key, tries a call, and sees the answer; searches; and sees an example in each language.
async function tryOut(browser) {
  const page = await open(browser, screens[0], '/docs#getUser');
  await page.getByRole('heading', {name: 'Authentication'}).first().waitFor({state: 'attached'});
  await page.getByPlaceholder('Token').first().fill(key);
  const asked = page.waitForRequest((request) => request.url() === `${url}/api/user`);
  await page.locator('#tag\\/access\\/getUser, [id*="getUser"]').getByRole('button', {name: /Test Request/}).first().click();
  await page.getByRole('button', {name: /^Send/}).first().click();
  const request = await asked;
  if (request.headers().authorization !== `Bearer ${key}`) fault('the key is not sent');
  for (const field of ['x-organization-id', 'x-request-id', 'traceparent'])
    if (request.headers()[field]) fault(`a try sends ${field}, which nobody ticked`);
  const answer = await request.response();
  if (answer.status() !== 200) fault(`a try is answered with ${answer.status()}`);
  await page.screenshot({path: `${pictures}/try-1440-light.png`});
  const kept = await page.evaluate(() => JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie]));
  if (kept.includes(key)) fault('the key is kept in the browser');
  await page.context().close();
}

async function search(browser) {
  const page = await open(browser, screens[0], '/docs');
  await page.getByRole('button', {name: /search/i}).first().click();
  await page.keyboard.type('retarget');
  await page.getByRole('option', {name: /retarget/i}).first().waitFor();
  await page.screenshot({path: `${pictures}/search-1440-light.png`});
  await page.context().close();
}

async function languages(browser) {
  const page = await open(browser, screens[0], '/docs#createList');
  const section = page.locator('[id="tag/contacts/createList"], [id$="createList"]').first();
  for (const [name, part] of [['Curl', 'curl '], ['Fetch', 'fetch('], ['Requests', 'requests.post('], ['NewRequest', 'http.NewRequest(']]) {
    await section.getByRole('button', {name: /Shell|JavaScript|Python|Go/}).first().click();
    await page.getByRole('option', {name: new RegExp(name)}).first().click();
    await section.locator('pre', {hasText: part}).first().waitFor();
  }
  await page.context().close();
}

// Who was invited joins by the page that the mail leads to: somebody new, and somebody with an account.
async function join(browser) {
  const post = async (path, body, headers = {}) => {
    const answer = await fetch(url + path, {method: 'POST', headers: {'Content-Type': 'application/json', ...headers}, body: JSON.stringify(body)});
    return answer.json();
  };
  for (const form of ['join', 'login']) {
    const person = {name: 'Ada', email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery'};
    if (form === 'login') await post('/api/auth/register', person);
    const {token} = await post('/api/organization/invites', {email: person.email}, {'X-API-Key': key});
    const page = await open(browser, screens[0], `/join#token=${token}`);
    for (const field of form === 'login' ? ['email', 'password'] : ['name', 'password'])
      await page.locator(`#${form} [name=${field}]`).fill(person[field]);
    await page.locator(`#${form} button`).click();
    await page.getByText('You are a member of').waitFor();
    if (page.url().includes(token)) fault('the token of an invitation stays in the address');
    await page.context().close();
  }
}

async function main() {
  mkdirSync(pictures, {recursive: true});
  const browser = await chromium.launch({executablePath: '/usr/bin/chromium', args: ['--no-sandbox']});
  const start = await open(browser, screens[0], '/docs/start');
  const guides = await start.locator('a.card').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  if (guides.length === 0) fault('the start page leads to no guide: was it built without?');
  const paths = ['/docs/start', '/docs', '/docs#createCampaign', '/password', '/join', ...guides];
  for (const path of paths) for (const screen of screens) await look(browser, screen, path);
  for (const [name, check] of Object.entries({tryOut, search, languages, join}))
    await check(browser).catch((error) => fault(`${name}: ${error.message.split('\n').slice(0, 6).join(' ')}`));
  await browser.close();
  console.log(`    ${paths.length} pages on ${screens.length} screens, a call tried out, an invitation accepted: ${faults} faults`);
  process.exitCode = faults > 0 ? 1 : 0;
}

main();

// How soon one can work with the console. Not among the short ones: figures of a busy machine say nothing.
import {figure, journey} from '../bed.mjs';

const kRounds = 5;
// Chromium's "slow 4G", and a processor a quarter as fast: the phone of somebody who stands in a shop.
const kSlow = {offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8};
const kLoopback = {offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1};

// From the beginning of the navigation until what is in `first` has been painted and the main thread is idle.
async function opened(page, address, first) {
  await page.goto(address, {waitUntil: 'commit'});
  const element = page.locator(first).first();
  await element.waitFor();
  return page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestIdleCallback(() => resolve(performance.now())));
  }));
}

async function median(rounds) {
  const times = [];
  for (let round = 0; round < kRounds; ++round) times.push(await rounds());
  return times.sort((a, b) => a - b)[Math.floor(kRounds / 2)];
}

async function slowed(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  return async (network, rate) => {
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', {rate});
  };
}

// The sign-in is in the page itself: what one types and presses before the scripts are there is not lost (access.mjs).
const routes = [
  {name: 'the sign-in', path: () => '/console/', first: 'input[type=email]'},
  {name: 'the home', path: ({organization}) => `/console/o/${organization}/home`, first: 'main h1:has-text("Home")'},
];

for (const {name, path, first} of routes)
  journey(`speed: ${name}, for the first time and again`, {}, async ({person, another, url, expect}) => {
    expect(/status of 401 .*\/api\/user/);  // nobody is signed in
    const grace = await person();
    const open = async () => {
      const context = await another();
      const page = await context.newPage();
      if (first !== 'input[type=email]') {
        const headers = {Origin: url, 'Sec-Fetch-Site': 'same-origin'};
        const answer = await context.request.post('/api/auth/login', {data: {email: grace.email, password: grace.password}, headers});
        await page.addInitScript((id) => localStorage.setItem('parley.person', id), (await answer.json()).user.uniqueId);
      }
      return page;
    };
    const cold = await median(async () => {
      const page = await open();
      await (await slowed(page))(kSlow, 4);
      const time = await opened(page, path(grace), first);
      await page.context().close();
      return time;
    });
    figure(`${name}, interactive on a slow phone`, cold, 1_500, 'ms');
    const page = await open();
    await opened(page, path(grace), first);
    await (await slowed(page))(kLoopback, 1);
    figure(`${name}, interactive when it is in the browser's cache`, await median(() => opened(page, path(grace), first)), 300, 'ms');
  });

// Signing in and out, and what belongs to the person.
import {check, journey, kPassword, totp} from '../bed.mjs';

const signIn = async (page, email, password = kPassword) => {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', {exact: true}).fill(password);
  await page.getByRole('button', {name: 'Sign in', exact: true}).click();
};

journey('sign in: to the first page, and out again', {isShort: true}, async ({page, person, expect}) => {
  expect(/status of 401/);  // who is not signed in asks who is
  const grace = await person();
  await page.goto('/console/');
  await page.waitForURL('**/console/sign-in**');
  await signIn(page, grace.email);
  await page.waitForURL(`**/console/o/${grace.organization}/home`);
  await page.getByRole('heading', {name: 'Home', level: 1}).waitFor();
  check((await page.title()).includes('Northwind Tea'), 'the title of the tab does not tell the organization');
  await page.getByRole('button', {name: /Grace Hopper.*profile and settings/}).click();
  await page.getByRole('menuitem', {name: 'Sign out'}).click();
  await page.waitForURL('**/console/sign-in**');
  await page.goto(`/console/o/${grace.organization}/contacts`);
  await page.waitForURL('**/console/sign-in?return=**');
});

// The console's scripts stay on the line until the function that is given back is called.
async function heldBack(page, then = (route) => route.fallback()) {
  let come;
  const there = new Promise((resolve) => { come = resolve; });
  await page.route('**/console/assets/main-*.js', async (route) => {
    await there;
    await then(route);
  });
  return come;
}

journey('sign in: one can begin before the console is there', {isShort: true}, async ({page, person, expect, axe}) => {
  expect(/status of 401/);
  const grace = await person();
  const prerendered = page.locator('#prerendered'), [email, password] = [page.getByLabel('E-mail address'), page.getByLabel('Password', {exact: true})];
  // Types both, of which the console comes in the middle.
  const typeAround = async (typed, more) => {
    const come = await heldBack(page);
    await page.goto('/console/', {waitUntil: 'commit'});
    await prerendered.waitFor();
    await page.keyboard.type(typed[0]);
    if (typed.length > 1) await page.keyboard.press('Tab');
    if (typed.length > 1) await page.keyboard.type(typed[1]);
    come();
    await prerendered.waitFor({state: 'detached'});
    await page.keyboard.type(more);
  };
  await typeAround([grace.email.slice(0, 5)], grace.email.slice(5));
  check(await email.inputValue() === grace.email, `the address is ${await email.inputValue()}`);
  await typeAround([grace.email, kPassword.slice(0, 5)], kPassword.slice(5));
  check(await email.inputValue() === grace.email, `the address is ${await email.inputValue()}`);
  check(await password.inputValue() === kPassword, 'the password is another one');

  const come = await heldBack(page);
  await page.goto(`/console/o/${grace.organization}/contacts`, {waitUntil: 'commit'});
  await prerendered.waitFor();
  await axe('sign-in, prerendered');
  await page.keyboard.type(grace.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(kPassword);
  await page.keyboard.press('Enter');
  come();
  await page.waitForURL(`**/console/o/${grace.organization}/contacts`);
  await page.getByRole('heading', {name: 'Contacts', level: 1}).waitFor();
});

journey('sign in: what was pressed last before the console is there happens', {isShort: true}, async ({page, expect}) => {
  expect(/status of 401/);
  const prerendered = page.locator('#prerendered'), submit = prerendered.getByRole('button', {name: 'Sign in'});
  const sent = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  let come = await heldBack(page);
  await page.goto('/console/sign-in', {waitUntil: 'commit'});
  await submit.click();
  come();
  await page.locator('#root').getByText('This is needed.').first().waitFor();
  check(await page.locator('[aria-invalid=true]').count() === 2, 'what is missing is not told at its fields');

  come = await heldBack(page);
  await page.goto('/console/sign-in', {waitUntil: 'commit'});
  await prerendered.getByLabel('E-mail address').fill('grace@example.com');
  await prerendered.getByLabel('Password', {exact: true}).fill('wrong');
  await submit.click();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('corr');
  come();
  await prerendered.waitFor({state: 'detached'});
  await page.waitForLoadState('networkidle');
  check(sent.length === 0, 'what was pressed before one typed on was sent');

  come = await heldBack(page);
  await page.goto('/console/sign-in', {waitUntil: 'commit'});
  await submit.click();
  await prerendered.getByRole('button', {name: 'العربية'}).click();
  come();
  await page.getByRole('heading', {name: 'تسجيل الدخول'}).waitFor();
  check(await page.locator('[aria-invalid=true]').count() === 0, 'what was pressed before the last one is pressed too');
});

journey('sign in: who is signed in never sees it, and a console that does not come says so', {isShort: true}, async ({page, person, open, expect}) => {
  expect(/status of 401|ERR_FAILED/);
  const grace = await person();
  await page.addInitScript(() => new MutationObserver(() => {
    if (document.getElementById('prerendered')) globalThis.wasShown = true;
  }).observe(document, {subtree: true, childList: true}));
  await open(grace);
  await page.getByRole('heading', {name: 'Home', level: 1}).waitFor();
  check(!(await page.evaluate(() => globalThis.wasShown)), 'the sign-in was shown');

  await page.context().clearCookies();
  const come = await heldBack(page, (route) => route.abort());
  await page.goto('/console/', {waitUntil: 'commit'});
  await page.locator('#prerendered').waitFor();
  come();
  await page.getByText('Parley could not be loaded.').waitFor();
  check(await page.locator('#prerendered').count() === 0, 'a form that does nothing is still there');
});

journey('sign in: a wrong password is said at its field, and too many are counted down', {isShort: true}, async ({page, person, expect}) => {
  expect(/status of (401|429)/);
  const grace = await person();
  await page.goto('/console/sign-in');
  await signIn(page, grace.email, 'not this one');
  await page.getByText('This address and this password do not belong together.').waitFor();
  check(await page.getByLabel('Password', {exact: true}).getAttribute('aria-invalid') === 'true', 'the field is not marked');
  const waits = page.getByRole('button', {name: /^Wait /});
  for (let attempt = 0; attempt < 20 && !(await waits.isVisible()); ++attempt) {
    const answered = page.waitForResponse('**/api/auth/login');
    await signIn(page, grace.email, `not this one, ${attempt}`);
    if ((await answered).status() === 429) await waits.waitFor();
  }
  check(await waits.isDisabled(), 'one can press the button while one has to wait');
  const first = await waits.textContent();
  await page.waitForFunction((text) => !document.querySelector('button[type=submit]').textContent.includes(text), first);
});

journey('sign in: with the second factor', {isShort: true}, async ({page, person, open, looks, another, expect, axe, context}) => {
  expect(/status of (400|401)/);
  const grace = await person();
  await open(grace, 'profile');
  await page.getByRole('button', {name: 'Set up'}).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', {exact: true}).fill('not this one');
  await page.getByRole('button', {name: 'Next'}).click();
  await page.getByText('This is not your present password.').waitFor();
  await dialog.getByLabel('Password', {exact: true}).fill(kPassword);
  await page.getByRole('button', {name: 'Next'}).click();
  await page.getByRole('img', {name: 'QR code for the authenticator app'}).waitFor();
  await looks('second-factor');
  const secret = (await page.getByRole('group', {name: 'Or enter this key by hand'}).locator('code').textContent()).replace(/\s/g, '');
  await page.getByLabel('The six digits that the app shows').fill(totp(secret));
  await page.getByRole('button', {name: 'Switch it on'}).click();
  await page.getByRole('heading', {name: 'The second factor is on'}).waitFor();
  await axe('recovery codes');
  const codes = (await page.getByRole('group', {name: 'Recovery codes'}).locator('code').textContent()).trim().split(/\s+/);
  check(codes.length === 10, `there are ${codes.length} recovery codes`);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', {name: 'The second factor is on'}).waitFor();
  await page.getByRole('button', {name: 'I have kept them'}).click();
  await page.getByText('10 recovery codes left').waitFor();

  await context.clearCookies();
  await page.goto('/console/sign-in');
  await signIn(page, grace.email);
  const code = page.getByLabel('Code', {exact: true});
  await code.waitFor();
  check(await code.evaluate((each) => each === document.activeElement), 'the field of the code has not the focus');
  await looks('code');
  await page.getByLabel('Code', {exact: true}).fill('000000');
  await page.getByText('This code is not right').waitFor();
  await page.getByRole('button', {name: 'Use a recovery code'}).click();
  await page.getByLabel('Recovery code').fill(codes[0]);
  await page.getByRole('button', {name: 'Go on'}).click();
  await page.waitForURL('**/home');

  // The code that follows that of the setting up: each is good once.
  const other = await another();
  const second = await other.newPage();
  await second.goto('/console/sign-in');
  await signIn(second, grace.email);
  await second.getByLabel('Code', {exact: true}).fill(totp(secret, Date.now() + 30_000));
  await second.waitForURL('**/home');
});

journey('an ended session leads back to the same page', {isShort: true}, async ({page, person, open, expect, context}) => {
  expect(/status of 401/);
  const grace = await person();
  await open(grace, 'contacts?q=ada');
  await page.getByRole('heading', {name: 'Contacts', level: 1}).waitFor();
  const before = page.url();
  await context.clearCookies();
  // Whatever is asked for next finds that nobody is signed in.
  await page.evaluate(() => new BroadcastChannel('parley.session').postMessage({kind: 'signed in'}));
  await page.getByText('Your session has ended').waitFor();
  await signIn(page, grace.email);
  await page.getByRole('heading', {name: 'Contacts', level: 1}).waitFor();
  check(page.url() === before, `came back to ${page.url()} instead of ${before}`);
});

journey('register: an account with an organization', {}, async ({page, expect, looks}) => {
  expect(/status of (401|409)/);
  await page.goto('/console/sign-in');
  await page.getByRole('link', {name: 'Make an account'}).click();
  await page.getByRole('button', {name: 'Make the account'}).click();
  await page.getByText('This is needed.').first().waitFor();
  const email = `${crypto.randomUUID()}@console.example`;
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Name of the organization').fill('Analytical Engines');
  await page.getByLabel('Password', {exact: true}).fill('short');
  await page.getByLabel('E-mail address').focus();
  await page.getByText('This is shorter than 8 characters.').waitFor();
  await looks('register');
  await page.getByLabel('Password', {exact: true}).fill(kPassword);
  await page.getByRole('button', {name: 'Make the account'}).click();
  await page.waitForURL('**/home');
  await page.getByRole('button', {name: /^Analytical Engines/}).waitFor();
});

journey('join: as somebody new, and as who has an account; the token stays in the fragment', {isShort: true},
  async ({page, person, another, looks, expect, url, context}) => {
    expect(/status of (400|401|403|409)/);  // 403: the role may not hear events
    const grace = await person();
    const ada = await person({name: 'Ada Lovelace', organization: 'Analytical Engines'});
    const roles = (await grace.api('/api/rbac/roles?per_page=5')).roles;
    const invite = async (email) => (await grace.api('/api/organization/invites', {email, roles: roles.slice(0, 1).map((each) => each.uniqueId)})).token;
    const asked = [];
    context.on('request', (request) => asked.push(request.url()));
    const fresh = `${crypto.randomUUID()}@console.example`;
    const token = await invite(fresh);
    await page.goto(`/console/join#token=${token}`);
    await page.getByLabel('Your name').waitFor();
    await looks('join');
    await page.getByLabel('Your name').fill('Joan Clarke');
    await page.getByLabel('Password', {exact: true}).fill(kPassword);
    await page.getByRole('button', {name: 'Make an account and join'}).click();
    await page.waitForURL(`**/console/o/${grace.organization}/home`);
    await page.getByText('You are a member of Northwind Tea').waitFor();
    check(!asked.some((each) => each.includes(token)), 'the token was sent in an address');

    const other = await another();
    const second = await other.newPage();
    await second.goto(`/console/join#token=${await invite(ada.email)}`);
    await second.getByText('I have an account').click();
    await second.getByLabel('E-mail address').fill(ada.email);
    await second.getByLabel('Password', {exact: true}).fill(kPassword);
    await second.getByRole('button', {name: 'Sign in and join'}).click();
    await second.waitForURL(`**/console/o/${grace.organization}/home`);
    await second.getByRole('button', {name: /^Northwind Tea/}).click();
    await second.getByRole('menuitemradio', {name: 'Analytical Engines'}).click();
    await second.waitForURL(`**/console/o/${ada.organization}/home`);

    const third = await (await another()).newPage();
    await third.goto(`${url}/console/join#token=${token}`);
    await third.getByLabel('Your name').fill('Somebody Else');
    await third.getByLabel('Password', {exact: true}).fill(kPassword);
    await third.getByRole('button', {name: 'Make an account and join'}).click();
    await third.getByText('This invitation is over').waitFor();
  });

journey('sessions: the others are ended', {}, async ({page, person, open, another, looks, expect}) => {
  expect(/status of 401/);
  const grace = await person();
  await open(grace, 'sessions');
  const other = await (await another()).newPage();
  await open(grace, 'home', other);
  await page.reload();
  await page.getByText('This one').waitFor();
  await looks('sessions');
  await page.getByRole('button', {name: /^End \d+ other sessions?$/}).click();
  await page.getByRole('alertdialog').getByRole('button', {name: /^End \d+ other sessions?$/}).click();
  await page.getByText(/sessions? ha(s|ve) ended/).waitFor();
  await other.reload();
  await other.waitForURL('**/console/sign-in**');
  await page.getByText('This one').waitFor();
});

journey('profile: name, language, theme', {}, async ({page, person, open, looks}) => {
  const grace = await person();
  await open(grace, 'profile');
  await looks('profile');
  await page.getByLabel('Your name').fill('Rear Admiral Hopper');
  await page.getByRole('button', {name: 'Save', exact: true}).click();
  await page.getByRole('button', {name: /Rear Admiral Hopper.*profile and settings/}).waitFor();
  await page.getByText('Deutsch').click();
  await page.getByRole('heading', {name: 'Profil', level: 1}).waitFor();
  await page.getByText('Dunkel').click();
  await page.locator('html[data-theme=dark]').waitFor({state: 'attached'});
  await page.reload();
  await page.getByRole('heading', {name: 'Profil', level: 1}).waitFor();
});

journey('access: every page in every look', {}, async ({page, looks, expect}) => {
  expect(/status of 401/);
  for (const [name, path, seen] of [
    ['sign-in', 'sign-in', 'Sign in'], ['forgotten', 'password', 'Forgotten password'], ['set-password', 'password#token=x', 'Set your password'],
    ['join-incomplete', 'join', 'This link is not complete'],
  ]) {
    await page.goto(`/console/${path}`);
    await page.getByRole('heading', {name: seen, level: 1}).waitFor();
    await looks(name);
    await page.goto('about:blank');
  }
});

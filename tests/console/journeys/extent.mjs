// As many contacts as somebody may have. Figures are printed beside their bars; what is counted must hold, times are for whoever reads them.
import {check, figure, journey} from '../bed.mjs';
import {importMany, numbered} from '../contacts.mjs';
import {scrolled, tellScroll} from '../scroll.mjs';

const frame = (page) => page.getByRole('region', {name: 'Contacts'});

/** Drags the scrollbar to a share of the whole, as a hand does, and waits until a row is there; gives back how long that took after it was let go. */
const drag = (page, share, row) => frame(page).evaluate(async (each, [share, row]) => {
  const [from, to] = [each.scrollTop, share * (each.scrollHeight - each.clientHeight)];
  for (let step = 1; step <= 20; ++step) {
    each.scrollTop = from + (to - from) * step / 20;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  const begin = performance.now();
  const isThere = () => [...each.querySelectorAll('[role=row]')].some((line) => Number(line.getAttribute('aria-rowindex')) === row + 2 && line.querySelector('a'));
  while (!isThere()) {
    if (performance.now() - begin > 60_000) throw new Error(`row ${row} does not come`);
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
  return Math.round(performance.now() - begin);
}, [share, row]);

/** Each row that is drawn has the contact of its place. */
async function checkRows(page) {
  const drawn = await frame(page).evaluate((each) => [...each.querySelectorAll('[role=row]')].flatMap((line) =>
    line.querySelector('a') ? [[Number(line.getAttribute('aria-rowindex')) - 2, line.querySelector('a').textContent]] : []));
  check(drawn.length > 10, `only ${drawn.length} rows are there`);
  for (const [row, name] of drawn) check(name === numbered(row), `row ${row} is ${name}`);
}

journey('extent: 100,000 contacts in one scroll', {}, async ({page, person, open, shot}) => {
  const count = 100_000;
  const grace = await person();
  await importMany(grace, count);
  await open(grace, 'contacts');
  await page.getByText('Export 100,000 contacts').waitFor();
  await page.getByRole('row').nth(20).getByRole('link').waitFor();
  for (const [name, pixels] of [['reading', 120], ['quick', 1200]]) {
    const cost = await scrolled(frame(page), {seconds: 10, pixels, row: '[role=row]', filled: 'a'});
    tellScroll(name, cost);
    check(cost.rows <= 60, `${cost.rows} rows are drawn`);
  }
  await shot('scrolled');

  await page.goto(page.url() + '?sort=name');
  await page.getByRole('link', {name: numbered(0)}).waitFor();
  for (const [name, row] of [['to the end', count - 1], ['to 95 of 100', 95_000], ['to 5 of 100', 5_000], ['to the middle', 50_000], ['a little further', 50_400], ['to 3 of 4', 75_000], ['back to the middle', 50_000], ['to the beginning', 0]]) {
    figure(`dragged ${name}: until its row is there`, await drag(page, row / (count - 1), row), 1000, 'ms');
    await checkRows(page);
  }
});

journey('extent: more than 250,000 contacts come in parts', {}, async ({page, person, open, looks}) => {
  const count = 250_050;
  const grace = await person();
  await importMany(grace, count);
  await open(grace, 'contacts?sort=name');
  await page.getByText('Contacts 1 to 10,000 of 250,050').waitFor();
  await page.getByRole('link', {name: numbered(0)}).waitFor();
  await looks('parts');
  await page.getByRole('button', {name: 'Last'}).click();
  await page.getByText('Contacts 250,001 to 250,050 of 250,050').waitFor();
  await page.getByRole('link', {name: numbered(250_000)}).waitFor();
  check(page.url().includes('page=26'), 'the part is not in the address');
  await page.goBack();
  await page.getByRole('link', {name: numbered(0)}).waitFor();
  await page.getByRole('button', {name: 'Next'}).click();
  await page.getByRole('link', {name: numbered(10_000)}).waitFor();
});

// For tests/console/run: node journeys.mjs TOOLS URL [--short] [--draw] [AREA | WORD...]
import {readdirSync} from 'node:fs';
import {Bed, journeys} from './bed.mjs';

const [tools, url, ...rest] = process.argv.slice(2);
const isShort = rest.includes('--short'), isDrawing = rest.includes('--draw');
const words = rest.filter((each) => !each.startsWith('--'));
const folder = new URL('journeys/', import.meta.url);

for (const file of readdirSync(folder).filter((each) => each.endsWith('.mjs')).sort()) {
  const before = journeys.length;
  await import(new URL(file, folder));
  for (const each of journeys.slice(before)) each.area = file.replace('.mjs', '');
}
const wanted = journeys.filter((each) =>
  (!isShort || each.isShort) && (words.length === 0 || words.some((word) => each.area === word || each.name.includes(word))));
if (wanted.length === 0) throw new Error('there is no such journey');

const bed = new Bed(tools, url, {isShort, isDrawing});
await bed.start();
let failed = 0;
for (const each of wanted) {
  const begin = Date.now();
  const faults = await bed.walk(each);
  console.log(`${faults.length === 0 ? 'well  ' : 'FAILED'} ${((Date.now() - begin) / 1000).toFixed(1).padStart(5)} s  ${each.name}`);
  for (const fault of faults) console.log(fault.replace(/^/gm, '         '));
  if (faults.length > 0) ++failed;
}
await bed.stop();
if (!isShort) bed.tellInteractions();
console.log(failed > 0 ? `${failed} of ${wanted.length} journeys failed: pictures in ${bed.pictures}` : `${wanted.length} journeys went well`);
process.exit(failed > 0 ? 1 : 0);

// Locks the packages of package.json: node gateway/docs/lock.mjs
//
// @scalar/api-reference names 270 packages as its dependencies, of which its standalone bundle, all that is used of it,
// already has what it needs: they are left out, and so is what is theirs alone. Addresses
// of sponsors are left out, too.
import {execFileSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';

const directory = new URL('.', import.meta.url).pathname;
const path = directory + 'package-lock.json';
execFileSync('npm', ['install', '--package-lock-only'], {cwd: directory, stdio: 'inherit'});
const lock = JSON.parse(readFileSync(path, 'utf8'));
const bundled = lock.packages['node_modules/@scalar/api-reference'];
delete bundled.dependencies;
delete bundled.engines; // of those who build with it

const needed = new Set();
const need = (name) => {
  const key = `node_modules/${name}`;
  if (needed.has(key)) return;
  needed.add(key);
  Object.keys(lock.packages[key].dependencies ?? {}).forEach(need);
};
Object.keys(lock.packages[''].dependencies).forEach(need);
for (const key of Object.keys(lock.packages)) if (key !== '' && !needed.has(key)) delete lock.packages[key];
for (const entry of Object.values(lock.packages)) delete entry.funding;
writeFileSync(path, JSON.stringify(lock, null, 2) + '\n');

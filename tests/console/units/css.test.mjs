// Stylesheets and components name each other's classes as text, which the compiler does not see.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const source = fileURLToPath(new URL('../../../gateway/console/src', import.meta.url));
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).map((file) => join(source, file));
const sheets = files.filter((file) => file.endsWith('.css'));
const scripts = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
const bare = (file) => readFileSync(file, 'utf8').replace(/\/\*[^]*?\*\//g, '');

const names_of = (file) => new Set([...bare(file).replace(/"[^"]*"/g, '').matchAll(/\.([a-z][a-z0-9_]*)(?![a-z0-9_]*\()/gi)].map(([, name]) => name));
const literals = (text) => new Set([...text.matchAll(/['"`]([a-z][a-z0-9_]*)['"`]/g)].map(([, word]) => word));

test('components name only classes that their stylesheet has, and it has none that nobody names', () => {
  const faults = [];
  const users = new Map(sheets.filter((file) => file.endsWith('.module.css')).map((file) => [file, []]));
  for (const script of scripts) {
    const text = readFileSync(script, 'utf8');
    for (const [, local, path] of text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm)) {
      const sheet = join(dirname(script), path);
      users.get(sheet).push({ script, text, local });
    }
  }
  for (const [sheet, imported] of users) {
    const names = names_of(sheet);
    const used = new Set();
    for (const { script, text, local } of imported) {
      // field.tsx lends its classes to the other fields as `f`.
      const lent = sheet.endsWith('/field.module.css')
        ? scripts.filter((one) => /fieldStyles as f\b/.test(readFileSync(one, 'utf8'))).flatMap((one) => [...readFileSync(one, 'utf8').matchAll(/\bf\.([a-z_]+)/g)]) : [];
      for (const [, name] of [...text.matchAll(new RegExp(`\\b${local}\\.([a-z0-9_]+)`, 'g')), ...lent]) {
        used.add(name);
        if (!names.has(name)) faults.push(`${relative(source, script)}: ${relative(source, sheet)} lacks .${name}`);
      }
      // s[kind], s[`dot_${tone}`]: any word of the script or of one that it takes its types from, or such a beginning, may be meant.
      const words = new Set([text, ...[...text.matchAll(/from '(\.[^']+\.tsx?)'/g)].map(([, path]) => readFileSync(join(dirname(script), path), 'utf8'))].flatMap((one) => [...literals(one)]));
      for (const [, key] of text.matchAll(new RegExp(`\\b${local}\\[([^\\]]+)\\]`, 'g'))) {
        const beginning = /^`([a-z_]*)\$\{/.exec(key)?.[1];
        for (const name of names) if (beginning === undefined ? words.has(name) : name.startsWith(beginning)) used.add(name);
      }
    }
    for (const name of names) if (!used.has(name)) faults.push(`${relative(source, sheet)}: nobody names .${name}`);
  }
  assert.deepEqual(faults, []);
});

test('every custom property that is used is set', () => {
  // What components set on elements, or React Aria does.
  const elsewhere = new Set(['columns', 'columns-narrow', 'hue', 'trigger-width', 'visual-viewport-height']);
  const known = new Set([...bare(join(source, 'design/tokens.css')).matchAll(/--([a-z0-9-]+):/g)].map(([, name]) => name));
  const faults = sheets.flatMap((sheet) => [...bare(sheet).matchAll(/var\(--([a-z0-9-]+)/g)]
    .filter(([, name]) => !known.has(name) && !elsewhere.has(name)).map(([, name]) => `${relative(source, sheet)}: --${name}`));
  assert.deepEqual(faults, []);
});

test('every token is used', () => {
  const all = [...sheets, ...scripts].map((file) => readFileSync(file, 'utf8')).join('\n');
  const known = [...bare(join(source, 'design/tokens.css')).matchAll(/--([a-z0-9-]+):/g)].map(([, name]) => name);
  assert.deepEqual([...new Set(known)].filter((name) => !new RegExp(`var\\(--${name}[,)]`).test(all)), []);
});

test('places are logical, so that each page also runs from right to left', () => {
  const physical = /(?:^|[\s;{])((?:margin|padding|border)-(?:left|right|top|bottom)[a-z-]*|(?:left|right|top|bottom|width|height|(?:min|max)-(?:width|height)|float)\s*:\s*[^;]+|text-align:\s*(?:left|right))/gm;
  const faults = sheets.flatMap((sheet) => [...bare(sheet).replace(/@(?:media|container)[^{]*/g, '').matchAll(physical)].map(([, rule]) => `${relative(source, sheet)}: ${rule}`));
  assert.deepEqual(faults, []);
});

test('colours come from the tokens', () => {
  const faults = sheets.filter((sheet) => !sheet.endsWith('design/tokens.css')).flatMap((sheet) => [...bare(sheet).matchAll(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(/gi)].map(([colour]) => `${relative(source, sheet)}: ${colour}`));
  assert.deepEqual(faults, []);
});

test('animations and containers have one name each in all stylesheets', () => {
  const named = sheets.flatMap((sheet) => [...bare(sheet).matchAll(/@keyframes ([\w-]+)|\bcontainer: ([\w-]+)/g)].map(([, frames, container]) => frames ?? container));
  assert.deepEqual(named.filter((name, index) => named.indexOf(name) !== index), []);
});

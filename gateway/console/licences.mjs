// The licences of the packages that the bundle is made of.
import {readFileSync, readdirSync} from 'node:fs';
import {join, resolve} from 'node:path';

// The folder of the package that a file belongs to, or undefined for a file of our own.
const packageOf = (path) => path.match(/^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/)?.[0];

const textOf = (folder) => {
  const {name, version, license} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!license) throw new Error(`${name} tells no licence`);
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort();
  if (texts.length === 0) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')}\n`;
};

export const licences = ({outputs}, directory) => {
  const folders = new Set();
  for (const {inputs} of Object.values(outputs))
    for (const [path, {bytesInOutput}] of Object.entries(inputs)) {
      const folder = bytesInOutput > 0 && packageOf(resolve(directory, path));
      if (folder) folders.add(folder);
    }
  const texts = [...folders].map(textOf).sort();
  return `The console is made with these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
};

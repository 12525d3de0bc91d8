// Makes the console: its page, what that loads, and the licences of the packages in it.
//
//   node build.mjs PACKAGES OUT     PACKAGES: the folder with node_modules; OUT: the folder to fill
//
// OUT/site.list then names the files: "PATH|FILE|brotli", the path being where the gateway serves it; FILE.br is the same by
// brotli. OUT/metafile.json is what esbuild tells about the bundle. The same sources give the same files.
import {createHash} from 'node:crypto';
import {mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {basename, join, relative, resolve} from 'node:path';
import {brotliCompressSync, constants} from 'node:zlib';
import {earlyOptions, esbuildOf, isServed, options, page, prerenderOptions, read, withoutEmpty} from './bundle.mjs';
import {licences} from './licences.mjs';

const [packages, out] = process.argv.slice(2).map((path) => resolve(path));
const hashOf = (content) => createHash('sha256').update(content).digest('hex').slice(0, 16);
const brotli = (content) =>
  brotliCompressSync(content, {params: {[constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: content.length}});

const bundle = (settings) => esbuildOf(packages).build(settings).catch(() => process.exit(1)); // esbuild has said why
const {metafile, outputFiles} = withoutEmpty(await bundle(options(packages)));
const [first] = (await bundle(earlyOptions(packages, metafile))).outputFiles;
const prerender = (await bundle(prerenderOptions(packages))).outputFiles.find(({path}) => path.endsWith('.js'));

rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
writeFileSync(join(out, 'prerender.mjs'), prerender.contents);
const {templates} = await import(join(out, 'prerender.mjs'));
const prerendered = await templates();
const list = [];
const put = (path, file, content) => {
  const octets = Buffer.from(content);
  writeFileSync(join(out, file), octets);
  writeFileSync(join(out, `${file}.br`), brotli(octets));
  list.push(`${path}|${file}|brotli`);
};
// A file that never changes under its address, which has its hash.
const asset = (file, content) => {
  put(`/console/assets/${file}`, file, content);
  return `/console/assets/${file}`;
};

for (const {path, contents} of outputFiles) if (isServed(metafile, relative(packages, path))) asset(basename(path), contents);
const early = asset(basename(first.path), first.contents);
const mark = read('../docs/pages/icon.svg');
const icon = asset(`icon-${hashOf(mark)}.svg`, mark);
const build = hashOf([read('src/page.html'), prerendered, ...list].join('\n'));
put('/console/', 'page.html', page({metafile, icon, build, early, prerendered}));
put('/console/licences.txt', 'licences.txt', licences(metafile, packages));
writeFileSync(join(out, 'site.list'), list.sort().join('\n') + '\n');
writeFileSync(join(out, 'metafile.json'), JSON.stringify(metafile));

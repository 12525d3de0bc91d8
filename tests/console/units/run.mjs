// usage: node tests/console/units/run.mjs [--packages FOLDER] [PART OF A NAME]
//
// Runs the units; those in TypeScript are bundled first, with the packages of gateway/console or of a folder that has them, too.
// Status 77: the packages are not there.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));

if (process.env.NODE_TEST_CONTEXT) process.exit();  // `node --test units/*.mjs` takes it for a unit

const {values, positionals: [wanted = '']} = parseArgs({options: {packages: {type: 'string'}}, allowPositionals: true});
const packages = resolve(values.packages ?? join(here, '../../../gateway/console'));
if (!existsSync(join(packages, 'node_modules'))) {
  console.log(`not tried: ${packages} has no packages`);
  process.exit(77);
}
const names = readdirSync(here).filter((name) => /\.test\.(ts|mjs)$/.test(name) && name.includes(wanted));
const bundled = names.filter((name) => name.endsWith('.ts'));
const out = mkdtempSync(join(tmpdir(), 'parley-console-units-'));
try {
  const {buildSync} = createRequire(join(packages, 'package.json'))('esbuild');
  buildSync({
    entryPoints: bundled.map((name) => join(here, name)),
    outdir: out,
    outExtension: {'.js': '.mjs'},
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'warning',
    nodePaths: [join(packages, 'node_modules')],
    // Packages of CommonJS ask for it.
    banner: {js: "import {createRequire as toRequire} from 'node:module'; const require = toRequire(import.meta.url);"},
  });
  const files = names.map((name) => name.endsWith('.ts') ? join(out, name.replace(/\.ts$/, '.mjs')) : join(here, name));
  const ran = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], {cwd: join(here, '../../..'), stdio: 'inherit', timeout: 300_000});
  process.exitCode = ran.status ?? 1;
} finally {
  rmSync(out, {recursive: true});
}

// Bundles the units' tests and runs them: node tests/console/units/run.mjs [PART OF A NAME]
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sources = join(here, '../../../gateway/console');
const {buildSync} = createRequire(join(sources, 'package.json'))('esbuild');

const wanted = process.argv[2] ?? '';
const names = readdirSync(here).filter((name) => name.endsWith('.test.ts') && name.includes(wanted));
const out = mkdtempSync(join(tmpdir(), 'parley-console-units-'));
try {
  buildSync({
    entryPoints: names.map((name) => join(here, name)),
    outdir: out,
    outExtension: {'.js': '.mjs'},
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'warning',
    nodePaths: [join(sources, 'node_modules')],
    // Packages of CommonJS ask for it.
    banner: {js: "import {createRequire as toRequire} from 'node:module'; const require = toRequire(import.meta.url);"},
  });
  const files = names.map((name) => join(out, name.replace(/\.ts$/, '.mjs')));
  const ran = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], {stdio: 'inherit', timeout: 120_000});
  process.exitCode = ran.status ?? 1;
} finally {
  rmSync(out, {recursive: true});
}

// How the console is bundled, for build.mjs and dev.mjs.
import {existsSync, readFileSync, readdirSync, readlinkSync, rmSync, symlinkSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join, relative} from 'node:path';

export const here = new URL('.', import.meta.url).pathname.replace(/\/$/, '');
const kStart = 'src/main.tsx';
export const read = (name) => readFileSync(join(here, name), 'utf8');

// Of the packages in a folder's node_modules.
export const esbuildOf = (packages) => createRequire(join(packages, 'x.js'))('esbuild');

// Of an icon of heroicons there is its path: import plus from 'heroicons/24/outline/plus.svg' (src/design/icons.ts).
const icons = {
  name: 'icons',
  setup: (build) =>
    build.onLoad({filter: /[/\\]heroicons[/\\].*\.svg$/}, ({path}) => {
      const paths = [...readFileSync(path, 'utf8').matchAll(/ d="([^"]+)"/g)].map(([, shape]) => shape);
      if (!paths.every((shape, index) => shape.startsWith('M') || (index === 0 && shape.startsWith('m')))) throw new Error('is no icon that bundle.mjs understands');
      return {contents: paths.join(''), loader: 'text'};
    }),
};

// The page's policy refuses text as HTML, even an empty one, and style elements that scripts make. React Aria does both once.
const mends = [
  {file: 'live-announcer/LiveAnnouncer.mjs', changes: [[".innerHTML = ''", '.replaceChildren()']]},
  {
    file: 'overlays/usePreventScroll.mjs',
    changes: [["document.createElement('style')", 'adopted()'], ['document.head.prepend(style)', 'document.adoptedStyleSheets.push(style.sheet)']],
    more: `
      function adopted() {
        const sheet = new CSSStyleSheet();
        return {
          sheet,
          set textContent(text) { sheet.replaceSync(text); },
          remove() { document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet); },
        };
      }`,
  },
];
const policy = {
  name: 'policy',
  setup: (build) =>
    build.onLoad({filter: /[/\\]react-aria[/\\]dist[/\\]private[/\\]/}, ({path}) => {
      const mend = mends.find(({file}) => path.endsWith(file));
      if (!mend) return undefined;
      let text = readFileSync(path, 'utf8');
      for (const [from, to] of mend.changes) {
        if (!text.includes(from)) throw new Error(`is not as it was when bundle.mjs was written: it has no ${from}`);
        text = text.replaceAll(from, to);
      }
      return {contents: text + (mend.more ?? ''), loader: 'js'};
    }),
};

// React Aria speaks 34 languages, the console those of src/texts: the others have the English words.
const languages = {
  name: 'languages',
  setup: (build) =>
    build.onLoad({filter: /react-(aria|stately)[^/\\]*[/\\]dist[/\\]private[/\\](.*[/\\])?[a-z]{2}-[A-Z]{2}\.mjs$/}, ({path}) =>
      /(en-US|de-DE|ar-AE)\.mjs$/.test(path) ? undefined : {contents: "export {default} from './en-US.mjs';", loader: 'js', resolveDir: dirname(path)}),
};

// Classes have short names, by their order in all styles: the same in every bundle, as prerender.tsx has one of its own.
const kStyle = /\.module\.css$/, kClass = /\.([a-z]\w*)/gi;
const shortName = (number) => (number < 26 ? '' : shortName(Math.floor(number / 26) - 1)) + String.fromCharCode(97 + (number % 26));
const classNames = () => {
  let count = 0;
  const namesIn = (style) => new Map([...new Set(read(style).match(kClass))].map((name) => [name.slice(1), shortName(count++)]));
  const styles = readdirSync(join(here, 'src'), {recursive: true}).filter((path) => kStyle.test(path)).sort();
  return new Map(styles.map((path) => [join('src', path), namesIn(join('src', path))]));
};
const styles = {
  name: 'styles',
  setup: (build) => {
    let all;
    build.onStart(() => { all = classNames(); });
    build.onResolve({filter: /\.module\.css\?rules$/}, ({path, resolveDir}) => ({path: join(resolveDir, path.split('?')[0]), suffix: '?rules'}));
    build.onLoad({filter: kStyle}, ({path, suffix}) => {
      const names = all.get(relative(build.initialOptions.absWorkingDir, path));
      return suffix ? {contents: readFileSync(path, 'utf8').replace(kClass, (_, name) => `.${names.get(name)}`), loader: 'css'}
                    : {contents: `import './${basename(path)}?rules'; export default ${JSON.stringify(Object.fromEntries(names))};`, loader: 'js', resolveDir: dirname(path)};
    });
  },
};

// esbuild puts whole files into what pages share: a file that leads to all components would bring all to the first page.
const components = {
  name: 'components',
  setup: (build) =>
    build.onResolve({filter: /^(react-aria-components|react-aria|react-stately)$/}, ({path, importer}) =>
      /[/\\]node_modules[/\\]/.test(importer) ? undefined : {errors: [{text: `all of ${path} would be loaded with the first page: import from '${path}/NAME'`}]}),
};

// Whatever is loaded later finds there what the page began with, but esbuild does not know: it would cut that into a file for each set
// of pages that share something of it, fifty in all. So each source says that it comes after main.tsx; the file is then one.
const start = {
  name: 'start',
  setup: (build) => {
    build.onResolve({filter: /^#start$/}, () => ({path: join(build.initialOptions.absWorkingDir, kStart)}));
    build.onLoad({filter: /[/\\]src[/\\].*\.tsx?$/}, ({path}) =>
      /[/\\]node_modules[/\\]/.test(path) ? undefined : {contents: `${readFileSync(path, 'utf8')}\nimport '#start';\n`, loader: path.endsWith('x') ? 'tsx' : 'ts'});
  },
};

// Has the sources beside node_modules. So they find these packages and no others, and the hashes that esbuild makes, of paths too, are
// the same wherever the folder is.
const link = (packages) => {
  const path = join(packages, 'src'), sources = join(here, 'src');
  if (path === sources || (existsSync(path) && readlinkSync(path) === sources)) return;
  rmSync(path, {force: true});
  symlinkSync(sources, path);
};

const settings = (packages, isDevelopment) => ({
  absWorkingDir: packages,
  preserveSymlinks: true,
  tsconfig: join(here, 'tsconfig.json'),
  entryPoints: [kStart],
  outdir: 'assets',
  bundle: true,
  splitting: true,
  format: 'esm',
  jsx: 'automatic',
  target: ['chrome120', 'firefox125', 'safari17.4'],
  minify: !isDevelopment,
  sourcemap: isDevelopment ? 'linked' : false,
  define: {'process.env.NODE_ENV': isDevelopment ? '"development"' : '"production"'},
  jsxDev: isDevelopment,
  legalComments: 'none', // licences.txt has them
  charset: 'utf8',
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  publicPath: '/console/assets/',
  plugins: [start, styles, icons, languages, components, policy],
  metafile: true,
  write: false,
  logLevel: 'warning',
});

export const options = (packages, isDevelopment = false) => {
  link(packages);
  return settings(packages, isDevelopment);
};

// A script and all that it imports at once, by the metafile.
const closureOf = (outputs, path, known = new Set()) => {
  known.add(path);
  for (const {path: next, kind, external} of outputs[path].imports)
    if (kind === 'import-statement' && !external && !known.has(next)) closureOf(outputs, next, known);
  return [...known];
};

// The files that the page needs, by the metafile: the script of the entry, what it imports at once, and its style. That has the
// style of all pages, as esbuild leaves it to the bundle of an entry: nothing is shown before its style is there.
export const entryOf = ({outputs}) => {
  const [script, {cssBundle: style}] = Object.entries(outputs).find(([, {entryPoint}]) => entryPoint === kStart);
  return {script, preloads: closureOf(outputs, script).filter((path) => path !== script).sort(), style};
};

// By the source of each script that is loaded later, the paths of what is then loaded: it, and what it imports at once and main.tsx does not.
const partsOf = ({outputs}) => {
  const scripts = Object.entries(outputs).filter(([path, {entryPoint}]) => entryPoint && path.endsWith('.js'));
  const start = closureOf(outputs, entryOf({outputs}).script);
  return Object.fromEntries(scripts.map(([path, {entryPoint}]) => [entryPoint.slice('src/'.length), closureOf(outputs, path).filter((each) => !start.includes(each))]));
};

// early.ts, which knows those of the words and of the pages.
export const earlyOptions = (packages, metafile) => {
  const parts = Object.entries(partsOf(metafile)).filter(([source]) => /^texts\/\w+\.ts$|^pages\/(\w+)\/\1\.tsx$/.test(source)).sort();
  const addresses = Object.fromEntries(parts.map(([source, paths]) => [source, paths.map((each) => `/console/${each}`).sort()]));
  return {...settings(packages, false), entryPoints: ['src/early.ts'], splitting: false, plugins: [], define: {kParts: JSON.stringify(addresses)}};
};

// prerender.tsx, for node, which lacks two things that it wants of a browser.
export const prerenderOptions = (packages) => ({
  ...settings(packages, false), entryPoints: ['src/prerender.tsx'], splitting: false, plugins: [styles, icons, languages, components],
  banner: {js: 'globalThis.navigator ??= {languages: []}; globalThis.addEventListener ??= () => {};'},
});

// esbuild makes a file with nothing in it where modules that several pages share turn out to have nothing that is used, and has others import it.
export const withoutEmpty = ({metafile, outputFiles}) => {
  const {outputs} = metafile;
  const empty = Object.keys(outputs).filter((path) => path.endsWith('.js') && outputs[path].bytes === 0);
  for (const path of empty) delete outputs[path];
  for (const output of Object.values(outputs)) output.imports = output.imports.filter(({path}) => !empty.includes(path));
  const statements = empty.map((path) => `import"/console/${path}";`);
  const files = outputFiles.filter(({contents}) => contents.length > 0).map(({path, contents, text}) =>
    ({path, contents: path.endsWith('.js') ? statements.reduce((left, each) => left.replaceAll(each, ''), text) : contents}));
  return {metafile, outputFiles: files};
};

// What is made of these by esbuild for scripts that are loaded later is in the style of the entry already.
export const isServed = (metafile, path) => !path.endsWith('.css') || path === entryOf(metafile).style;

export const page = ({metafile, icon, build, early = '', prerendered = '', more = ''}) => {
  const {script, preloads, style} = entryOf(metafile);
  const address = (path) => `/console/${path}`;
  const values = {
    build, icon, prerendered,
    style: address(style),
    scripts: [early && `<script type="module" src="${early}"></script>`, ...preloads.map((path) => `<link rel="modulepreload" href="${address(path)}">`), `<script type="module" id="main" src="${address(script)}"></script>`, more]
      .filter(Boolean).join('\n'),
  };
  return read('src/page.html').replace(/\$\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`src/page.html asks for ${name}`);
    return values[name];
  });
};

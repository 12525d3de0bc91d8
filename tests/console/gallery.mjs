// The gallery of the components, which is in no console that is delivered: made of the sources, and shown as if it were a page.
import {basename} from 'node:path';
import {esbuildOf, options, read} from '../../gateway/console/bundle.mjs';

let files;
const kTypes = {css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml'};
const kMain = `
  import './design/tokens.css';
  import './design/base.css';
  import {createRoot} from 'react-dom/client';
  import Gallery from './pages/gallery/gallery.tsx';
  createRoot(document.getElementById('root')).render(<Gallery />);`;

async function make(tools) {
  const {entryPoints, ...settings} = options(tools, true);
  const {outputFiles} = await esbuildOf(tools).build({
    ...settings, splitting: false, entryNames: 'gallery', sourcemap: false, metafile: false, outdir: '/console/assets',
    plugins: settings.plugins.filter(({name}) => name !== 'start'),  // it says that all come after the console's own main.tsx
    stdin: {contents: kMain, loader: 'tsx', resolveDir: `${tools}/src`},
  });
  return new Map([...outputFiles.map(({path, contents}) => [basename(path), Buffer.from(contents)]), ['gallery.svg', Buffer.from(read('../docs/pages/icon.svg'))]]);
}

/** Has the browser find the gallery at /console/gallery, below the policy of the console. */
export async function gallery(context, {tools, url}) {
  files ??= await make(tools);
  const policy = (await fetch(`${url}/console/`)).headers.get('content-security-policy');
  const values = {build: 'gallery', icon: '/console/assets/gallery.svg', style: '/console/assets/gallery.css', scripts: '<script type="module" src="/console/assets/gallery.js"></script>'};
  // Nobody is asked for: the gallery knows no person.
  const html = read('src/page.html').replace(/<link rel="preload".*\n/, '').replace(/\$\{(\w+)\}/g, (_, name) => values[name]);
  await context.route(/\/console\/gallery(\?|$)/, (route) =>
    route.fulfill({contentType: 'text/html', body: html, headers: policy ? {'Content-Security-Policy': policy} : {}}));
  await context.route('**/console/assets/gallery.*', (route) => {
    const name = basename(new URL(route.request().url()).pathname);
    return route.fulfill({contentType: kTypes[name.split('.').pop()], body: files.get(name)});
  });
}

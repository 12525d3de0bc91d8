// Makes the site of /docs: the guides as HTML, the reference, and what they load.
//
//   node build.mjs PACKAGES OUT     PACKAGES: the folder with node_modules; OUT: the folder to fill
//
// OUT/site.list then names the files: "PATH|FILE", the path being where the gateway serves it.
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, join, resolve} from 'node:path';

const here = new URL('.', import.meta.url).pathname;
const [packages, out] = process.argv.slice(2).map((path) => resolve(path));
const require = createRequire(join(packages, 'x.js'));
const MarkdownIt = require('markdown-it');
const highlighter = require('highlight.js/lib/core');
for (const language of ['bash', 'go', 'http', 'json', 'python', 'typescript'])
  highlighter.registerLanguage(language, require(`highlight.js/lib/languages/${language}`));

const read = (name) => readFileSync(join(here, name), 'utf8');
const escape = (text) => text.replace(/[&<>"]/g, (c) => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c]);
// ${NAME} in a template stands for a value.
const fill = (template, values) =>
  template.replace(/\$\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`a template asks for ${name}`);
    return values[name];
  });

rmSync(out, {recursive: true, force: true});
mkdirSync(out, {recursive: true});
const start = '/docs/start'; // where / leads, too, in a build without the console
const list = [];
const put = (path, file, content) => {
  writeFileSync(join(out, file), content);
  list.push(`${path}|${file}`);
};

// A file that never changes under its address, which has its hash.
const asset = (name, content) => {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const path = `/docs/assets/${name.replace(/\.(\w+)$/, `.${hash}.$1`)}`;
  put(path, basename(path), content);
  return path;
};

const assets = {
  icon: asset('icon.svg', read('pages/icon.svg')),
  style: asset('style.css', read('pages/style.css')),
  guide: asset('guide.js', read('pages/guide.js')),
  reference: asset('reference.js', read('pages/reference.js')),
  scalar: asset('scalar.js', readFileSync(require.resolve('@scalar/api-reference').replace(/dist.*/, 'dist/browser/standalone.js'))),
};

const languages = {sh: 'bash', ts: 'typescript', python: 'python', go: 'go', json: 'json', http: 'http'};
const markdown = new MarkdownIt({
  highlight: (code, name) => {
    if (name === 'text') return escape(code);
    if (!languages[name]) throw new Error(`no guide is in the language "${name}": ${Object.keys(languages)}`);
    return highlighter.highlight(code, {language: languages[name]}).value;
  },
});
// Headings have ids, so that they can be linked to.
markdown.core.ruler.push('ids', ({tokens}) => {
  tokens.forEach((token, i) => {
    if (token.type !== 'heading_open') return;
    token.attrSet('id', tokens[i + 1].content.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''));
  });
});
// Tables scroll by themselves on small screens.
markdown.renderer.rules.table_open = () => '<div class="table"><table>\n';
markdown.renderer.rules.table_close = () => '</table></div>\n';

// ![TEXT](NAME) is guides/pictures/NAME in the reader's theme; tests/console/run draws those of the console.
const kPicture = {width: 1200, height: 750};
const pictureOf = (name, theme) => asset(`${name}-${theme}.webp`, readFileSync(join(here, `guides/pictures/${name}.${theme}.webp`)));
markdown.renderer.rules.image = (tokens, i) => {
  const name = tokens[i].attrGet('src'), text = escape(tokens[i].content);
  return `<picture><source media="(prefers-color-scheme: dark)" srcset="${pictureOf(name, 'dark')}">` +
    `<img src="${pictureOf(name, 'light')}" alt="${text}" width="${kPicture.width}" height="${kPicture.height}" loading="lazy"></picture>`;
};

// guides/NN-NAME.md becomes /docs/NAME; its first line is its title, its first paragraph tells what it is about.
const guides = readdirSync(join(here, 'guides')).filter((name) => name.endsWith('.md')).sort().map((file) => {
  const [, name] = file.match(/^\d\d-([a-z-]+)\.md$/) ?? [];
  const text = read(`guides/${file}`);
  const [, title, about] = text.match(/^# (.+)\n\n((?:.+\n)+)/) ?? [];
  if (!name || !title) throw new Error(`guides/${file} is not called NN-NAME.md, or does not begin with a title and a paragraph`);
  return {path: `/docs/${name}`, file: `${name}.html`, title, text, about: markdown.renderInline(about.trim())};
});

const plain = (html) => html.replace(/<[^>]+>/g, '');
const page = (current, title, about, body, scripts) =>
  fill(read('pages/page.html'), {
    ...assets, body, about: plain(about), title: escape(title),
    scripts: scripts.map((path) => `<script src="${path}"></script>`).join('\n'),
    atReference: current === '/docs' ? ' aria-current="page"' : '',
    atGuides: current === '/docs' || current === start ? '' : ' aria-current="page"',
  });
const links = (current) => guides.map(({path, title}) =>
  `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`).join('\n');

// Links to the document's operations look like (/docs#createCampaign); those between guides like (/docs/errors).
const contract = read('../openapi.yaml');
const known = new Set([start, '/docs', '/openapi.json', ...guides.map(({path}) => path)]);
const check = (file, html) => {
  for (const [, target] of html.matchAll(/href="(\/[^"#]*)/g))
    if (!known.has(target) && !Object.values(assets).includes(target)) throw new Error(`${file} leads to ${target}, which is not there`);
  for (const [, id] of html.matchAll(/href="\/docs#([^"]*)/g))
    if (!contract.includes(`operationId: ${id}\n`)) throw new Error(`${file} leads to ${id}, which is no operation`);
  return html;
};

guides.forEach(({path, file, title, text, about}, i) => {
  const next = guides[i + 1];
  const body = fill(read('pages/guide.html'), {
    links: links(path), text: markdown.render(text),
    next: next ? `<a class="next" href="${next.path}">Next: ${escape(next.title)}</a>` : '',
  });
  put(path, file, check(file, page(path, title, about, body, [assets.guide])));
});
const cards = guides.map(({path, title, about}) =>
  `<a class="card" href="${path}"><strong>${escape(title)}</strong><span>${plain(about)}</span></a>`).join('\n');
put(start, 'start.html', check('start.html', page(start, 'Messaging campaigns and contacts', 'The API of Parley', fill(read('pages/start.html'), {cards, first: guides[0].path}), [])));
put('/docs', 'reference.html', page('/docs', 'API reference', 'Every call of the API', read('pages/reference.html'), [assets.reference, assets.scalar]));
writeFileSync(join(out, 'site.list'), list.join('\n') + '\n');

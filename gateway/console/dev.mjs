// Serves the console for its developers: builds it anew whenever src changes, and has the browser load it again.
//
//   npm ci && npm start         then http://127.0.0.1:5173/console/
//
// PARLEY_URL is the gateway that calls go to (http://127.0.0.1:8080), PORT another port. NODE_ENV=production: as the gateway's build
// makes it, to measure how fast it is.
import http from 'node:http';
import https from 'node:https';
import {basename} from 'node:path';
import {esbuildOf, here, options, page, read} from './bundle.mjs';

const gateway = new URL(process.env.PARLEY_URL ?? 'http://127.0.0.1:8080');
const port = Number(process.env.PORT ?? 5173);
const client = gateway.protocol === 'https:' ? https : http;
const types = {js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', map: 'application/json', html: 'text/html', png: 'image/png', webp: 'image/webp'};

let built;              // the last bundle that had no error
const readers = new Set(); // browsers that wait for the next
const keep = {
  name: 'keep',
  setup: (build) =>
    build.onEnd((result) => {
      if (result.errors.length > 0) return;
      built = {metafile: result.metafile, files: new Map(result.outputFiles.map(({path, contents}) => [basename(path), contents]))};
      for (const reader of readers) reader.write('data: built\n\n');
    }),
};
const own = {
  'icon.svg': read('../docs/pages/icon.svg'),
  'reload.js': "new EventSource('/console/changes').onmessage = () => location.reload();",
};

const send = (response, name, content, head = {}) => {
  response.writeHead(200, {'Content-Type': `${types[name.split('.').pop()]}; charset=utf-8`, 'Cache-Control': 'no-store', ...head});
  response.end(content);
};

const forward = (request, response) => {
  const asked = client.request(
    {hostname: gateway.hostname, port: gateway.port, path: request.url, method: request.method, headers: request.headers}, // Host too: the page's origin
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
  asked.on('error', () => response.writeHead(502).end());
  response.on('close', () => asked.destroy());
  request.pipe(asked);
};

// The policy of the gateway, so that what violates it is seen here; none where its console is not built.
const policy = () =>
  new Promise((resolve) => {
    const asked = client.request(new URL('/console/', gateway), {method: 'HEAD'}, (answer) => {
      const said = answer.headers['content-security-policy'];
      resolve(said ? {'Content-Security-Policy': said} : {});
    });
    asked.on('error', () => resolve({}));
    asked.end();
  });

const serve = async (request, response) => {
  const path = request.url.split('?')[0];
  const name = basename(path);
  if (path === '/') response.writeHead(303, {Location: '/console/'}).end();
  else if (!path.startsWith('/console/')) forward(request, response);
  else if (path === '/console/changes') {
    response.writeHead(200, {'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store'}).flushHeaders();
    readers.add(response);
    request.on('close', () => readers.delete(response));
  } else if (!path.startsWith('/console/assets/')) {
    const icon = '/console/assets/icon.svg', more = '<script src="/console/assets/reload.js"></script>';
    send(response, 'page.html', page({metafile: built.metafile, icon, build: 'development', more}), await policy());
  } else if (own[name] ?? built.files.has(name)) send(response, name, own[name] ?? built.files.get(name));
  else response.writeHead(404).end();
};

const settings = options(here, process.env.NODE_ENV !== 'production');
settings.plugins.push(keep);
const context = await esbuildOf(here).context(settings);
await context.watch();
http.createServer((request, response) => (built ? serve(request, response) : response.writeHead(503).end()))
  .listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/console/ for ${gateway.origin}`));

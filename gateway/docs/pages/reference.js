'use strict';
// Shows /openapi.json by Scalar, whose script comes after this one. Nothing is asked of another host, and what the reader types
// is kept nowhere.

// Optional parameters are shown with their examples, but are not part of requests until the reader ticks them.
const leaveOut = (parameter, resolve) => {
  if (!parameter.in || parameter.required || parameter.in === 'path') return;
  const schema = resolve(parameter.schema) ?? {};
  const value = parameter.example ?? schema.default ?? schema.examples?.[0] ?? schema.enum?.[0];
  delete parameter.example;
  parameter.examples ??= value === undefined ? undefined : {default: {value}};
  for (const example of Object.values(parameter.examples ?? {})) example['x-disabled'] = true;
};

// What an operation needs is in members of our own, which Scalar does not know.
const tellPermission = (operation) => {
  const names = (needed, word) => [needed].flat().map((name) => `\`${name}\``).join(` ${word} `);
  const needed = operation['x-permission'], more = operation['x-permission-too'];
  if (!needed && !more) return;
  const all = [needed && names(needed, 'or'), more && `for what the example asks ${names(more, 'and')}`].filter(Boolean);
  operation.description = `${operation.description ?? ''}\n\n**Needs the permission** ${all.join(', and ')}.`;
};

const adapt = (api) => {
  const resolve = (node) =>
    node?.$ref ? node.$ref.slice(2).split('/').reduce((at, key) => at?.[key], api) : node;
  Object.values(api.components.parameters).forEach((parameter) => leaveOut(parameter, resolve));
  for (const item of [...Object.values(api.paths), ...Object.values(api.webhooks ?? {})]) {
    for (const operation of Object.values(item)) {
      if (!operation.responses) continue;
      // Its own ones come before those that all operations have.
      operation.parameters = [...(operation.parameters ?? []), ...(item.parameters ?? [])];
      operation.parameters.forEach((parameter) => leaveOut(parameter, resolve));
      tellPermission(operation);
    }
    delete item.parameters;
  }
  return api;
};

// /docs#createList leads to that operation, which Scalar calls #tag/contacts/createList.
const goTo = (paths) => {
  const name = location.hash.slice(1);
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item)))
    if (name && operation.operationId === name) location.replace(`#tag/${operation.tags[0].toLowerCase()}/${name}`);
};

const show = (content) => {
  goTo(content.paths);
  addEventListener('hashchange', () => goTo(content.paths));
  const all = ['c', 'clojure', 'csharp', 'dart', 'fsharp', 'http', 'java', 'julia', 'kotlin', 'node', 'objc', 'ocaml', 'php',
               'powershell', 'r', 'ruby', 'rust', 'swift'];
  const place = document.getElementById('reference');
  place.textContent = '';
  Scalar.createApiReference(place, {
    content,
    withDefaultFonts: false,
    telemetry: false,
    agent: {disabled: true},
    mcp: {disabled: true},
    showDeveloperTools: 'never',
    hideClientButton: true,
    hideDarkModeToggle: true,
    documentDownloadType: 'none',
    persistAuth: false,
    authentication: {preferredSecurityScheme: 'bearer'},
    hiddenClients: {
      ...Object.fromEntries(all.map((language) => [language, true])),
      js: ['axios', 'jquery', 'ofetch', 'xhr'],
      python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
      shell: ['httpie', 'wget'],
    },
    defaultHttpClient: {targetKey: 'shell', clientKey: 'curl'},
    generateOperationSlug: ({operationId}) => operationId,
  });
};

// Zod, which is in Scalar, would try whether it may evaluate text, which the Content-Security-Policy forbids and reports.
globalThis.__zod_globalConfig = {jitless: true};

const loaded = new Promise((resolve) => addEventListener('DOMContentLoaded', resolve));
fetch('/openapi.json')
  .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`${answer.status}`))))
  .then((api) => loaded.then(() => show(adapt(api))))
  .catch((error) => {
    document.getElementById('reference').textContent = `/openapi.json cannot be shown: ${error.message}`;
  });

// Makes phone_plans.ts of common/model/phone_plans.hpp: what the service judges numbers by is what the wizard judges them by.
// `node src/pages/import/make_phone_plans.mjs`, after common/model/make-phone-plans.
import {readFileSync, writeFileSync} from 'node:fs';

const root = new URL('../../../../../', import.meta.url);

export function plansOf(header) {
  const rows = [...header.matchAll(/^ {4}\{"(\d+)", "(\d*)", "(\d*)", (\d+), "([\d,-]+)", "([A-Z ]*)"\},?$/gm)];
  const forms = [...header.matchAll(/\{"(\d+)", "(\d*)", (\d+)\}/g)];
  const lines = rows.map(([, ...fields]) => fields.join(';'));
  return `// Made by make_phone_plans.mjs; do not edit.

/** Calling code; trunk prefix; prefix abroad; digits of a usual number; lengths of national numbers; regions. */
export const phonePlans = \`
${lines.join('\n')}
\`;

/** Older forms of national numbers that the channel still has: calling code, beginning, digits. */
export const channelForms = [${forms.map(([, code, begin, digits]) => `['${code}', '${begin}', ${digits}]`).join(', ')}] as const;
`;
}

if (process.argv[1]?.endsWith('make_phone_plans.mjs'))
  writeFileSync(new URL('phone_plans.ts', import.meta.url), plansOf(readFileSync(new URL('common/model/phone_plans.hpp', root), 'utf8')));

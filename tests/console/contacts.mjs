// What journeys begin with: contacts of somebody.
import {check, until} from './bed.mjs';

export const named = (name, phone, more = {}) => ({name, phone, ...more});

export const many = (count, more = () => ({})) =>
  Array.from({length: count}, (_, i) => named(`Person ${String(i).padStart(3, '0')}`, `+4915202${String(i).padStart(6, '0')}`, more(i)));

export async function add(person, contacts) {
  for (let from = 0; from < contacts.length; from += 100) await person.api('/api/contacts', {contacts: contacts.slice(from, from + 100)});
}

export const rowOf = (page, name) => page.getByRole('row').filter({hasText: name});

/** So many by an import, whose names are in the order of their numbers. */
export async function importMany(person, count) {
  const lines = Array.from({length: count}, (_, n) =>
    `${numbered(n)},+4915${20_000_000 + n},${n % 3 === 0 ? 'vip' : ''}${n % 7 === 0 ? '|tea' : ''},${['London', 'Paris', 'Köln'][n % 3]}`);
  const file = new Blob(['name,phone,tags,attributes.city\n', lines.join('\n')], {type: 'text/csv'});
  const {import: {uniqueId}} = await person.api('/api/contacts/imports', file);
  await until('the import is finished', async () => {
    const {import: {status, failure}} = await person.api(`/api/contacts/imports/${uniqueId}`);
    check(['Queued', 'Running', 'Finished'].includes(status), `the import is ${status}: ${failure}`);
    return status === 'Finished';
  }, 600);
}

export const numbered = (n) => `Person ${String(n).padStart(6, '0')}`;

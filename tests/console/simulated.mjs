// Organizations on the simulated channel, and contacts, whose phone the simulator is. Needs the system's credentials.
import {randomInt, randomUUID} from 'node:crypto';
import {call, kPassword} from './bed.mjs';

/** Tells the simulator something, as tests/simulator/control.hpp has it. */
export function simulate(path, body) {
  const simulator = process.env.PARLEY_SIMULATOR_URL;
  // A journey that cannot walk must not look as if it had.
  if (!simulator) throw new Error('needs PARLEY_SIMULATOR_URL: --own-system, or PARLEY_STATE');
  return call(simulator, '/simulator/' + path, body);
}

const digits = (count) => Array.from({length: count}, () => randomInt(1, 10)).join('');

/** Somebody new, whose organization has a phone number of its own. */
export async function business({person}, who) {
  const owner = await person(who);
  const [account, number] = [digits(15), digits(15)];
  await simulate('accounts', {businessAccountId: account, phoneNumbers: [{id: number}]});
  await owner.api('/api/organization/messagingBusinessAccount', {businessAccountId: account, phoneNumberId: number, code: 'code-' + account});
  return {
    ...owner, account,
    template: (template) => simulate('templates', {businessAccountId: account, language: 'en', status: 'APPROVED', ...template}),
    customer: (profileName) => customer(number, profileName),
  };
}

/** Another member of an organization. */
export async function colleague({url}, owner, name, access = {accessLevel: 'Admin'}) {
  const email = `${randomUUID()}@console.example`;
  const {token} = await owner.api('/api/organization/invites', {email, ...access});
  const {member} = await call(url, '/api/auth/join-organization', {token, name, password: kPassword});
  return {...owner, name, email, memberId: member.uniqueId};
}

/** Somebody with a phone, who writes to a number. */
function customer(phoneNumberId, profileName) {
  const number = '+4477009' + digits(5);
  const says = (said) => simulate('inbound', {phoneNumberId, from: number, ...(profileName && {profileName}), ...said});
  return {
    number,
    writes: (text) => says({text}),
    /** A message of the channel's, such as `{type: 'location', location: {latitude, longitude}}`. */
    sends: (message) => says({messages: [message]}),
    /** `more` is beside the file in the message, such as a caption. */
    async sendsFile(type, octets, mimeType, more = {}) {
      const {id} = await simulate('media', new Blob([octets], {type: mimeType}));
      return says({messages: [{type, [type]: {id, ...more}}]});
    },
  };
}

// An organization that is at work, and where every page of the console is with what it has: for journeys that walk through all of them.
import {until} from './bed.mjs';
import {business} from './simulated.mjs';

const kLong = 'Everybody who has bought a handmade ceramic teapot in spring and has not written since then';

let made;
/** Names and words of many lengths and both directions. Looking at a page changes nothing, so one is for all journeys. */
export const shop = (trip) => (made ??= furnish(trip));

async function furnish(trip) {
  const owner = await business(trip);
  const {api} = owner;
  const named = (name, index, more) => ({name, phone: `+4915202${String(index).padStart(6, '0')}`, ...more});
  const people = ['ليلى حدّاد', 'Marie-Antoinette von Hohenzollern-Sigmaringen', 'Ada Lovelace', '王小明', 'Kim'];
  const {contacts} = await api('/api/contacts', {contacts: Array.from({length: 60}, (_, index) => named(
    people[index] ?? `Person ${index}`, index, {attributes: {visits: index, city: index % 2 ? 'Hamburg' : 'القاهرة'}, ...(index % 3 && {tags: ['vip']})}))});
  const ids = contacts.map(({contact, uniqueId}) => uniqueId ?? contact.uniqueId);
  const lists = [];
  for (const [name, count] of [['Spring customers', 40], [kLong, 3], ['عملاء الربيع', 0]])
    lists.push((await api('/api/lists', {name, description: count > 3 ? 'Bought something between March and May' : '', contactIds: ids.slice(0, count)})).list);
  const {segment} = await api('/api/segments', {name: kLong, description: 'Came ten times or more', filter: {type: 'all', conditions: [
    {type: 'number', attribute: 'visits', atLeast: 10}, {type: 'text', attribute: 'city', operator: 'is', values: ['Hamburg']},
    {type: 'not', condition: {type: 'list', listIds: [lists[1].uniqueId]}}]}});
  const rows = 'full name,phone,tags\nGrace Murray,+442071838751,vip\nNobody,unknown,\nAgain,+442071838751,\n';
  const {import: begun} = await api('/api/contacts/imports', new Blob([rows], {type: 'text/csv'}));
  for (const [name, ...texts] of [['ليلى حدّاد', 'مرحبا', 'متى يُفتح المتجر يوم السبت؟'], ['Radia Perlman', `Is ${'the shop '.repeat(30)}open?`], ['Joan Clarke', 'Hello?']]) {
    const customer = owner.customer(name);
    for (const text of texts) await customer.writes(text);
  }
  const talks = await until('three have written', async () => {
    const {conversations} = await api('/api/conversations');
    return conversations.length === 3 && conversations;
  });
  const talk = talks.find(({contact}) => /Radia/.test(contact?.name ?? '')) ?? talks[0];
  await api(`/api/conversation/${talk.uniqueId}/notes`, {text: 'Wants an invoice. Can you take over?'});
  await api(`/api/conversation/${talk.uniqueId}/messages`, {messageType: 'Text', messageData: {text: 'Yes, from nine until six.'}});
  return {...owner, contact: talk.contactId ?? ids[0], segment: segment.uniqueId, import: begun.uniqueId, conversation: talk.uniqueId};
}

/** Where every page is, by its route, and what is seen when it is there, in any language. */
export const outside = {'sign-in': '', register: '', join: '#token=x', password: '#token=x'};
export const inside = (has) => ({
  home: {seen: 'Hello?'},
  inbox: {seen: 'Joan Clarke'},
  $conversation: {path: `inbox/${has.conversation}`, seen: 'Yes, from nine until six.'},
  contacts: {seen: 'Person 59'},
  'contacts/$contact': {path: `contacts/${has.contact}`, seen: 'Yes, from nine until six.'},
  lists: {seen: 'Spring customers'},
  segments: {seen: kLong},
  'segments/$segment': {path: `segments/${has.segment}`, seen: kLong},
  tags: {seen: 'vip'},
  imports: {},
  'imports/$import': {path: `imports/${has.import}`},
  import: {},
  profile: {seen: has.email},
  sessions: {},
  $: {path: 'nonsense'},
});

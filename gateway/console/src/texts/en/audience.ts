import {words} from '../format.ts';

const {plural, number} = words('en');
const contactsOf = (count: number) => plural(count, {one: '# contact', other: '# contacts'});

/** Lists, tags and segments. */
export const audience = {
  cancel: 'Cancel', close: 'Close', save: 'Save', edit: 'Edit', rename: 'Rename', delete: 'Delete', loading: 'Loading', showMore: 'Show more',
  search: 'Search', clearSearch: 'Clear the search', optional: 'optional', saved: 'Saved', noMatch: 'Nothing has this name',
  columns: {name: 'Name', contacts: 'Contacts', campaigns: 'Campaigns sent', tags: 'Tags', created: 'Created', actions: 'Actions', description: 'Description'},
  name: 'Name', description: 'Description',
  uses: {
    looking: 'Looking where it is used',
    campaigns: {
      list: 'Open campaigns that use it reach nobody by it from then on:', tag: 'Open campaigns that bear it:', segment: 'Open campaigns that use it reach nobody by it from then on:',
    },
    noCampaigns: 'No open campaign uses it.', campaignsUnknown: 'Which campaigns use it is unknown just now.', excluded: 'Open campaigns that leave its contacts out, and then no more:',
    segments: 'Segments whose conditions name it; who fulfils them changes:', segmentsUnknown: 'Which segments use it is unknown just now.',
    more: (count: number) => `and ${number(count)} more`,
    statuses: {Draft: 'Draft', Scheduled: 'Scheduled', Running: 'Running', Paused: 'Paused', Cancelled: 'Cancelled', Finished: 'Finished'},
  },
  lists: {
    title: 'Lists', text: 'Contacts that you put together by hand, as an audience of campaigns.', create: 'New list', createAction: 'Create the list', edit: 'Edit the list',
    empty: 'No lists yet', emptyText: 'A list holds contacts that belong together, such as those of one shop. Campaigns go to lists and segments.',
    deleteTitle: (name: string) => `Delete the list ${name}?`,
    deleteText: (count: number) => count === 0 ? 'It has no contacts.' : `Its ${contactsOf(count)} stay, and are in it no more.`,
    deleteAction: 'Delete 1 list', deleted: 'List deleted', created: 'List created',
  },
  tags: {
    title: 'Tags', text: 'Words that contacts, lists and conversations bear.', create: 'New tag', createAction: 'Create the tag', edit: 'Rename the tag', label: 'Label',
    empty: 'No tags yet', emptyText: 'A tag is a word to find contacts by. You can also add tags while you import or answer.',
    known: 'There is a tag with this label already.',
    deleteTitle: (name: string) => `Delete the tag ${name}?`,
    deleteText: (count: number) => count === 0 ? 'No contact bears it. Lists and conversations that do stay, without it.'
      : `${contactsOf(count)} bear it, and stay without it, as do lists and conversations.`,
    deleteUnknown: 'What bears it stays, without it.',
    deleteAction: 'Delete 1 tag', deleted: 'Tag deleted', created: 'Tag created', show: 'Show its contacts',
  },
  segments: {
    title: 'Segments', text: 'Conditions that contacts fulfil or not. Who does is decided whenever a segment is used.',
    create: 'New segment', empty: 'No segments yet', emptyText: 'Such as: bought in the last 30 days, and did not reply to the last campaign.',
    show: 'Show its contacts', saveAction: 'Save the segment', saveChanges: 'Save the changes', saved: 'Segment saved', deleted: 'Segment deleted',
    known: 'There is a segment with this name already.',
    deleteTitle: (name: string) => `Delete the segment ${name}?`, deleteText: 'Its contacts stay.', deleteAction: 'Delete 1 segment',
    count: contactsOf, counting: 'Counting', countUnknown: 'Number unknown', unfinished: 'Finish the conditions to see how many there are.',
    conditions: 'Conditions', all: 'all of these', any: 'one of these at least', fulfil: 'Contacts fulfil', not: 'not', negate: 'Turn it round',
    addCondition: 'Condition', addGroup: 'Group', remove: 'Remove the condition', removeGroup: 'Remove the group',
    type: 'What', attribute: 'Attribute', ofContacts: 'Of the contact', didThings: 'What they did',
    types: {
      text: 'Attribute: text', number: 'Attribute: number', date: 'Attribute: date', yesNo: 'Attribute: yes or no', present: 'Attribute is there',
      tag: 'Tag', list: 'List', status: 'Status', lastInbound: 'Wrote to us', lastCampaign: 'Got a campaign', campaign: 'Did with a campaign',
    },
    compare: 'Comparison', operators: {is: 'is one of', contains: 'contains one of', startsWith: 'begins with one of'},
    values: 'Values', valueAdd: 'Add a value', from: 'from', to: 'to', moreThan: 'more than', atLeast: 'at least', lessThan: 'less than', atMost: 'at most',
    yes: 'Yes', no: 'No', statuses: 'Statuses', when: 'When', days: 'Days',
    modes: {
      any: 'ever', last: 'in the last … days', before: 'more than … days ago', next: 'in the next … days', between: 'from … to …', relative: 'from … to … days from today',
    },
    did: {received: 'received', read: 'read', clicked: 'clicked a link of', replied: 'replied to'}, campaigns: 'Campaigns', campaignsEmpty: 'No campaign has this name',
    faults: {
      attribute: 'Which attribute?', values: 'At least one is needed.', number: 'At least one number is needed.', days: 'Days are needed.', empty: 'At least one condition is needed.',
      'too deep': 'Groups go at most 5 deep.', 'too many': 'At most 50 conditions.', 'too many values': 'At most 500 values in all.', 'too many texts': 'At most 20 texts to contain or begin with.',
    },
    typesOf: (text: number, num: number, date: number, yesNo: number) =>
      [[text, 'text'], [num, 'number'], [date, 'date'], [yesNo, 'yes or no']].filter(([count]) => count !== 0).map(([count, name]) => `${number(count as number)} ${name}`).join(', '),
  },
};
export type AudienceTexts = typeof audience;

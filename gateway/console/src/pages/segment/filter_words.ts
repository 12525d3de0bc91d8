import type {AudienceTexts} from '../../texts/en/audience.ts';
import type {ContactsTexts} from '../../texts/en/contacts.ts';
import type {Condition, Days, Node} from './model.ts';

interface Words {
  readonly segments: AudienceTexts['segments'];
  readonly statuses: ContactsTexts['statuses'];
  nameOf(kind: 'tag' | 'list' | 'campaign', id: string): string;
}

/** A segment's conditions as one reads them, one a line. */
export function wordsOfNode(node: Node, words: Words, depth = 0): string {
  const {segments} = words;
  const begin = '  '.repeat(depth) + (depth > 0 ? '– ' : '') + (node.not ? segments.not + ' ' : '');
  if (!('children' in node)) return begin + wordsOfCondition(node, words);
  return [begin + segments[node.type], ...node.children.map((each) => wordsOfNode(each, words, depth + 1))].join('\n');
}

function wordsOfCondition(condition: Condition, {segments: words, statuses, nameOf}: Words): string {
  const about = 'attribute' in condition ? condition.attribute : words.types[condition.type];
  switch (condition.type) {
    case 'text': return `${about} ${words.operators[condition.operator]}: ${condition.values.join(', ')}`;
    case 'number': {
      const low = condition.low && `${condition.lowIsOpen ? words.moreThan : words.atLeast} ${condition.low}`;
      const high = condition.high && `${condition.highIsOpen ? words.lessThan : words.atMost} ${condition.high}`;
      return `${about}: ${[low, high].filter(Boolean).join(', ')}`;
    }
    case 'date': case 'lastInbound': case 'lastCampaign': return `${about}: ${wordsOfDays(condition.days, words)}`;
    case 'yesNo': return `${about}: ${condition.is ? words.yes : words.no}`;
    case 'present': return `${about}: ${words.types.present}`;
    case 'tag': case 'list': return `${about}: ${condition.ids.map((id) => nameOf(condition.type, id)).join(', ')}`;
    case 'status': return `${about}: ${condition.statuses.map((each) => statuses[each]).join(', ')}`;
    case 'campaign': return `${about}: ${words.did[condition.did]} ${condition.ids.map((id) => nameOf('campaign', id)).join(', ')}`;
  }
}

/** The texts of the modes have an ellipsis for each bound. */
function wordsOfDays({mode, count, from, to}: Days, {modes}: AudienceTexts['segments']): string {
  const bounds = mode === 'between' || mode === 'relative' ? [from, to] : [count];
  return bounds.reduce((text, bound) => text.replace('…', bound || '…'), modes[mode]);
}

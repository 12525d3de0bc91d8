import type {Message} from '../../api/entities.ts';
import type {InboxTexts} from '../../texts/en/inbox.ts';

/** What is used of `messageData`, whatever the type. */
export interface Said {
  text?: string;
  caption?: string;
  id?: string;
  link?: string;
  fileName?: string;
  mimeType?: string;
  voice?: boolean;
  revoked?: boolean;
  editedAt?: string;
  name?: string;
  address?: string;
  latitude?: number;
  longitude?: number;
  reaction?: string;
  messageId?: string | null;
  contacts?: {name?: {formatted_name?: string}; phones?: {phone?: string}[]}[];
  type?: string;
  title?: string;
  description?: string;
  items?: unknown[];
  body?: string | {text?: string};
  header?: {text?: string};
  action?: {buttons?: {reply?: {title?: string}}[]};
  wa_id?: string;
  event?: string;
  status?: unknown;
  duration?: unknown;
  direction?: string;
  language?: string;
  components?: {type?: string; parameters?: {type?: string; text?: string; parameter_name?: string}[]}[];
}

export const saidOf = (message: Message): Said => message.messageData as Said;

/** A message in one line, for lists and quotes. */
export function summaryOf(message: Message, inbox: InboxTexts): string {
  const said = saidOf(message);
  const {types} = inbox;
  if (said.revoked) return inbox.revoked;
  switch (message.messageType) {
    case 'Text': return said.text ?? '';
    case 'Image':
    case 'Video': return said.caption || types[message.messageType];
    case 'Audio': return said.voice ? types.Voice : types.Audio;
    case 'Document': return said.fileName || said.caption || types.Document;
    case 'Location': return said.name || said.address || types.Location;
    case 'Contacts': return said.contacts?.map((each) => each.name?.formatted_name).filter(Boolean).join(', ') || types.Contacts;
    case 'Reaction': return said.reaction || types.Reaction;
    case 'Interactive': return interactiveWords(said, inbox);
    case 'Template': return said.name ? `${types.Template}: ${said.name}` : types.Template;
    case 'System': return systemWords(said, inbox, '');
    default: return types[message.messageType] ?? types.Unsupported;
  }
}

export function interactiveWords(said: Said, inbox: InboxTexts): string {
  if (said.type === 'nfm_reply') return inbox.form;
  if (said.type === 'order') return [inbox.order(said.items?.length ?? 0), said.text].filter(Boolean).join('\n');
  if (said.title) return said.title + (said.description ? '\n' + said.description : '');
  const body = typeof said.body === 'object' ? said.body?.text : said.body;
  return [said.header?.text, body].filter(Boolean).join('\n') || said.text || inbox.types.Interactive;
}

export function systemWords(said: Said, inbox: InboxTexts, lasted: string): string {
  const {system} = inbox;
  switch (said.type) {
    case 'user_changed_number': return system.number(said.wa_id ? '+' + said.wa_id : '');
    case 'customer_identity_changed':
    case 'user_identity_changed': return system.identity;
    case 'call': {
      const began = said.direction === 'BUSINESS_INITIATED' ? system.callOut : system.callIn;
      if (said.event !== 'terminate') return began;
      return `${began}. ${lasted ? system.callLasted(lasted) : system.callMissed}`;
    }
    default: return said.body && typeof said.body === 'string' ? system.other(said.body) : inbox.types.System;
  }
}

const kCodes: Readonly<Record<number, keyof InboxTexts['failures']>> = {
  131026: 'undeliverable', 131030: 'undeliverable', 131021: 'undeliverable', 131047: 'windowOver', 470: 'windowOver', 131049: 'limited', 131050: 'stopped', 130429: 'rate', 131056: 'rate', 80007: 'rate', 4: 'rate',
  131048: 'spam', 368: 'locked', 131031: 'locked', 131042: 'payment', 190: 'token', 10: 'token', 0: 'token', 131005: 'token', 131051: 'media', 131052: 'media', 131053: 'media', 132000: 'template', 132001: 'template', 132005: 'template',
  132007: 'template', 132012: 'template', 132015: 'templatePaused', 132016: 'templatePaused', 133010: 'unregistered', 131045: 'unregistered', 131000: 'channelDown', 131016: 'channelDown', 131057: 'channelDown', 130472: 'experiment',
};

/** Why a message did not arrive, in words that say what to do. */
export function failureOf(code: number | null, text: string | null, {failures, failed}: InboxTexts): string {
  if (text === 'unknown' && code === null) return failures.unknownFate;
  const known = code === null ? undefined : kCodes[code];
  if (known && typeof failures[known] === 'string') return failures[known];
  if (text) return failures.other(text);
  return code === null ? failed : failures.code(String(code));
}

export function timeOfSeconds(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

import type {SendBody} from '../../live/outbox.ts';

/** What is sent with the words: a file from here, or one that a quick reply has. */
export interface Attached {
  readonly type: 'Image' | 'Video' | 'Audio' | 'Document';
  readonly name: string;
  readonly file: Blob | null;
  readonly id: string | null;
  readonly link: string | null;
}

const kMega = 1_000_000;
const kImages = ['image/jpeg', 'image/png'];
const kAudio = ['audio/aac', 'audio/amr', 'audio/mp4', 'audio/mpeg', 'audio/ogg'];
const kVideo = ['video/mp4', 'video/3gpp'];
const kDocuments = [
  'text/plain', 'application/pdf', 'application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
];
export const kAccepted = [...kImages, ...kAudio, ...kVideo, ...kDocuments].join(',');

const kMost: Readonly<Record<Attached['type'], number>> = {Image: 5 * kMega, Audio: 16 * kMega, Video: 16 * kMega, Document: 60 * kMega};

/** What the channel takes of it; a number is the most that a file of its kind may have, null that it takes none such. */
export function attachedOf(file: {type: string; name: string; size: number} & Blob): Attached | number | null {
  const type = kindOf(file.type.split(';')[0] ?? '');
  if (!type) return null;
  if (file.size > kMost[type]) return kMost[type];
  return {type, name: file.name, file, id: null, link: null};
}

function kindOf(type: string): Attached['type'] | null {
  if (kImages.includes(type)) return 'Image';
  if (kAudio.includes(type)) return 'Audio';
  if (kVideo.includes(type)) return 'Video';
  return kDocuments.includes(type) ? 'Document' : null;
}

export const kMostText = 4096;
export const kMostCaption = 1024;

/** How many characters the words have too many. */
export function tooMany(text: string, attached: Attached | null): number {
  const most = attached && attached.type !== 'Audio' ? kMostCaption : kMostText;
  return Math.max(0, [...text.trim()].length - most);
}

/** The messages that words and a file become: a sound has no words of its own, so these follow it. */
export function bodiesOf(text: string, attached: Attached | null, replyToMessageId: string | null): SendBody[] {
  const words = text.trim();
  const reply = replyToMessageId ? {replyToMessageId} : {};
  const asText: SendBody[] = words ? [{messageType: 'Text', messageData: {text: words}}] : [];
  if (!attached) return asText.map((each) => ({...each, ...reply}) as SendBody);
  const file = attached.id ? {id: attached.id} : attached.link ? {link: attached.link} : {};
  if (attached.type === 'Audio') return [{messageType: 'Audio', messageData: file, ...reply}, ...asText];
  const caption = words ? {caption: words} : {};
  if (attached.type === 'Document') return [{messageType: 'Document', messageData: {...file, ...caption, fileName: attached.name.slice(0, 240)}, ...reply}];
  return [{messageType: attached.type, messageData: {...file, ...caption}, ...reply}];
}

import type {Message} from '../../api/entities.ts';
import type {SendBody} from '../../live/outbox.ts';
import {saidOf} from './message_words.ts';

/** What a message said, to be sent as a new one; null where that cannot be told from it. */
export function bodyAgain(message: Message): SendBody | null {
  const said = saidOf(message);
  const file = said.id ? {id: said.id} : said.link ? {link: said.link} : null;
  const caption = said.caption ? {caption: said.caption} : {};
  switch (message.messageType) {
    case 'Text': return said.text ? {messageType: 'Text', messageData: {text: said.text}} : null;
    case 'Image': return file && {messageType: 'Image', messageData: {...file, ...caption}};
    case 'Video': return file && {messageType: 'Video', messageData: {...file, ...caption}};
    case 'Audio': return file && {messageType: 'Audio', messageData: file};
    case 'Document': return file && {messageType: 'Document', messageData: {...file, ...caption, ...(said.fileName && {fileName: said.fileName})}};
    case 'Template': return said.name && said.language
      ? {messageType: 'Template', messageData: {name: said.name, language: said.language, ...(said.components && {components: said.components as never})}}
      : null;
    default: return null;
  }
}

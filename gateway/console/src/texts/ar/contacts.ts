import type {ContactsTexts} from '../en/contacts.ts';

export const contacts: ContactsTexts = {
  title: 'جهات الاتصال',
};

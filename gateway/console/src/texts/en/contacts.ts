export const contacts = {
  title: 'Contacts',
};
export type ContactsTexts = typeof contacts;

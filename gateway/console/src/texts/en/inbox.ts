export const inbox = {
  title: 'Inbox',
};
export type InboxTexts = typeof inbox;

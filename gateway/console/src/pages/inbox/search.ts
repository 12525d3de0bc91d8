import {flag, oneOf, present, text, type Search} from '../../shell/search.ts';

/** What the inbox shows, as the address has it. */
export const inboxSearch = (search: Search) => present({
  /** `mine`, `none`, or a member; absent for all. */
  whose: text(search.whose),
  /** Absent for those that are open. */
  state: oneOf(search.state, ['awaiting', 'unread', 'closed']),
  list: text(search.list),
  /** Those too in which nobody but us wrote. */
  campaigns: flag(search.campaigns),
  q: text(search.q),
  /** Messages are searched instead of contacts; within one conversation, if it is said. */
  in: oneOf(search.in, ['messages']),
  within: flag(search.within),
  /** The message that the thread is opened at. */
  message: text(search.message),
  /** The contact, where there is room for one pane. */
  pane: oneOf(search.pane, ['contact']),
});
export type InboxSearch = ReturnType<typeof inboxSearch>;

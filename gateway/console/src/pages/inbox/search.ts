import {present, text, type Search} from '../../shell/search.ts';

/** Which conversations are listed, as the address has it. */
export const inboxSearch = (search: Search) => present({q: text(search.q)});
export type InboxSearch = ReturnType<typeof inboxSearch>;

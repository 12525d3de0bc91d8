import {present, text, type Search} from '../../shell/search.ts';

/** Filters of the contacts, as the address has them. */
export const contactsSearch = (search: Search) => present({q: text(search.q)});
export type ContactsSearch = ReturnType<typeof contactsSearch>;

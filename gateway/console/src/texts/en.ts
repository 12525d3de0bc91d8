import {access} from './en/access.ts';
import {audience} from './en/audience.ts';
import {contact} from './en/contact.ts';
import {contacts} from './en/contacts.ts';
import {home} from './en/home.ts';
import {imports} from './en/imports.ts';
import {inbox} from './en/inbox.ts';
import {shell} from './en/shell.ts';

export const texts = {access, audience, contact, contacts, home, imports, inbox, shell};
export type Texts = typeof texts;

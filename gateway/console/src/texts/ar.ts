import type {Texts} from './en.ts';
import {access} from './ar/access.ts';
import {audience} from './ar/audience.ts';
import {contact} from './ar/contact.ts';
import {contacts} from './ar/contacts.ts';
import {home} from './ar/home.ts';
import {imports} from './ar/imports.ts';
import {inbox} from './ar/inbox.ts';
import {shell} from './ar/shell.ts';

export const texts: Texts = {access, audience, contact, contacts, home, imports, inbox, shell};


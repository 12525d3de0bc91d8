import type {Texts} from './en.ts';
import {access} from './de/access.ts';
import {audience} from './de/audience.ts';
import {contact} from './de/contact.ts';
import {contacts} from './de/contacts.ts';
import {home} from './de/home.ts';
import {imports} from './de/imports.ts';
import {inbox} from './de/inbox.ts';
import {shell} from './de/shell.ts';

export const texts: Texts = {access, audience, contact, contacts, home, imports, inbox, shell};


import {createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet} from '@tanstack/react-router';
import {contactsSearch} from '../pages/contacts/search.ts';
import {homeSearch} from '../pages/home/search.ts';
import {inboxSearch} from '../pages/inbox/search.ts';
import {loaded} from '../parts.ts';
import {Crashed, InOrganization, NotFound, Root, SignedIn} from './frame.tsx';
import {parseSearch, stringifySearch} from './search.ts';
import {Start} from './start.tsx';

const root = createRootRoute({component: Root, notFoundComponent: NotFound});

type Load = () => Promise<{default: () => React.ReactNode}>;
const pageOf = (load: Load) => lazyRouteComponent(() => loaded(load));

// Before one is signed in. Tokens are in the fragment, which reaches no log.
const console_ = createRoute({getParentRoute: () => root, path: '/console', component: Outlet});
const open = <const P extends string>(path: P, load: Load) => createRoute({getParentRoute: () => console_, path, component: pageOf(load)});

const signedIn = createRoute({getParentRoute: () => console_, id: 'signed in', component: SignedIn});
const start = createRoute({getParentRoute: () => signedIn, path: '/', component: Start});

const organization = createRoute({getParentRoute: () => signedIn, path: '/o/$organization', component: InOrganization});
// A page of an organization: one line each.
const page = <const P extends string>(path: P, load: Load) => createRoute({getParentRoute: () => organization, path, component: pageOf(load)});
const home = createRoute({getParentRoute: () => organization, path: 'home', validateSearch: homeSearch, component: pageOf(() => import('../pages/home/home.tsx'))});
const inbox = createRoute({getParentRoute: () => organization, path: 'inbox', validateSearch: inboxSearch, component: pageOf(() => import('../pages/inbox/inbox.tsx'))});
// The panes stay as they are while another conversation is opened: inbox.tsx reads `$conversation` itself.
const conversation = createRoute({getParentRoute: () => inbox, path: '$conversation'});
const contacts = createRoute({getParentRoute: () => organization, path: 'contacts', validateSearch: contactsSearch, component: pageOf(() => import('../pages/contacts/contacts.tsx'))});

const routeTree = root.addChildren([
  console_.addChildren([
    open('sign-in', () => import('../pages/sign_in/sign_in.tsx')),
    open('register', () => import('../pages/register/register.tsx')),
    open('join', () => import('../pages/join/join.tsx')),
    open('password', () => import('../pages/password/password.tsx')),
    signedIn.addChildren([
      start,
      organization.addChildren([
        home,
        inbox.addChildren([conversation]),
        contacts,
        page('contacts/$contact', () => import('../pages/contact/contact.tsx')),
        page('lists', () => import('../pages/lists/lists.tsx')),
        page('segments', () => import('../pages/segments/segments.tsx')),
        page('segments/$segment', () => import('../pages/segment/segment.tsx')),
        page('tags', () => import('../pages/tags/tags.tsx')),
        page('imports', () => import('../pages/imports/imports.tsx')),
        page('imports/$import', () => import('../pages/import_report/import_report.tsx')),
        page('import', () => import('../pages/import/import.tsx')),
        page('profile', () => import('../pages/profile/profile.tsx')),
        page('sessions', () => import('../pages/sessions/sessions.tsx')),
        createRoute({getParentRoute: () => organization, path: '$', component: NotFound}),
      ]),
    ]),
  ]),
]);

export const makeRouter = () => createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPendingMs: 150,
  defaultErrorComponent: Crashed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  scrollToTopSelectors: ['#content'],
});
export type ConsoleRouter = ReturnType<typeof makeRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: ConsoleRouter;
  }
}

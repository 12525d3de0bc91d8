import {lazy, Suspense, useEffect, type ReactNode} from 'react';
import {useLocation} from '@tanstack/react-router';
import {useConversationCounts} from '../api/conversations.ts';
import {Button} from '../design/button.tsx';
import {Keys} from '../design/keys.tsx';
import {Shell, type NavEntry} from '../design/shell.tsx';
import {useHeldPermissions} from '../session/provider.tsx';
import {useFormat, useTexts} from '../texts/index.tsx';
import {useAddress, useOrganizationId} from './address.ts';
import {listenToKeys, printed} from './keys.ts';
import {areas, type Area} from './navigation.ts';
import {OrganizationButton, ProfileButton} from './menu_buttons.tsx';
import {DocumentTitle} from './title.tsx';

// What opens from them is loaded after the page.
const OrganizationMenu = lazy(() => import('./organization_menu.tsx'));
const ProfileMenu = lazy(() => import('./profile_menu.tsx'));
const kGroups = ['work', 'audience', 'organization'] as const;

export function ConsoleShell({children}: {children: ReactNode}) {
  const {shell} = useTexts();
  const format = useFormat();
  const {held} = useHeldPermissions();
  const {pathname} = useLocation();
  const to = useAddress();
  useEffect(listenToKeys, []);
  const mayReadInbox = (held as readonly string[] | undefined)?.includes('Get:Conversation') ?? false;
  const unread = useConversationCounts(true, mayReadInbox).value?.counts.unread ?? 0;
  const organization = useOrganizationId();
  const isShown = ({permissions}: Area) =>
    permissions.length === 0 || permissions.some((each) => (held as readonly string[] | undefined)?.includes(each));
  const entryOf = ({page, icon, inBar}: Area): NavEntry => {
    const href = to(page);
    return {
      id: page, text: shell.pages[page], icon, href, isCurrent: pathname === href || pathname.startsWith(href + '/'), ...(inBar && {inBar}),
      ...(page === 'inbox' && unread > 0 && {count: format.number(unread), countText: shell.unread(unread)}),
    };
  };
  const groups = kGroups.map((id) => ({
    id,
    ...(id !== 'work' && {text: shell.groups[id]}),
    entries: areas.filter((area) => area.group === id && isShown(area)).map(entryOf),
  })).filter(({entries}) => entries.length > 0);
  return (
    <Shell skip={shell.skip} navLabel={shell.areas} barLabel={shell.mainAreas} more={shell.more}
           brand={<Suspense fallback={<OrganizationButton />}><OrganizationMenu /></Suspense>}
           search={<Button wide align="start" icon="search" size="s" end={<Keys keys={printed('Mod+k')} />}>{shell.search}</Button>}
           groups={groups} foot={<Suspense fallback={<ProfileButton />}><ProfileMenu /></Suspense>}>
      <DocumentTitle organization={organization} unread={unread} />
      {children}
    </Shell>
  );
}

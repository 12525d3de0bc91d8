import {Suspense, useEffect, useState, type ReactNode} from 'react';
import {useLocation, useRouter} from '@tanstack/react-router';
import {useConversationCounts} from '../api/conversations.ts';
import {Button} from '../design/button.tsx';
import {Keys} from '../design/keys.tsx';
import {Shell, type NavEntry} from '../design/shell.tsx';
import {useOutbox} from '../live/provider.tsx';
import {part} from '../parts.ts';
import {useHeldPermissions} from '../session/provider.tsx';
import {useFormat, useTexts} from '../texts/index.tsx';
import {useAddress, useOrganizationId} from './address.ts';
import {Connection} from './connection.tsx';
import {listenToKeys, printed, useKeys, type PageKey} from './keys.ts';
import {LaterMenu, OrganizationButton, ProfileButton} from './menu_buttons.tsx';
import {isHeld, shownAreas, type Area} from './navigation.ts';
import {DocumentTitle} from './title.tsx';
import {useLeaving} from './unsaved.ts';

// What opens from these is loaded after the page.
const OrganizationMenu = part(() => import('./organization_menu.tsx'), (file) => file.default);
const ProfileMenu = part(() => import('./profile_menu.tsx'), (file) => file.default);
const ConsolePalette = part(() => import('./palette.tsx'), (file) => file.default);
const Unsent = part(() => import('./unsent.tsx'), (file) => file.default);
const KeysDialog = part(() => import('./keys_dialog.tsx'), (file) => file.default);
const kGroups = ['work', 'audience', 'organization'] as const;

export function ConsoleShell({children}: {children: ReactNode}) {
  const {shell} = useTexts();
  const [opened, setOpened] = useState<'palette' | 'keys' | null>(null);
  const leaving = useLeaving();
  const organization = useOrganizationId();
  const {held, isLoading, isOffline, problem} = useHeldPermissions();
  const router = useRouter();
  const format = useFormat();
  const to = useAddress();
  const unread = useConversationCounts(true, isHeld(held, ['Get:Conversation'])).value?.counts.unread ?? 0;
  const shown = shownAreas(held);
  const current = useLocation({select: ({pathname}) => shown.find(({page}) => pathname === to(page) || pathname.startsWith(to(page) + '/'))?.page});

  useEffect(listenToKeys, []);
  useKeys([
    {keys: 'Mod+k', text: shell.search, run: () => setOpened('palette')},
    {keys: '?', text: shell.keys, run: () => setOpened('keys')},
    ...shown.flatMap(({keys, page}): PageKey[] =>
      keys ? [{keys, text: shell.goTo(shell.pages[page]), run: () => void router.navigate({href: to(page)})}] : []),
  ]);

  const entryOf = ({page, icon, inBar}: Area): NavEntry => {
    const isUnread = page === 'inbox' && unread > 0;
    return {
      id: page, text: shell.pages[page], icon, href: to(page), isCurrent: page === current, onIntent: () => void router.preloadRoute({to: to(page)}),
      ...(inBar && {inBar}), ...(isUnread && {count: format.number(unread), countText: shell.unread(unread)}),
    };
  };
  const groups = kGroups.map((id) => ({
    id, ...(id !== 'work' && {text: shell.groups[id]}), entries: shown.filter((area) => area.group === id).map(entryOf),
  })).filter(({entries}) => entries.length > 0);
  const search = (
    <Button wide align="start" icon="search" size="s" end={<Keys keys={printed('Mod+k', shell.ctrl)} />} onPress={() => setOpened('palette')}>
      {shell.search}
    </Button>
  );
  return (
    <Shell skip={shell.skip} navLabel={shell.areas} barLabel={shell.mainAreas} more={shell.more} search={search} groups={groups}
           brand={<LaterMenu button={OrganizationButton}>{(isWanted) => <OrganizationMenu isWanted={isWanted} />}</LaterMenu>}
           foot={<LaterMenu button={ProfileButton}>{(isWanted) => <ProfileMenu isWanted={isWanted} onKeys={() => setOpened('keys')} />}</LaterMenu>}
           notice={<><Connection /><UnsentBar /></>} isWaiting={isLoading && !isOffline && !problem}>
      <DocumentTitle organization={organization} unread={unread} />
      {children}
      <Suspense>
        {opened === 'palette' && <ConsolePalette onClose={() => setOpened(null)} />}
        {opened === 'keys' && <KeysDialog onClose={() => setOpened(null)} />}
      </Suspense>
      {leaving && <leaving.Dialog leaving={leaving} />}
    </Shell>
  );
}

function UnsentBar() {
  const sends = useOutbox().sends.filter((each) => each.state !== 'waits');
  return sends.length > 0 && <Suspense><Unsent sends={sends} /></Suspense>;
}

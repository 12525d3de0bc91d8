import {Suspense, useState} from 'react';
import {Menu} from '../design/menu.tsx';
import {part} from '../parts.ts';
import {addressIn} from '../session/address.ts';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {useOrganizationId} from './address.ts';
import {OrganizationButton} from './menu_buttons.tsx';

const NewOrganization = part(() => import('./new_organization.tsx'), (file) => file.default);

/** The organization that is shown, and the way to the others. */
export default function OrganizationMenu({isWanted}: {isWanted: boolean}) {
  const {shell} = useTexts();
  const [isMaking, setMaking] = useState(false);
  const who = useWho();
  const current = useOrganizationId();
  return (
    <>
      <Menu label={shell.switchOrganization} placement="bottom start" defaultOpen={isWanted} trigger={<OrganizationButton />}
            onAction={(id) => id === 'new' && setMaking(true)}
            groups={[
              {
                id: 'organizations', text: shell.organizations, selectionMode: 'single', selectedKeys: [current],
                actions: (who?.organizations ?? []).map((each) => ({id: each.uniqueId, text: each.name, href: addressIn(each.uniqueId, 'home')})),
              },
              {id: 'more', label: shell.newOrganization, actions: [{id: 'new', text: shell.newOrganization, icon: 'plus'}]},
            ]} />
      {isMaking && <Suspense><NewOrganization onClose={() => setMaking(false)} /></Suspense>}
    </>
  );
}

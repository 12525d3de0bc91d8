import {Menu} from '../design/menu.tsx';
import {addressIn} from '../session/address.ts';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {useOrganizationId} from './address.ts';
import {OrganizationButton} from './menu_buttons.tsx';

/** The organization that is shown, and the way to the others. */
export default function OrganizationMenu() {
  const {shell} = useTexts();
  const who = useWho();
  const current = useOrganizationId();
  const all = who?.organizations ?? [];
  return (
    <Menu label={shell.switchOrganization} placement="bottom start"
          trigger={<OrganizationButton />}
          groups={[{
            id: 'organizations', text: shell.organizations, selectionMode: 'single', selectedKeys: [current],
            actions: all.map((each) => ({id: each.uniqueId, text: each.name, href: addressIn(each.uniqueId, 'home')})),
          }]} />
  );
}

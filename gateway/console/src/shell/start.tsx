import {Go} from './go.tsx';
import {ButtonLink} from '../design/button.tsx';
import {Gate, Mark} from '../design/shell.tsx';
import {addressIn} from '../session/address.ts';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {lastOrganization} from './last_organization.ts';

/** `/console/`: on to the organization that was shown last. */
export function Start() {
  const {shell} = useTexts();
  const who = useWho();
  const last = lastOrganization(who?.organizations ?? []);
  if (last) return <Go href={addressIn(last.uniqueId, 'home')} />;
  return (
    <Gate brand={<><Mark size={32} />{shell.name}</>} title={shell.notMember} description={shell.notMemberText}>
      <ButtonLink wide href="/console/">{shell.retry}</ButtonLink>
    </Gate>
  );
}

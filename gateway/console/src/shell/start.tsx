import {Suspense, useState} from 'react';
import {Button} from '../design/button.tsx';
import {Gate, Mark} from '../design/shell.tsx';
import {Stack} from '../design/page.tsx';
import {part} from '../parts.ts';
import {useSignOut} from '../session/account.ts';
import {addressIn} from '../session/address.ts';
import {useWho} from '../session/provider.tsx';
import {useTexts} from '../texts/index.tsx';
import {Go} from './go.tsx';
import {lastOrganization} from './last_organization.ts';
import {DocumentTitle, useTitle} from './title.tsx';

const NewOrganization = part(() => import('./new_organization.tsx'), (file) => file.default);

/** `/console/`: on to the organization that was shown last. */
export function Start() {
  const last = lastOrganization(useWho()?.organizations ?? []);
  return last ? <Go href={addressIn(last.uniqueId, 'home')} /> : <NoOrganization />;
}

function NoOrganization() {
  const {access: {organization: words}, shell} = useTexts();
  const [isMaking, setMaking] = useState(false);
  const signOut = useSignOut();
  useTitle(words.none);
  return (
    <Gate brand={<><Mark size={32} />{shell.name}</>} title={words.none} description={words.noneText}>
      <DocumentTitle />
      <Stack gap={3}>
        <Button kind="primary" wide size="l" onPress={() => setMaking(true)}>{shell.newOrganization}</Button>
        <Button wide onPress={() => void signOut.change().catch(() => undefined)}>{shell.signOut}</Button>
      </Stack>
      {isMaking && <Suspense><NewOrganization onClose={() => setMaking(false)} /></Suspense>}
    </Gate>
  );
}

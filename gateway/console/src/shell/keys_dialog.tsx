import {useState} from 'react';
import {Dialog} from '../design/dialog.tsx';
import {Keys} from '../design/keys.tsx';
import {Stack} from '../design/page.tsx';
import {Link} from '../design/link.tsx';
import {useTexts} from '../texts/index.tsx';
import {useAddress} from './address.ts';
import {knownKeys, printed} from './keys.ts';
import s from './keys_dialog.module.css';
import {usePreferences} from './use_preferences.ts';

/** `?`: every key that does something where one is. */
export default function KeysDialog({onClose}: {onClose: () => void}) {
  const {shell} = useTexts();
  const {singleKeys} = usePreferences();
  const to = useAddress();
  const [groups] = useState(() => knownKeys().map((group) => group.filter((each) => !each.isDisabled)).filter((group) => group.length > 0));
  return (
    <Dialog isOpen onOpenChange={(isOpen) => isOpen || onClose()} title={shell.keys} close={shell.close}>
      <Stack gap={4}>
        {!singleKeys && <p>{shell.singleKeysOff} <Link href={to('profile')} onPress={onClose}>{shell.profile}</Link></p>}
        {groups.map((group, place) => (
          <dl key={place} className={s.keys}>
            {group.map((each) => <div key={each.keys} className={s.key}><dt>{each.text}</dt><dd><Keys keys={printed(each.keys, shell.ctrl)} /></dd></div>)}
          </dl>
        ))}
      </Stack>
    </Dialog>
  );
}

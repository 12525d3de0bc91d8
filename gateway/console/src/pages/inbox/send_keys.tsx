import {IconButton} from '../../design/button.tsx';
import {Menu} from '../../design/menu.tsx';
import {useTexts} from '../../texts/index.tsx';
import {setEntersToSend, useEntersToSend} from './enters_to_send.ts';

/** Which keys send, for who writes long messages and for who writes many. */
export function SendKeys() {
  const {inbox} = useTexts();
  const enters = useEntersToSend();
  return (
    <Menu label={inbox.sendKeys} placement="top end" trigger={<IconButton size="s" icon="chevron_down" label={inbox.sendKeys} />} groups={[{
      id: 'keys', label: inbox.sendKeys, selectionMode: 'single', selectedKeys: [enters ? 'enter' : 'ctrl'],
      onSelectionChange: (keys) => setEntersToSend(keys !== 'all' && keys.has('enter')),
      actions: [{id: 'ctrl', text: inbox.ctrlToSend}, {id: 'enter', text: inbox.entersToSend}],
    }]} />
  );
}

import {useSyncExternalStore} from 'react';
import {IconButton} from '../../design/button.tsx';
import {Menu} from '../../design/menu.tsx';
import {useTexts} from '../../texts/index.tsx';

const kName = 'parley.enter sends';
const listeners = new Set<() => void>();
let isOn: boolean | null = null;

function read(): boolean {
  try {
    return isOn ??= localStorage.getItem(kName) === 'true';
  } catch {
    return isOn ?? false;
  }
}

function set(value: boolean): void {
  isOn = value;
  try {
    localStorage.setItem(kName, String(value));
  } catch {
    // A browser that keeps nothing has it until it is closed.
  }
  for (const listener of listeners) listener();
}

export const useEntersToSend = (): boolean => useSyncExternalStore((listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
}, read);

/** Which keys send, for who writes long messages and for who writes many. */
export function SendKeys() {
  const {inbox} = useTexts();
  const enters = useEntersToSend();
  return (
    <Menu label={inbox.sendKeys} placement="top end" trigger={<IconButton size="s" icon="chevron_down" label={inbox.sendKeys} />} groups={[{
      id: 'keys', label: inbox.sendKeys, selectionMode: 'single', selectedKeys: [enters ? 'enter' : 'ctrl'],
      onSelectionChange: (keys) => set(keys !== 'all' && keys.has('enter')),
      actions: [{id: 'ctrl', text: inbox.ctrlToSend}, {id: 'enter', text: inbox.entersToSend}],
    }]} />
  );
}

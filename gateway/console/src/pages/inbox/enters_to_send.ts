import {useSyncExternalStore} from 'react';
import {Listeners} from '../../listeners.ts';
import {storage} from '../../live/storage.ts';

const kName = 'parley.enter sends';
const listeners = new Listeners();
const read = () => storage.getItem(kName) === 'true';

let enters = read();

function tell(): void {
  enters = read();
  listeners.tell();
}

export function setEntersToSend(value: boolean): void {
  storage.setItem(kName, String(value));
  tell();
}

// Another tab changed it.
addEventListener('storage', ({key}) => {
  if (key === kName || key === null) tell();
});

export const useEntersToSend = (): boolean => useSyncExternalStore(listeners.subscribe, () => enters);

import {useSyncExternalStore} from 'react';
import {preferences, subscribe, type Preferences} from './preferences.ts';

export const usePreferences = (): Preferences => useSyncExternalStore(subscribe, preferences, preferences);

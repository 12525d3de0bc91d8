import type {IconName} from '../design/icon.tsx';
import {Registry, useRegistered} from './registry.ts';

/** Something that can be done from where one is; the palette offers it. */
export interface PageAction {
  readonly id: string;
  readonly text: string;
  readonly icon?: IconName;
  /** Keys that do the same, as in keys.ts. */
  readonly keys?: string;
  readonly run: () => void;
}

const registry = new Registry<PageAction>();

/** Offers actions in the palette while the page, or a part of it, is mounted. */
export const useActions = (actions: readonly PageAction[]) => useRegistered(registry, actions);

export const knownActions = (): readonly PageAction[] => registry.all().flat();

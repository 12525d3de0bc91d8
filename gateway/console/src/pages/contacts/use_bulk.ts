import {useCallback, useRef, useState} from 'react';
import {useBulkChange, useCancelBulkChange, useStartBulkChange} from '../../api/bulk_changes.ts';
import {useScope} from '../../api/scope.tsx';
import type {components} from '#schema';
import {changeOne, changeMembers} from './change_some.ts';

type Schemas = components['schemas'];
export type BulkAction = Schemas['BulkAction'];

/** How far a change of many contacts is: of the service, by a filter, or of this page, one contact after the other. */
export interface BulkState {
  readonly isDeletion: boolean;
  readonly status: 'queued' | 'running' | 'finished' | 'failed' | 'cancelled';
  readonly expected: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly failure: string;
}

export interface Bulk {
  readonly current: BulkState | null;
  startAll(contacts: Schemas['BulkContactsBody'], expected: number, action: BulkAction): Promise<void>;
  startSome(ids: readonly string[], action: BulkAction): Promise<void>;
  cancel(): void;
  close(): void;
}

const kAtOnce = 4;

export function useBulk(): Bulk {
  const scope = useScope();
  const start = useStartBulkChange();
  const stop = useCancelBulkChange();
  const [id, setId] = useState<string | null>(null);
  const [local, setLocal] = useState<BulkState | null>(null);
  const isCancelled = useRef(false);
  const {value} = useBulkChange(id);

  const startAll = async (contacts: Schemas['BulkContactsBody'], expected: number, action: BulkAction) => {
    const made = await start.change({contacts, expected, action});
    setLocal(null);
    setId(made.uniqueId);
  };

  const startSome = async (ids: readonly string[], action: BulkAction) => {
    setId(null);
    isCancelled.current = false;
    const state = {isDeletion: action.type === 'deleteContacts', status: 'running' as const, expected: ids.length, changed: 0, unchanged: 0, failed: 0, failure: ''};
    setLocal({...state});
    const whole = await changeMembers(scope, ids, action);
    if (whole) {
      setLocal({...state, changed: ids.length, status: 'finished'});
      return;
    }
    const left = [...ids];
    const work = async () => {
      for (let next = left.shift(); next !== undefined && !isCancelled.current; next = left.shift()) {
        try {
          ++state[await changeOne(scope, next, action)];
        } catch (error) {
          ++state.failed;
          state.failure ||= error instanceof Error ? error.message : String(error);
        }
        setLocal({...state});
      }
    };
    await Promise.all(Array.from({length: Math.min(kAtOnce, ids.length)}, work));
    setLocal({...state, status: isCancelled.current ? 'cancelled' : 'finished'});
  };

  const cancel = useCallback(() => {
    isCancelled.current = true;
    if (id) void stop.change(id).catch(() => undefined);
  }, [id, stop]);
  const close = () => {
    setId(null);
    setLocal(null);
  };
  const told: BulkState | null = value ? {
    isDeletion: value.action.type === 'deleteContacts',
    status: value.status.toLowerCase() as BulkState['status'],
    expected: value.expected, changed: value.changed, unchanged: value.unchanged, failed: value.failed, failure: value.failure,
  } : null;
  return {current: id ? told : local, startAll, startSome, cancel, close};
}

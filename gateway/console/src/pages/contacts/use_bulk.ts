import {useState, useSyncExternalStore} from 'react';
import {useBulkChange, useCancelBulkChange, useStartBulkChange} from '../../api/bulk_changes.ts';
import type {BulkChange} from '../../api/entities.ts';
import {ApiProblem} from '../../api/problem.ts';
import {useScope} from '../../api/scope.tsx';
import type {Store} from '../../api/store.ts';
import {tabStorage} from '../../live/storage.ts';
import {useSession} from '../../session/provider.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {holdUnsaved} from '../../shell/unsaved.ts';
import {useTexts} from '../../texts/index.tsx';
import type {components} from '#schema';
import {OwnChange, type BulkAction, type BulkState} from './own_change.ts';

type Schemas = components['schemas'];

export interface Bulk {
  readonly current: BulkState | null;
  startAll(contacts: Schemas['BulkContactsBody'], expected: number, action: BulkAction): Promise<void>;
  startSome(ids: readonly string[], action: BulkAction): void;
  cancel(): void;
  close(): void;
}

const owns = new WeakMap<Store, OwnChange>();

function ownOf(store: Store): OwnChange {
  const known = owns.get(store) ?? new OwnChange();
  owns.set(store, known);
  return known;
}

/** The change of the service that this tab began last, until it is closed: it is found again after the page was left, or loaded anew. */
function useBegun() {
  const {userId, organization} = useScope();
  const name = `parley.bulk.${userId}.${organization}`;
  const [id, setId] = useState(() => tabStorage.getItem(name));
  const begin = (next: string | null) => {
    if (next) tabStorage.setItem(name, next);
    else tabStorage.removeItem(name);
    setId(next);
  };
  return [id, begin] as const;
}

export function useBulk(): Bulk {
  const {shell} = useTexts();
  const scope = useScope();
  const session = useSession();
  const start = useStartBulkChange();
  const stop = useCancelBulkChange();
  const [id, begin] = useBegun();
  const own = ownOf(scope.store);
  const ownState = useSyncExternalStore(own.subscribe, own.snapshot);
  const {value} = useBulkChange(id);
  return {
    current: ownState ?? (value ? stateOf(value) : null),
    startAll: async (contacts, expected, action) => {
      const made = await start.change({contacts, expected, action});
      own.close();
      begin(made.uniqueId);
    },
    startSome: (ids, action) => {
      begin(null);
      void own.run(session, scope, ids, action).finally(holdUnsaved());
    },
    cancel: () => {
      if (ownState) return own.cancel();
      if (id) stop.change(id).catch((error: unknown) => {
        if (error instanceof ApiProblem) toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)});
      });
    },
    close: () => {
      own.close();
      begin(null);
    },
  };
}

const stateOf = ({action, status, expected, changed, unchanged, failed, failure}: BulkChange): BulkState => ({
  isDeletion: action.type === 'deleteContacts', status: status.toLowerCase() as BulkState['status'],
  expected, changed, unchanged, failed, failure: failure || null, isOfService: true,
});

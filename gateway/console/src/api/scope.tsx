import {createContext, useContext, type ReactNode} from 'react';
import {QueryClient} from '@tanstack/react-query';
import {mayRepeat, pauseAfter, pauseBefore, type Api, type Wire} from './client.ts';
import type {Store} from './store.ts';

/** In whose name, and in which organization, a page asks. */
export interface Scope {
  readonly organization: string;
  readonly userId: string;
  readonly memberId: string;
  readonly wire: Wire;
  readonly api: Api;
  readonly store: Store;
}

const ScopeContext = createContext<Scope | null>(null);

export function ScopeProvider({scope, children}: {scope: Scope; children: ReactNode}) {
  return <ScopeContext value={scope}>{children}</ScopeContext>;
}

export function useScope(): Scope {
  const scope = useContext(ScopeContext);
  if (!scope) throw new Error('outside of an organization');
  return scope;
}

/** Events keep what is cached up to date, so nothing becomes stale by itself. */
export function createQueries(wire: Wire): QueryClient {
  const retry = (count: number, error: Error) => mayRepeat(count, error, wire.now());
  const retryDelay = (count: number, error: Error) => pauseBefore(count, error, wire.now(), Math.random);
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        retry, retryDelay, staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false,
        refetchInterval: ({state}) => pauseAfter(state.error, [], wire.now()),
      },
      mutations: {retry, retryDelay},
    },
  });
  queries.setQueryDefaults(['o'], {gcTime: Infinity});  // Store.sweep() bounds entities
  return queries;
}

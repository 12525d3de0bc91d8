import {createContext, useContext, useMemo, useSyncExternalStore, type ReactNode} from 'react';
import {useQueryClient, type QueryClient} from '@tanstack/react-query';
import {connect, take, type Wire} from '../api/client.ts';
import {usePart} from '../api/hooks.ts';
import {ScopeProvider, type Scope} from '../api/scope.tsx';
import {keys, Store} from '../api/store.ts';
import type {Membership, Session, SessionState, User} from './session.ts';

const SessionContext = createContext<Session | null>(null);

export function SessionProvider({session, children}: {session: Session; children: ReactNode}) {
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('outside of a session');
  return session;
}

export function useSessionState(): SessionState {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.state, session.state);
}

/** Who is signed in, and where they are a member; null for nobody, or as long as that is not known. */
export function useWho(): {user: User; organizations: readonly Membership[]} | null {
  const state = useSessionState();
  return state.kind === 'signed in' ? state : null;
}

/** Everything below asks in this organization, and begins anew for another member. Who is no member of it sees `otherwise`. */
export function OrganizationProvider({id, otherwise, children}: {id: string; otherwise: ReactNode; children: ReactNode}) {
  const session = useSession();
  const queries = useQueryClient();
  const who = useWho();
  const userId = who?.user.uniqueId;
  const memberId = who?.organizations.find((each) => each.uniqueId === id)?.memberId;
  const scope = useMemo<Scope | null>(() => {
    if (!userId || !memberId) return null;
    const wire = {...session.wireOf(userId), onRefused: rereadHeld(queries, id)};
    return {organization: id, userId, memberId, wire, api: connect(wire, id), store: new Store(queries, id)};
  }, [id, userId, memberId, session, queries]);
  return scope ? <ScopeProvider key={scope.memberId} scope={scope}>{children}</ScopeProvider> : otherwise;
}

export const kHeld = 'held permissions';

/** What one may do here. `problem` may say that the organization requires a second factor. */
export function useHeldPermissions() {
  const {value, ...state} = usePart([kHeld], async (scope, signal) => {
    const {data, ...rest} = await take(scope.wire, scope.api.GET('/api/rbac/permissions', {signal}));
    return {data: data.permissions.filter((each) => each.held).map((each) => each.name), ...rest};
  });
  return {...state, held: value};
}

/** Where something is refused that was held, the member's role is another one by now: it is asked for again. */
const rereadHeld = (queries: QueryClient, organization: string): Wire['onRefused'] => ({permissions}) => {
  const queryKey = keys.part(organization, kHeld);
  const held = queries.getQueryData<{data: readonly string[]}>(queryKey)?.data;
  if (permissions.some((each) => held?.includes(each))) void queries.invalidateQueries({queryKey}, {cancelRefetch: false});
};

const HeldContext = createContext<readonly string[] | undefined>(undefined);

/** For `useHeld()` below, of which each row of a list has several. */
export function HeldProvider({children}: {children: ReactNode}) {
  return <HeldContext value={useHeldPermissions().held}>{children}</HeldContext>;
}

/** Whether a permission is held, or any one of several; undefined until it is known. */
export function useHeld(permission: string | readonly string[]): boolean | undefined {
  const held = useContext(HeldContext);
  const wanted = typeof permission === 'string' ? [permission] : permission;
  return held && wanted.some((each) => held.includes(each));
}

import {useQuery, useQueryClient} from '@tanstack/react-query';
import type {components} from '#schema';
import {take} from '../api/client.ts';
import {changeHeaders, useKeyed} from '../api/hooks.ts';
import {useSession} from './provider.tsx';
import type {Session} from './session.ts';

type Schemas = components['schemas'];

/** What is on offer before anybody signs in. */
export function useOptions() {
  const {wire, api} = useSession();
  return useQuery({queryKey: ['options'], queryFn: async ({signal}) =>
    (await take(wire, api.GET('/api/options', {signal}))).data.options});
}

/** A change of what is the person's own. It is not repeated by itself: answers with secrets are given once. */
function usePersonal<V, T>(run: (session: Session, value: V, key: string) => Promise<T>) {
  const session = useSession();
  return useKeyed<V, T>(session.wire.newKey, {mutationFn: ({value, key}) => run(session, value, key), retry: false});
}

/** `problem.isCodeNeeded`: the same again, with `code`. */
export const useSignIn = () => usePersonal((session, body: Schemas['LoginBody']) => session.signIn(body));
export const useRegister = () => usePersonal((session, body: Schemas['RegisterBody']) => session.register(body));
export const useJoin = () => usePersonal((session, body: Schemas['JoinOrganizationBody']) => session.join(body));
export const useSignOut = () => usePersonal<void, void>((session) => session.signOut());

export const useRequestPasswordReset = () => usePersonal(async ({wire, api}, email: string, key) => {
  await take(wire, api.POST('/api/auth/password-reset', {headers: changeHeaders(key), body: {email}}));
});

/** All sessions of the person end: they sign in with it next. */
export const useSetPassword = () => usePersonal(async ({wire, api}, body: Schemas['SetPasswordBody'], key) => {
  await take(wire, api.POST('/api/auth/password', {headers: changeHeaders(key), body}));
});

export const useUpdateUser = () => usePersonal(async (session, body: Schemas['UpdateUserBody'], key) => {
  await take(session.wire, session.api.POST('/api/user', {headers: changeHeaders(key), body}));
  await session.ask();
});

// ---- second factor --------------------------------------------------------------------------------------------------

export const useBeginSecondFactor = () => usePersonal(async ({wire, api}, password: string, key) => {
  const call = api.POST('/api/user/second-factor', {headers: changeHeaders(key), body: {password}});
  return (await take(wire, call)).data.secondFactor;
});

/** Gives back the recovery codes, which are shown once. */
export const useConfirmSecondFactor = () => usePersonal(async (session, code: string, key) => {
  const call = session.api.POST('/api/user/second-factor/confirm', {headers: changeHeaders(key), body: {code}});
  const {recoveryCodes} = (await take(session.wire, call)).data;
  await session.ask();
  return recoveryCodes;
});

export const useReplaceRecoveryCodes = () => usePersonal(async (session, body: Schemas['ProveBody'], key) => {
  const call = session.api.POST('/api/user/second-factor/recovery-codes', {headers: changeHeaders(key), body});
  const {recoveryCodes} = (await take(session.wire, call)).data;
  await session.ask();
  return recoveryCodes;
});

export const useDisableSecondFactor = () => usePersonal(async (session, body: Schemas['ProveBody'], key) => {
  await take(session.wire, session.api.POST('/api/user/second-factor/disable', {headers: changeHeaders(key), body}));
  await session.ask();
});

// ---- sessions -------------------------------------------------------------------------------------------------------

const kSessions = ['sessions'];

export function useSessions() {
  const {wire, api} = useSession();
  return useQuery({queryKey: kSessions, staleTime: 0, queryFn: async ({signal}) =>
    (await take(wire, api.GET('/api/auth/sessions', {params: {query: {per_page: 100}}, signal}))).data});
}

/** Ends a session. Of one's own the next answer is a 401, which leads to signing in. */
export function useEndSession() {
  const session = useSession();
  const queries = useQueryClient();
  return useKeyed<string, void>(session.wire.newKey, {
    mutationFn: async ({value, key}) => {
      const call = session.api.DELETE('/api/auth/sessions/{id}', {params: {path: {id: value}}, headers: changeHeaders(key)});
      await take(session.wire, call);
    },
    onSuccess: () => void queries.invalidateQueries({queryKey: kSessions}),
  });
}

// ---- organizations --------------------------------------------------------------------------------------------------

/** Makes an organization that the person owns; gives back its id. */
export const useCreateOrganization = () => usePersonal(async (session, body: Schemas['CreateOrganizationBody'], key) => {
  const call = session.api.POST('/api/organization', {headers: changeHeaders(key), body});
  const {organization} = (await take(session.wire, call)).data;
  await session.ask();
  return organization.uniqueId;
});

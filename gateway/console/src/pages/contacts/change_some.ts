import {loadContact} from '../../api/contacts.ts';
import {takeContact} from '../../api/entities.ts';
import {ask, changeHeaders, fromCurrent, readVersioned} from '../../api/hooks.ts';
import {ApiProblem} from '../../api/problem.ts';
import {mayRepeat, pauseBefore} from '../../api/client.ts';
import type {Scope} from '../../api/scope.tsx';
import type {components} from '#schema';

type Schemas = components['schemas'];

/** Lists take many contacts at once. Counts those that were not, or were, in all of them before, as far as that is known. */
export async function changeMembers(scope: Scope, ids: readonly string[], action: Extract<Schemas['BulkAction'], {listIds: string[]}>, signal: AbortSignal) {
  const isAdded = action.type === 'addToLists';
  const isSo = (id: string) => {
    const known = scope.store.get('contact', id)?.listIds;
    return known !== undefined && action.listIds.every((list) => known.includes(list) === isAdded);
  };
  const unchanged = ids.filter(isSo).length;
  const body = {[isAdded ? 'add' : 'remove']: [...ids]};
  for (const id of action.listIds) {
    const headers = changeHeaders(scope.wire.newKey());
    await repeated(scope, signal, () => ask(scope, scope.api.POST('/api/lists/{id}/contacts', {params: {path: {id}}, headers, body})));
    scope.store.stale('list', id);
  }
  for (const id of ids) scope.store.stale('contact', id);
  return {changed: ids.length - unchanged, unchanged};
}

/** Changes one contact, from what it is at this moment: somebody else may be at it too. */
export async function changeOne(scope: Scope, id: string, action: Schemas['BulkAction'], signal: AbortSignal): Promise<'changed' | 'unchanged'> {
  if (action.type === 'deleteContacts') {
    const headers = changeHeaders(scope.wire.newKey());
    const isGone = (error: unknown) => error instanceof ApiProblem && error.status === 404;
    const deleted = await repeated(scope, signal, () => ask(scope, scope.api.DELETE('/api/contacts/{id}', {params: {path: {id}}, headers})))
      .then(() => true, (error: unknown) => {
        if (isGone(error)) return false;
        throw error;
      });
    scope.store.gone('contact', id);
    return deleted ? 'changed' : 'unchanged';
  }
  return fromCurrent(async () => {
    const {value, version} = await repeated(scope, signal, () => readVersioned(scope, 'contact', id, loadContact));
    const body = changeOf(scope, value, action);
    if (!body) return 'unchanged';
    const headers = changeHeaders(scope.wire.newKey(), version);
    const into = scope.store.asking();
    const {data} = await repeated(scope, signal, () => ask(scope, scope.api.POST('/api/contacts/{id}', {params: {path: {id}}, headers, body})));
    takeContact(into, data.contact);
    scope.store.setVersion('contact', id, null);
    return 'changed';
  });
}

type Known = {attributes: Record<string, unknown>; status: Schemas['ContactStatus']; tagIds?: string[]};

/** Null where it is so already. */
function changeOf(scope: Scope, contact: Known, action: Schemas['BulkAction']): Schemas['UpdateContactBody'] | null {
  const tags = contact.tagIds ?? [];
  const isThere = (tag: string) => tags.some((id) => id === tag || scope.store.get('tag', id)?.label.toLowerCase() === tag.toLowerCase());
  switch (action.type) {
    case 'addTags': {
      const added = action.tags.filter((tag) => !isThere(tag));
      return added.length > 0 ? {tags: [...tags, ...added]} : null;
    }
    case 'removeTags': {
      const kept = tags.filter((id) => !action.tags.includes(id) && !action.tags.some((tag) => scope.store.get('tag', id)?.label === tag));
      return kept.length < tags.length ? {tags: kept} : null;
    }
    case 'setStatus':
      return contact.status === action.status ? null : {status: action.status};
    case 'setAttribute':
      return contact.attributes[action.attribute] === action.value ? null : {attributes: {...contact.attributes, [action.attribute]: action.value}};
    case 'removeAttribute': {
      const {[action.attribute]: removed, ...attributes} = contact.attributes;
      return removed === undefined ? null : {attributes};
    }
    default:
      throw new Error(action.type);
  }
}

/** Once `signal` is aborted no call begins any more. */
async function repeated<T>(scope: Scope, signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (let count = 0;; ++count) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      const now = scope.wire.now();
      if (!mayRepeat(count, error, now)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseBefore(count, error, now, Math.random)));
    }
  }
}


import type {components} from '#schema';
import {takeChange} from './client.ts';
import {
  ask, changeHeaders, readVersioned, useChange, useEntity, useList, type Family, type Load,
} from './hooks.ts';
import type {Scope} from './scope.tsx';
import type {ThreadFilter} from './messages.ts';
import {isNewer} from './messages.ts';
import type {Note} from './entities.ts';

type Schemas = components['schemas'];

/** The notes in a conversation, the newest first. Nothing counts them. */
export const notesFamily: Family<ThreadFilter> = {
  name: 'notes',
  perPage: 50,
  async load(scope, {conversationId}, query, into, signal) {
    const params = {path: {id: conversationId}, query};
    const {data, degraded} = await ask(scope, scope.api.GET('/api/conversation/{id}/notes', {params, signal}));
    return {ids: data.notes.map((each) => into.take('note', each).uniqueId), meta: data.paginationMeta, degraded};
  },
};
export const useNotes = (conversationId: string, enabled?: boolean) => useList(notesFamily, {conversationId}, enabled);

export const loadNote: Load<'note'> = async (scope, id, into, signal) => {
  const call = scope.api.GET('/api/notes/{id}', {params: {path: {id}}, ...(signal && {signal})});
  const {data, ...rest} = await ask(scope, call);
  return {data: into.take('note', data.note), ...rest};
};
export const useNote = (id: string | null) => useEntity('note', id, loadNote);

/** Shows a note in its place. */
export function placeNote(scope: Pick<Scope, 'store'>, note: Note): void {
  scope.store.insert(notesFamily.name, {conversationId: note.conversationId}, note.uniqueId, (other) => {
    const there = scope.store.get('note', other);
    return there ? isNewer(note, there) : false;
  });
}

export const useCreateNote = () =>
  useChange(async (scope, {conversationId, body}: {conversationId: string; body: Schemas['CreateNoteBody']}, key) => {
    const into = scope.store.asking();
    const params = {path: {id: conversationId}};
    const call = scope.api.POST('/api/conversation/{id}/notes', {params, headers: changeHeaders(key), body});
    return into.take('note', (await ask(scope, call)).data.note);
  }, {done: placeNote});

interface Named {
  id: string;
  version: string | null;
}
const read = (scope: Scope, id: string) => () => readVersioned(scope, 'note', id, loadNote);

type NoteChange = Named & {body: Schemas['UpdateNoteBody']};

export const useUpdateNote = () => useChange(async (scope, {id, version, body}: NoteChange, key) => {
  const into = scope.store.asking();
  const call = scope.api.POST('/api/notes/{id}', {params: {path: {id}}, headers: changeHeaders(key, version), body});
  return into.take('note', (await takeChange(ask(scope, call), read(scope, id))).data.note);
}, {done: (scope, _, {id}) => scope.store.setVersion('note', id, null)});

export const useDeleteNote = () => useChange(async (scope, {id, version}: Named, key) => {
  const call = scope.api.DELETE('/api/notes/{id}', {params: {path: {id}}, headers: changeHeaders(key, version)});
  await takeChange(ask(scope, call), read(scope, id));
}, {done: (scope, _, {id}) => {
  scope.store.removeFromLists(notesFamily.name, id);
  scope.store.gone('note', id);
}});

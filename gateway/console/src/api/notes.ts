import type {components} from '#schema';
import {ask, changeHeaders, family, loadBy, useChange, useDelete, useEntity, useList, type Family, type Load} from './hooks.ts';
import type {Scope} from './scope.tsx';
import type {ThreadFilter} from './messages.ts';
import {isNewer} from './messages.ts';
import type {Note} from './entities.ts';

type Schemas = components['schemas'];

/** The notes in a conversation, the newest first. Nothing counts them. */
export const notesFamily: Family<ThreadFilter> = family('notes', 50,
  ({api}, {conversationId: id}, query, signal) => api.GET('/api/conversation/{id}/notes', {params: {path: {id}, query}, signal}),
  (into, {notes}) => notes.map((each) => into.take('note', each)));
export const useNotes = (conversationId: string, enabled?: boolean) => useList(notesFamily, {conversationId}, enabled);

export const loadNote: Load<'note'> = loadBy(({api}, request) => api.GET('/api/notes/{id}', request), (into, {note}) => into.take('note', note));
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

export const useDeleteNote = () => useDelete('note', notesFamily, loadNote, ({api}, request) => api.DELETE('/api/notes/{id}', request));

import {useEffect, useRef, useState} from 'react';
import type {Entities, Kind} from '../api/entities.ts';
import {readVersioned, useChange, type Load} from '../api/hooks.ts';
import {ApiProblem, type Versioned} from '../api/problem.ts';
import {useScope} from '../api/scope.tsx';

/** The fields of a form as the API has them: what is compared, and sent. */
type Body<D> = {readonly [F in keyof D]: unknown};
/** Of fields that hold many things, such as attributes: what is typed, upon what somebody else made of them. */
type Merges<D> = {readonly [F in keyof D]?: (mine: D[F], was: D[F], theirs: D[F]) => D[F]};

function touchedFields<D extends object>(draft: D, was: D, bodyOf: (draft: D) => Body<D>): (keyof D)[] {
  const [now, before] = [bodyOf(draft), bodyOf(was)];
  return (Object.keys(draft) as (keyof D)[]).filter((field) => JSON.stringify(now[field]) !== JSON.stringify(before[field]));
}

/** What is typed, upon what is there by now: a field that was not touched is as it is there. */
export function rebased<D extends object>(draft: D, was: D, theirs: D, bodyOf: (draft: D) => Body<D>, merges: Merges<D> = {}): D {
  const [mine, changed] = [touchedFields(draft, was, bodyOf), touchedFields(draft, theirs, bodyOf)];
  const now = {...draft};
  for (const field of changed) now[field] = mine.includes(field) ? merges[field]?.(draft[field], was[field], theirs[field]) ?? draft[field] : theirs[field];
  return now;
}

/** The part of the body that is another one than it was. */
export function changesOf<D extends object, B extends Body<D>>(draft: D, was: D, bodyOf: (draft: D) => B): Partial<B> {
  const body = bodyOf(draft);
  return Object.fromEntries(touchedFields(draft, was, bodyOf).map((field) => [field, body[field]])) as unknown as Partial<B>;
}

/** How an entity becomes the fields of a form, and these a body of the API. */
export interface FormOf<K extends Kind, D, B extends Body<D>> {
  readonly kind: K;
  readonly load: Load<K>;
  draftOf(value: Entities[K] | null): D;
  bodyOf(draft: D): B;
  readonly merges?: Merges<D>;
}

interface Change<V, T> {
  change(value: V): Promise<T>;
  readonly problem: ApiProblem | null;
  readonly isUnderWay: boolean;
  reset(): void;
}

export interface Edited<D, T> {
  readonly draft: D;
  put(part: Partial<D>): void;
  readonly isChanged: boolean;
  /** What is wrong with it at `field`, in words. */
  at(field: keyof D & string): string | undefined;
  readonly problem: ApiProblem | null;
  readonly isUnderWay: boolean;
  /** What somebody else made of it before this was saved, and what it was; until one has chosen. */
  readonly conflict: {readonly was: D; readonly theirs: D} | null;
  takeTheirs(): void;
  /** Undefined where it could not be saved; null where there was nothing to save. */
  save(): Promise<T | null | undefined>;
}

interface Editing<D> extends Pick<Edited<D, unknown>, 'draft' | 'conflict'> {
  readonly was: D;
  /** Null until it is read. */
  readonly version: string | null;
}

/**
 * What a form makes of something that others may change meanwhile; `id` null: of something new. It is read when the form is
 * opened, as what the page has of it may be old. What others change is taken over, except where one has typed oneself.
 */
export function useEdited<K extends Kind, D extends object, B extends Body<D>, T>(
  form: FormOf<K, D, B>, id: string | null, create: Change<NoInfer<B>, T>,
  update: Change<{id: string; version: string | null; body: Partial<NoInfer<B>>}, T>,
): Edited<D, T> {
  const scope = useScope();
  const {kind, load, draftOf, bodyOf, merges} = form;
  const [state, setState] = useState<Editing<D>>(() => {
    const known = draftOf(id === null ? null : scope.store.get(kind, id) ?? null);
    return {draft: known, was: known, version: null, conflict: null};
  });
  const {draft, was, version, conflict} = state;
  const latest = useRef(state);
  latest.current = state;
  const upon = (known: Editing<D>, now: Versioned<Entities[K]>, isTold = false): Editing<D> => {
    const theirs = draftOf(now.value);
    return {
      draft: rebased(known.draft, known.was, theirs, bodyOf, merges), was: theirs, version: now.version,
      conflict: isTold ? {was: known.was, theirs} : null,
    };
  };
  const read = useRef<Promise<Versioned<Entities[K]>> | null>(null);
  // What failed is read again when one saves.
  const readOnce = (of: string) => (read.current ??= readVersioned(scope, kind, of, load).then((now) => {
    setState((known) => upon(known, now));
    return now;
  }, (error: unknown) => {
    read.current = null;
    throw error;
  }));
  useEffect(() => {
    if (id !== null) readOnce(id).catch(() => undefined);  // saving tells
  }, [id]);
  const awaited = useChange((_, of: string) => readOnce(of));
  const {problem, reset} = id === null ? create : awaited.problem ? awaited : update;
  const isChanged = touchedFields(draft, was, bodyOf).length > 0;
  return {
    draft, isChanged, conflict,
    isUnderWay: id === null ? create.isUnderWay : awaited.isUnderWay || update.isUnderWay,
    problem: problem?.status === 412 ? null : problem,
    at: (field) => problem?.at(field).join(' ') || undefined,
    put: (part) => {
      if (problem) reset(); // a field that is told to be wrong keeps the form from being sent
      setState((known) => ({...known, draft: {...known.draft, ...part}}));
    },
    takeTheirs: () => setState((known) => ({...known, draft: known.was, conflict: null})),
    save: async () => {
      try {
        if (id === null) return await create.change(bodyOf(draft));
        if (!isChanged) return null;
        // Never without a version: that would overwrite unseen what others made of it.
        const theirs = version === null ? await awaited.change(id) : null;
        const now = theirs ? upon(latest.current, theirs) : state;
        const body = changesOf(now.draft, now.was, bodyOf);
        return Object.keys(body).length > 0 ? await update.change({id, version: now.version, body}) : null;
      } catch (error) {
        if (error instanceof ApiProblem && error.current) setState((known) => upon(known, error.current as Versioned<Entities[K]>, true));
        return undefined;
      }
    },
  };
}

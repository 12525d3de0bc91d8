import {useState} from 'react';
import {useRouter} from '@tanstack/react-router';
import type {Segment} from '../../api/entities.ts';
import {useScope} from '../../api/scope.tsx';
import {loadSegment, useCreateSegment, useUpdateSegment, type SegmentFilter} from '../../api/segments.ts';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import type {Facts} from '../../shell/conflict.tsx';
import {useEdited} from '../../shell/edited.ts';
import {useIsHere} from '../../shell/is_here.ts';
import {toasts} from '../../shell/toasts.ts';
import {useUnsaved} from '../../shell/unsaved.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {wordsOfNode} from './filter_words.ts';
import {compile, groupOf, newGroup, nodeAt, type Compiled, type Group} from './model.ts';

interface Draft {
  name: string;
  description: string;
  filter: Group;
}

/** A segment as it is built: what is typed, what is wrong with it, and how it is saved. */
export function useBuilder(segment: Segment | null) {
  const {audience: {segments: words, ...common}, contacts} = useTexts();
  const {locale} = useFormat();
  const {store} = useScope();
  const router = useRouter();
  const to = useAddress();
  const edited = useEdited({
    kind: 'segment', load: loadSegment,
    draftOf: (from): Draft => ({name: from?.name ?? '', description: from?.description ?? '', filter: from ? groupOf(from.filter, locale) : newGroup()}),
    // One that is not finished is not saved.
    bodyOf: ({name, description, filter}: Draft) => ({name: name.trim(), description, filter: compile(filter, locale).filter as SegmentFilter}),
  }, segment?.uniqueId ?? null, useCreateSegment(), useUpdateSegment());
  const {draft, problem} = edited;
  const compiled = compile(draft.filter, locale);
  const [isTried, setTried] = useState(false);
  const maySee = useHeld('Get:Contact');
  useUnsaved(edited.isChanged);
  const isHere = useIsHere();
  const factsOf = ({name, description, filter}: Draft): Facts => [
    [common.name, name], [common.description, description],
    [words.conditions, wordsOfNode(filter, {
      segments: words, statuses: contacts.statuses,
      nameOf: (kind, id) => (kind === 'tag' ? store.get('tag', id)?.label : store.get(kind, id)?.name) ?? '…',
    })],
  ];
  const save = async () => {
    setTried(true);
    if (!compiled.filter) return;
    const saved = await edited.save();
    if (saved === undefined) return;
    if (saved) toasts.add({
      title: words.saved, text: saved.name,
      ...(maySee && {action: {text: words.show, onPress: () => void router.navigate({href: to('contacts', {segment: saved.uniqueId})})}}),
    }, {timeout: 8000});
    if (isHere.current) void router.navigate({href: to('segments'), ignoreBlocker: true});
  };
  const told = new Map(problem?.faults.flatMap(({pointer, detail}) => {
    const node = pointer.startsWith('/filter') ? nodeAt(pointer.slice('/filter'.length).replace(/^\//, ''), compiled.places) : undefined;
    return node ? [[node, detail] as const] : [];
  }));
  /** Of conditions, once one has tried to save. */
  const faults: Compiled['faults'] = isTried ? compiled.faults : new Map();
  return {edited, compiled, faults, told, factsOf, save};
}

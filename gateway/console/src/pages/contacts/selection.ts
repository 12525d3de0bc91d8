/** Which contacts are selected: some by hand, or all that match the filter, whether they are loaded or not. */
export type Selection =
  | {readonly kind: 'some'; readonly ids: ReadonlySet<string>}
  | {readonly kind: 'all'};

export const kNothing: Selection = {kind: 'some', ids: new Set()};
/** They are changed one by one, as the API takes filters alone for many. */
export const kMostByHand = 1000;

export const isSelected = (selection: Selection, id: string): boolean => selection.kind === 'all' || selection.ids.has(id);

export const countOf = (selection: Selection, total: number): number => (selection.kind === 'all' ? total : selection.ids.size);

/** With `between`, the ids from the last one to this one, all become what this one becomes. Null where it would be too many. */
export function toggled(selection: Selection, id: string, between: readonly string[] = [id]): Selection | null {
  if (selection.kind === 'all') return selection;
  const ids = new Set(selection.ids);
  const isOn = !ids.has(id);
  for (const each of between) {
    if (isOn) ids.add(each);
    else ids.delete(each);
  }
  return ids.size > kMostByHand ? null : {kind: 'some', ids};
}

export function without(selection: Selection, id: string): Selection {
  if (selection.kind === 'all' || !selection.ids.has(id)) return selection;
  const ids = new Set(selection.ids);
  ids.delete(id);
  return {kind: 'some', ids};
}

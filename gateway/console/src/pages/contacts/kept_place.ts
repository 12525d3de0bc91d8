import {useEffect, useState} from 'react';
import {useLocation} from '@tanstack/react-router';
import {tabStorage} from '../../live/storage.ts';

/** How far a list was scrolled, and which row was the current one: of each entry of the history. */
export interface Place {
  offset: number;
  current: number | null;
}

const kName = 'parley.place.';
const kept = new Map<string, Place>();

function read(key: string): Place {
  const known = kept.get(key);
  if (known) return known;
  const place: Place = {offset: 0, current: null, ...JSON.parse(tabStorage.getItem(kName + key) ?? '{}')};
  kept.set(key, place);
  return place;
}

/** The place of this entry of the history: going back finds it again. Whoever scrolls writes into it. */
export function useKeptPlace(): Place {
  const key = useLocation({select: ({state}) => state.__TSR_key ?? state.key ?? ''});
  const [entry, setEntry] = useState(() => ({key, place: read(key)}));
  const current = entry.key === key ? entry : {key, place: read(key)};
  if (current !== entry) setEntry(current);
  const {place} = current;
  useEffect(() => {
    const keep = () => tabStorage.setItem(kName + key, JSON.stringify(place));
    addEventListener('pagehide', keep);
    return () => {
      removeEventListener('pagehide', keep);
      keep();
    };
  }, [key, place]);
  return place;
}

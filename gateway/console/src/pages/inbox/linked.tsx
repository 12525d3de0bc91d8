import {Fragment} from 'react';
import {Link} from '../../design/link.tsx';

const kAddress = /\bhttps?:\/\/[^\s<>"'()]+[^\s<>"'().,;:!?]/gu;

/** Words in which addresses are links. They open elsewhere, and are told nothing of where one came from. */
export function Linked({text}: {text: string}) {
  const pieces: {at: number; words: string; href: string | null}[] = [];
  let from = 0;
  for (const found of text.matchAll(kAddress)) {
    if (found.index > from) pieces.push({at: from, words: text.slice(from, found.index), href: null});
    pieces.push({at: found.index, words: found[0], href: found[0]});
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({at: from, words: text.slice(from), href: null});
  return pieces.map(({at, words, href}) => href
    ? <Link key={at} href={href} target="_blank" rel="noreferrer noopener">{words}</Link>
    : <Fragment key={at}>{words}</Fragment>);
}

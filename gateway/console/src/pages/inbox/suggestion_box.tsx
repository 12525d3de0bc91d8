import {useEffect, useLayoutEffect, useState, type KeyboardEvent, type ReactNode, type RefObject} from 'react';
import {useSearchedMembers} from '../../api/members.ts';
import {useSearchedQuickReplies} from '../../api/quick_replies.ts';
import type {ApiProblem} from '../../api/problem.ts';
import {useScope} from '../../api/scope.tsx';
import {Banner} from '../../design/banner.tsx';
import {useHeld} from '../../session/provider.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {useTexts} from '../../texts/index.tsx';
import s from './inbox.module.css';
import {repliesWith, startingWith, type Asked} from './suggestions.ts';

export interface Suggestion {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

const kMost = 8;

interface Found {
  readonly found: readonly Suggestion[];
  readonly isLoading: boolean;
  /** There may be others. */
  readonly problem: ApiProblem | null;
}
type Finds = {words: string; onFound: (found: Found) => void};

/** Quick replies by their shortcut or words. */
function Replies({words, onFound}: Finds) {
  const {store} = useScope();
  const {ids, isLoading, problem} = useSearchedQuickReplies(words);
  useLayoutEffect(() => {
    const all = repliesWith(ids.flatMap((id) => store.get('quickReply', id) ?? []), words, kMost);
    onFound({found: all.map(({uniqueId, shortcut, text}) => ({id: uniqueId, title: '/' + shortcut, text})), isLoading, problem});
  }, [words, ids, isLoading, problem, store, onFound]);
  return null;
}

/** Members by their names. */
function Members({words, onFound}: Finds) {
  const {store} = useScope();
  const {ids, isLoading, problem} = useSearchedMembers(words, useHeld('Get:OrganizationMember') ?? false);
  useLayoutEffect(() => {
    const all = startingWith(ids.flatMap((id) => store.get('member', id) ?? []), words, kMost);
    onFound({found: all.map(({uniqueId, name, email}) => ({id: uniqueId, title: name, text: email})), isLoading, problem});
  }, [words, ids, isLoading, problem, store, onFound]);
  return null;
}

export interface SuggestionBoxProps {
  asked: Asked | null;
  /** Has the focus again when the list is closed. */
  field: RefObject<HTMLTextAreaElement | null>;
  onChoose: (suggestion: Suggestion) => void;
  onClose: () => void;
  /**
   * The composer, with what a screen reader is to be told of the list, and what takes the entry that is marked. `isUnknown`: what is written
   * may name a quick reply, as they could not be loaded, or not yet; then it is not sent.
   */
  children: (aria: {controls: string; active: string} | null, take: (() => void) | null, isUnknown: boolean) => ReactNode;
}

const kId = 'suggestions';
const kNone: Found = {found: [], isLoading: true, problem: null};
const kFinders = {'/': Replies, '@': Members};

/** A list above the composer; arrow keys walk through it while one writes on. */
export function SuggestionBox({asked, field, onChoose, onClose, children}: SuggestionBoxProps) {
  const {inbox, shell} = useTexts();
  const [last, setLast] = useState<Found>(kNone);
  const {isLoading, problem} = last;
  const found = asked && last.found;
  const [at, setAt] = useState(0);
  useEffect(() => setAt(0), [asked?.words, asked?.sign]);
  const chosen = found?.[Math.min(at, found.length - 1)];
  const close = () => {
    onClose();
    field.current?.focus();
  };
  const isUnknown = asked?.sign === '/' && !chosen && (isLoading || problem !== null);
  const keys = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    // Keys of the page work again then.
    if (!found && event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
    if (!found) return;
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0 && found.length > 0) setAt((at + move + found.length) % found.length);
    else if (event.key === 'Escape') onClose();
    else if ((event.key !== 'Enter' && event.key !== 'Tab') || event.shiftKey) return;
    else if (chosen) onChoose(chosen);
    else if (!isLoading && (event.key === 'Tab' || !isUnknown)) return;  // what names nothing is sent as it is
    event.preventDefault();
    event.stopPropagation();
  };
  const Finder = asked && kFinders[asked.sign];
  const label = asked?.sign === '@' ? inbox.members : inbox.quickReplies;
  return (
    <div className={s.suggesting} onKeyDownCapture={keys}>
      {Finder && <Finder words={asked.words} onFound={setLast} />}
      {found && (
        <div className={s.suggestions}>
          {found.length === 0 && !problem && <p className={s.suggestion_none}>{isLoading ? shell.loading : asked?.sign === '@' ? inbox.noMembers : asked?.words ? inbox.noQuickReplies : inbox.quickRepliesEmpty}</p>}
          {found.length === 0 && problem && <Banner kind="warning" live title={inbox.notLoaded(label)} close={inbox.close} onClose={close}>{wordsOf(problem, shell)}</Banner>}
          <div role="listbox" id={kId} aria-label={label}>
            {found.map((each) => (
              <div key={each.id} id={`${kId} ${each.id}`.replaceAll(' ', '-')} role="option" aria-selected={each === chosen} className={s.suggestion}
                   onPointerDown={(event) => event.preventDefault()} onClick={() => onChoose(each)}>
                <b><bdi>{each.title}</bdi></b><span><bdi>{each.text}</bdi></span>
              </div>
            ))}
          </div>
        </div>
      )}
      {children(found && chosen ? {controls: kId, active: `${kId}-${chosen.id}`} : null, chosen ? () => onChoose(chosen) : null, isUnknown)}
    </div>
  );
}

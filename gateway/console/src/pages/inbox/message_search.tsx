import {useConversation} from '../../api/conversations.ts';
import {useMessage, useMessageSearch} from '../../api/messages.ts';
import {ApiProblem} from '../../api/problem.ts';
import {Avatar} from '../../design/avatar.tsx';
import {Button} from '../../design/button.tsx';
import {List, ListEntry} from '../../design/list.tsx';
import {PaneBody} from '../../design/panes.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {ProblemState} from '../../shell/problem.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {useContactOf} from './contact_of.ts';
import s from './inbox.module.css';
import {summaryOf} from './message_words.ts';
import {nameOfContact} from './names.ts';
import type {Place} from './place.ts';

/** Messages that have the words, with these marked; each leads to its place in its thread. */
export function MessageSearch({place}: {place: Place}) {
  const {inbox} = useTexts();
  const {search, conversationId} = place;
  const words = search.q ?? '';
  const found = useMessageSearch({search: words.slice(0, 100), ...(search.within && conversationId && {conversation_id: conversationId})});
  const matches = found.data?.pages.flatMap((page) => page.matches) ?? [];
  const content = () => {
    if (!words) return <EmptyState small icon="search" title={inbox.searchHint}>{inbox.searchHintText}</EmptyState>;
    if (found.error instanceof ApiProblem && matches.length === 0) return <ProblemState small problem={found.error} retry={() => void found.refetch()} title={inbox.threadFailed} />;
    if (found.isPending) return <Loading label={inbox.loadingMore}><div className={s.skeletons}><Skeleton kind="row" lines={6} /></div></Loading>;
    if (matches.length === 0 && !found.hasNextPage) return <EmptyState small icon="search" title={inbox.noMatches}>{inbox.noMatchesHint}</EmptyState>;
    return (
      <>
        <List label={inbox.inMessages}>
          {matches.map(({id, highlights}) => <Match key={id} id={id} pieces={highlights[0]?.pieces ?? []} place={place} />)}
        </List>
        {found.hasNextPage && (
          <div className={s.more}><Button wide kind="quiet" isPending={found.isFetchingNextPage} onPress={() => void found.fetchNextPage({cancelRefetch: false})}>{inbox.moreMatches}</Button></div>
        )}
      </>
    );
  };
  return <PaneBody label={inbox.inMessages}>{content()}</PaneBody>;
}

interface MatchProps {
  id: string;
  pieces: readonly {text: string; matched: boolean}[];
  place: Place;
}

function Match({id, pieces, place: {search, hrefOf}}: MatchProps) {
  const {inbox} = useTexts();
  const format = useFormat();
  const {value: message} = useMessage(id);
  const {value: conversation} = useConversation(message?.conversationId ?? null);
  const contact = useContactOf(conversation);
  if (!message) return null;
  const name = nameOfContact(contact, inbox);
  const words = pieces.length > 0 ? pieces.map(({text, matched}, at) => matched ? <mark key={at}>{text}</mark> : text) : summaryOf(message, inbox);
  return (
    <ListEntry href={hrefOf(message.conversationId, {message: id})} title={name} picture={<Avatar name={name} seed={conversation?.contactId ?? id} />}
               time={<time dateTime={message.createdAt}>{format.short(message.createdAt)}</time>} text={words} isCurrent={search.message === id}
               {...(message.direction === 'OutBound' && {before: inbox.you})} />
  );
}

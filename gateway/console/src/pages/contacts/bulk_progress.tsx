import {useEffect, useRef} from 'react';
import {ApiProblem} from '../../api/problem.ts';
import {Banner} from '../../design/banner.tsx';
import {Button} from '../../design/button.tsx';
import {ProgressBar} from '../../design/progress.tsx';
import {wordsOf} from '../../shell/problem.tsx';
import {useTexts} from '../../texts/index.tsx';
import type {Bulk} from './use_bulk.ts';

/** A change of many contacts while it runs, and what became of it. */
export function BulkProgress({bulk, onEnd}: {bulk: Bulk; onEnd: () => void}) {
  const {contacts: {bulk: words, close}, shell} = useTexts();
  const state = bulk.current!;
  const isOver = state.status !== 'queued' && state.status !== 'running';
  const told = useRef(false);
  useEffect(() => {
    if (isOver && !told.current) onEnd();
    told.current = isOver;
  });
  if (!isOver) {
    const done = state.changed + state.unchanged + state.failed;
    return (
      <Banner actions={<Button size="s" onPress={bulk.cancel}>{words.cancel}</Button>}>
        <ProgressBar label={state.status === 'queued' ? words.queued : words.progress} value={(100 * done) / state.expected} valueText={words.running(done, state.expected)} />
      </Banner>
    );
  }
  const kind = state.status === 'failed' ? 'danger' : state.failed > 0 || state.status === 'cancelled' ? 'warning' : 'ok';
  const title = state.status === 'cancelled' ? words.cancelled(state.changed, state.isDeletion)
    : state.status === 'failed' ? words.failed(state.changed, state.isDeletion)
      : state.isDeletion ? words.deleted(state.changed) : words.finished(state.changed);
  return (
    <Banner kind={kind} live title={title} close={close} onClose={bulk.close}>
      {(state.unchanged > 0 || state.failed > 0) && <p>{words.sums(state.changed, state.unchanged, state.failed)}</p>}
      {state.failure !== null && <p dir="auto">{state.failure instanceof ApiProblem ? wordsOf(state.failure, shell) : String(state.failure)}</p>}
    </Banner>
  );
}

import type {ReactNode} from 'react';
import {ApiProblem} from '../api/problem.ts';
import {Button} from '../design/button.tsx';
import {ErrorState, ForbiddenState} from '../design/state.tsx';
import {useTexts, type Texts} from '../texts/index.tsx';
import {useLeft} from './clock.ts';

/** What a problem says, in words: the answer's own where it has some. */
export function wordsOf(problem: ApiProblem, {problems}: Texts['shell']): string {
  if (problem.type === 'offline') return problems.offline;
  if (problem.type === 'timeout') return problems.timeout;
  if (problem.detail) return problem.detail;
  if (problem.status === 429) return problems.rate;
  return problem.status >= 502 && problem.status <= 504 ? problems.unavailable : problems.unexpected;
}

/** Instead of what could not be loaded. A 403 names the permission, a 429 counts down. */
export function ProblemState({problem, retry, level, small, title}:
  {problem: ApiProblem; retry?: () => void; level?: 1 | 2 | 3; small?: boolean; title?: string}) {
  const {shell} = useTexts();
  const left = useLeft(problem.status === 429 ? problem.retryAt : null);
  const look = {...(level && {level}), ...(small && {small})};
  if (problem.status === 403 && problem.permissions.length > 0)
    return <ForbiddenState {...look} title={shell.forbidden} permission={problem.permissions.join(', ')}>{shell.forbiddenText}</ForbiddenState>;
  const actions: ReactNode = retry && (
    <Button icon="retry" onPress={retry} isDisabled={left > 0}>{left > 0 ? shell.retryIn(left) : shell.retry}</Button>
  );
  return (
    <ErrorState {...look} title={title ?? shell.problems.title} actions={actions}
                {...(problem.requestId && {reference: {label: shell.request, text: problem.requestId}})}>
      <bdi>{wordsOf(problem, shell)}</bdi>
    </ErrorState>
  );
}

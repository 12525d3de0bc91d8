import type {ApiProblem} from '../api/problem.ts';
import {Banner} from '../design/banner.tsx';
import {useTexts} from '../texts/index.tsx';
import {useLeft} from './clock.ts';
import {wordsOf} from './problem.tsx';

/** What went wrong with a form, unless a field says it: `words` has what this form knows about by status. */
export function FormProblem({problem, words = {}, besides = []}:
  {problem: ApiProblem | null; words?: Readonly<Record<number, string>>; besides?: readonly string[]}) {
  const {access, shell} = useTexts();
  const left = useLeft(problem?.status === 429 ? problem.retryAt : null);
  if (!problem || (problem.status === 429 && problem.retryAt !== null && left === 0)) return null;
  const isAtFields = problem.faults.length > 0 && problem.besides(besides).length === 0;
  if (isAtFields) return null;
  const said = words[problem.status] ?? (problem.status === 429 ? access.tooMany : wordsOf(problem, shell));
  return <Banner kind={problem.status === 429 ? 'warning' : 'danger'} live>{said}</Banner>;
}

import type {ReactNode} from 'react';
import type {ApiProblem} from '../../api/problem.ts';
import {Button} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {Stack} from '../../design/page.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {ProblemState} from '../../shell/problem.tsx';
import {useTexts} from '../../texts/index.tsx';

interface Listed {
  ids: readonly string[];
  total: number | null;
  problem: ApiProblem | null;
  isLoading: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  retry(): void;
  more(): void;
}

/** A table of one of the smaller lists, or what stands in its place; more of it by a button. */
export function ListState({list, isFiltered, empty, search, children}:
  {list: Listed; isFiltered: boolean; empty: ReactNode; search?: ReactNode; children: ReactNode}) {
  const {audience: words} = useTexts();
  if (list.problem) return <ProblemState problem={list.problem} retry={list.retry} />;
  if (!isFiltered && list.total === 0) return empty;
  return (
    <Stack gap={3}>
      {search}
      {list.isLoading ? <Loading label={words.loading}><Card><Skeleton kind="row" lines={8} /></Card></Loading>
        : list.ids.length === 0 ? <EmptyState icon="search" title={words.noMatch} small />
          : <Card flush>{children}</Card>}
      {list.hasMore && <div><Button isPending={list.isLoadingMore} onPress={list.more}>{words.showMore}</Button></div>}
    </Stack>
  );
}

import type {ReactNode} from 'react';
import type {ApiProblem} from '../../api/problem.ts';
import {Banner} from '../../design/banner.tsx';
import {Button, IconButton} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import type {IconName} from '../../design/icon.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {ProblemState, wordsOf} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {useRefreshed} from './use_refreshed.ts';
import s from './audience.module.css';

interface Listed {
  ids: readonly string[];
  total: number | null;
  problem: ApiProblem | null;
  isLoading: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  asOf: number;
  retry(): void;
  more(): void;
  refresh(): Promise<unknown>;
}

/** A page with one of the smaller lists in a table, or what stands in its place; more of it by a button. */
export function Listing({title, text, icon, list, create, isFiltered = false, empty, search, narrow, notice, children}: {
  title: string; text?: string; icon: IconName; list: Listed; create: ReactNode; isFiltered?: boolean; empty: {title: string; text: string};
  search?: ReactNode; narrow?: boolean; notice?: ReactNode; children: ReactNode;
}) {
  const {audience: words, shell} = useTexts();
  const format = useFormat();
  useTitle(title);
  useRefreshed(list);
  const isEmpty = !isFiltered && list.total === 0;
  return (
    <Page wide={!narrow} header={<PageHeader title={title} {...(text && {description: text})} {...(list.total !== null && {count: format.number(list.total)})} actions={create} />}>
      {notice}
      {list.problem && list.total !== null && (
        <Banner kind="danger" live actions={<Button size="s" icon="retry" onPress={list.retry}>{shell.retry}</Button>}>{wordsOf(list.problem, shell)}</Banner>
      )}
      {list.problem && list.total === null ? <ProblemState problem={list.problem} retry={list.retry} />
        : isEmpty ? <EmptyState icon={icon} title={empty.title} actions={create}>{empty.text}</EmptyState> : (
          <Stack gap={3}>
            {search && <div className={s.search}>{search}</div>}
            {list.isLoading ? <Loading label={words.loading}><Card><Skeleton kind="row" lines={8} /></Card></Loading>
              : list.ids.length === 0 ? <EmptyState icon="search" title={words.noMatch} small />
                : <Card flush>{children}</Card>}
            {list.hasMore && <div><Button isPending={list.isLoadingMore} onPress={list.more}>{words.showMore}</Button></div>}
          </Stack>
        )}
    </Page>
  );
}

/** At the end of a row: what can be done with the one that is called `name`. */
export function RowActions({name, edit, onEdit, onDelete, children}:
  {name: string; edit: string; onEdit: (() => void) | false | undefined; onDelete: (() => void) | false | undefined; children?: ReactNode}) {
  const {audience: words} = useTexts();
  return (
    <Stack row gap={1}>
      {children}
      {onEdit && <IconButton size="s" icon="edit" label={`${edit}: ${name}`} onPress={onEdit} />}
      {onDelete && <IconButton size="s" icon="trash" label={`${words.delete}: ${name}`} onPress={onDelete} />}
    </Stack>
  );
}

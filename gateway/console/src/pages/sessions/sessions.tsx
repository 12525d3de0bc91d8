import {useState} from 'react';
import {ApiProblem} from '../../api/problem.ts';
import {Badge} from '../../design/badge.tsx';
import {Button} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {AlertDialog} from '../../design/dialog.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {Skeleton} from '../../design/progress.tsx';
import {Icon} from '../../design/icon.tsx';
import {useEndSession, useSessions} from '../../session/account.ts';
import {useAddress} from '../../shell/address.ts';
import {useNow} from '../../shell/clock.ts';
import {ProblemState, wordsOf} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {programOf} from './program.ts';
import s from './sessions.module.css';

type Listed = NonNullable<ReturnType<typeof useSessions>['data']>['sessions'][number];

export default function SessionsPage() {
  const {access: {sessions: words}, shell} = useTexts();
  const {data, error, refetch} = useSessions();
  const to = useAddress();
  useTitle(words.title);
  const all = data?.sessions ?? [];
  const others = all.filter((each) => !each.isCurrent);
  return (
    <Page header={<PageHeader back={{href: to('profile'), text: shell.profile}} title={words.title} description={words.text}
                              actions={others.length > 0 && <EndOthers others={others} />} />}>
      {error instanceof ApiProblem && !data && <ProblemState problem={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && <Card flush><ul>{all.map((each) => <Entry key={each.uniqueId} session={each} />)}</ul></Card>}
    </Page>
  );
}

function Entry({session}: {session: Listed}) {
  const {access: {sessions: words}, shell} = useTexts();
  const format = useFormat();
  const now = useNow();
  const {change, isUnderWay} = useEndSession();
  const known = programOf(session.userAgent);
  const name = known ? words.on(known.program, known.system) : words.unknown;
  const end = () => void change(session.uniqueId).then(
    () => toasts.add({title: words.ended}, {timeout: 5000}),
    (error: unknown) => error instanceof ApiProblem && toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)}));
  return (
    <li className={s.entry}>
      <Icon name={known?.isPhone ? 'phone' : 'computer'} size={20} />
      <div className={s.words}>
        <Stack row gap={2}><strong>{name}</strong>{session.isCurrent && <Badge tone="ok">{words.current}</Badge>}</Stack>
        <p className={s.facts}>
          <span>{words.used(format.relative(session.lastUsedAt, now))}</span>
          <span>{words.since(format.dateTime(session.createdAt))}</span>
          <bdi>{session.address}</bdi>
        </p>
      </div>
      {!session.isCurrent && <Button size="s" isPending={isUnderWay} aria-label={words.endOne(name)} onPress={end}>{words.end}</Button>}
    </li>
  );
}

function EndOthers({others}: {others: readonly Listed[]}) {
  const {access, shell} = useTexts();
  const words = access.sessions;
  const [isOpen, setOpen] = useState(false);
  const [isPending, setPending] = useState(false);
  const {change} = useEndSession();
  const {refetch} = useSessions();
  const end = async () => {
    setPending(true);
    let count = 0;
    try {
      for (const each of others) {
        await change(each.uniqueId).catch((error: unknown) => {
          if (!(error instanceof ApiProblem && error.status === 404)) throw error;  // it has ended by itself
        });
        ++count;
      }
      toasts.add({title: words.endedOthers(count)}, {timeout: 6000});
    } catch (error) {
      if (error instanceof ApiProblem) toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)});
    }
    setPending(false);
    setOpen(false);
    void refetch();
  };
  const action = words.endOthers(others.length);
  return (
    <AlertDialog isOpen={isOpen} onOpenChange={setOpen} trigger={<Button>{action}</Button>} title={words.endOthersTitle} cancel={access.cancel}
                 action={action} isPending={isPending} onAction={() => void end()}>
      {words.endOthersText}
    </AlertDialog>
  );
}

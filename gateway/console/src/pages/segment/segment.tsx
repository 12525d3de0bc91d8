import {lazy, Suspense, useEffect, useMemo, useState} from 'react';
import {useParams, useRouter} from '@tanstack/react-router';
import type {Segment} from '../../api/entities.ts';
import {readVersioned} from '../../api/hooks.ts';
import {ApiProblem} from '../../api/problem.ts';
import {useScope} from '../../api/scope.tsx';
import {loadSegment, useCreateSegment, useDeleteSegment, useSegment, useSegmentCount, useUpdateSegment} from '../../api/segments.ts';
import {Banner} from '../../design/banner.tsx';
import {Button, ButtonLink, ButtonRow} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {Fields, Form} from '../../design/field.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {TextField} from '../../design/text_field.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {ProblemState, wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';
import {useSlowly} from '../lists/use_slowly.ts';
import {compile, groupOf, newGroup, type Group} from './model.ts';

const AlertDialog = lazy(() => import('../../design/dialog.tsx').then((all) => ({default: all.AlertDialog})));
const GroupEditor = lazy(() => import('./group_editor.tsx').then((all) => ({default: all.GroupEditor})));

export default function SegmentPage() {
  const {segment: id = ''} = useParams({strict: false});
  const {audience: {segments: words, loading}, shell} = useTexts();
  const to = useAddress();
  const {value, problem, retry} = useSegment(id === 'new' ? null : id);
  if (id === 'new' || value) return <Builder key={id} segment={value ?? null} />;
  return (
    <Page header={<PageHeader back={{href: to('segments'), text: words.title}} title={value === null ? shell.notFound : words.title} />}>
      {problem ? <ProblemState problem={problem} retry={retry} />
        : value === null ? <ButtonLink href={to('segments')}>{words.title}</ButtonLink> : <Loading label={loading}><Skeleton kind="row" lines={6} /></Loading>}
    </Page>
  );
}

function Builder({segment}: {segment: Segment | null}) {
  const {audience: {segments: words, ...common}, shell} = useTexts();
  useTitle(segment?.name ?? words.create);
  const scope = useScope();
  const router = useRouter();
  const to = useAddress();
  const [name, setName] = useState(segment?.name ?? '');
  const [description, setDescription] = useState(segment?.description ?? '');
  const [root, setRoot] = useState<Group>(() => (segment ? groupOf(segment.filter) : newGroup()));
  const [isTried, setTried] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [version, setVersion] = useState<string | null>(null);
  const [theirs, setTheirs] = useState<Segment | null>(null);
  useEffect(() => {
    if (segment) readVersioned(scope, 'segment', segment.uniqueId, loadSegment).then((now) => setVersion(now.version), () => undefined);
  }, [scope, segment?.uniqueId]);
  const compiled = useMemo(() => compile(root), [root]);
  const filter = useSlowly(compiled.filter, 400);
  const count = useSegmentCount(filter);
  const create = useCreateSegment();
  const update = useUpdateSegment();
  const remove = useDeleteSegment();
  const {problem, isUnderWay, reset} = segment ? update : create;
  const [maySave, mayDelete, maySee] = [useHeld(segment ? 'Update:List' : 'Create:List'), useHeld('Delete:List'), useHeld('Get:Contact')];
  const told = new Map(problem?.faults.flatMap(({pointer, detail}) => {
    const node = pointer.startsWith('/filter') ? nodeAt(pointer.slice('/filter'.length).replace(/^\//, ''), compiled.places) : undefined;
    return node ? [[node, detail] as const] : [];
  }));
  const save = async () => {
    setTried(true);
    if (!compiled.filter) return;
    const body = {name: name.trim(), description, filter: compiled.filter};
    try {
      const saved = segment ? await update.change({id: segment.uniqueId, version, body}) : await create.change(body);
      toasts.add({title: words.saved, text: saved.name, ...(maySee && {action: {text: words.show, onPress: () => void router.navigate({href: to('contacts', {segment: saved.uniqueId})})}})}, {timeout: 8000});
      void router.navigate({href: to('segments')});
    } catch (error) {
      const current = (error as ApiProblem).current;
      if (!current) return;
      setVersion(current.version);
      setTheirs(current.value as Segment);
    }
  };
  const take = () => {
    if (!theirs) return;
    setName(theirs.name);
    setDescription(theirs.description);
    setRoot(groupOf(theirs.filter));
    setTheirs(null);
  };
  const drop = () => remove.change({id: segment!.uniqueId, version: null}).then(() => {
    toasts.add({title: words.deleted, text: segment!.name}, {timeout: 5000});
    void router.navigate({href: to('segments'), replace: true});
  }, (error: unknown) => {
    if (error instanceof ApiProblem) toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)});
  });
  const isCurrent = filter === compiled.filter && compiled.filter !== null;
  const number = !compiled.filter ? words.unfinished : count.problem ? words.countUnknown
    : isCurrent && count.value ? words.count(count.value.numberOfContacts) : words.counting;
  return (
    <Page header={<PageHeader back={{href: to('segments'), text: words.title}} title={segment ? <bdi>{segment.name}</bdi> : words.create}
                              actions={segment && mayDelete && <Button icon="trash" onPress={() => setDeleting(true)}>{common.delete}</Button>} />}>
      <Form onSubmit={() => void save()} label={words.title}>
        <Stack>
          {theirs && (
            <Banner kind="warning" live title={common.conflict} actions={<Button size="s" onPress={take}>{common.takeTheirs}</Button>}>
              <bdi>{theirs.name}</bdi>{JSON.stringify(theirs.filter) !== JSON.stringify(compiled.filter) && <pre dir="ltr">{JSON.stringify(theirs.filter, null, 1)}</pre>}
            </Banner>
          )}
          {problem && problem.status !== 412 && told.size === 0 && problem.at('name').length === 0 && <Banner kind="danger" live>{wordsOf(problem, shell)}</Banner>}
          <Card>
            <Fields columns>
              <TextField label={common.name} value={name} onChange={(text) => {
                if (problem) reset();  // a field that is told to be wrong keeps the form from being sent
                setName(text);
              }} autoFocus={!segment} maxLength={255} error={problem?.at('name').join(' ')} />
              <TextField label={common.description} hint={common.optional} value={description} onChange={setDescription} maxLength={2000} />
            </Fields>
          </Card>
          <Card title={words.conditions} actions={<strong aria-live="polite">{number}</strong>}>
            <Suspense fallback={<Skeleton kind="row" lines={3} />}><GroupEditor root={root} group={root} depth={1} onChange={setRoot} faults={isTried ? compiled.faults : new Map()} told={told} /></Suspense>
          </Card>
          <ButtonRow end>
            <ButtonLink href={to('segments')}>{common.cancel}</ButtonLink>
            {maySave && <Button kind="primary" type="submit" isPending={isUnderWay}>{theirs ? common.keepMine : segment ? words.saveChanges : words.saveAction}</Button>}
          </ButtonRow>
        </Stack>
      </Form>
      {segment && isDeleting && (
        <Suspense><AlertDialog isOpen onOpenChange={setDeleting} title={words.deleteTitle(segment.name)} cancel={common.cancel} action={words.deleteAction}
                     isPending={remove.isUnderWay} onAction={() => void drop()}>{words.deleteText}</AlertDialog></Suspense>
      )}
    </Page>
  );
}

/** The node of a place, or the one that the place is within. */
function nodeAt(place: string, places: ReadonlyMap<string, string>): string | undefined {
  for (let at = place;; at = at.slice(0, at.lastIndexOf('/'))) {
    const node = places.get(at);
    if (node || !at.includes('/')) return node ?? places.get('');
  }
}

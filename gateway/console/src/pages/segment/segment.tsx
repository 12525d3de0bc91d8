import {Suspense, useState} from 'react';
import {useParams, useRouter} from '@tanstack/react-router';
import type {Segment} from '../../api/entities.ts';
import {useDeleteSegment, useSegment, useSegmentCount, type SegmentFilter} from '../../api/segments.ts';
import {useSlowly} from '../../api/slowly.ts';
import {Button, ButtonLink, ButtonRow} from '../../design/button.tsx';
import {Card} from '../../design/card.tsx';
import {Fields, Form} from '../../design/field.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {TextField} from '../../design/text_field.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {Conflict} from '../../shell/conflict.tsx';
import {FormProblem} from '../../shell/form_problem.tsx';
import {ProblemState} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {useTexts} from '../../texts/index.tsx';
import type {Compiled} from './model.ts';
import {useBuilder} from './use_builder.ts';

const DeleteDialog = part(() => import('../audience/delete_dialog.tsx'), (file) => file.DeleteDialog);
const UsedBy = part(() => import('../audience/used_by.tsx'), (file) => file.UsedBy);
const GroupEditor = part(() => import('./group_editor.tsx'), (file) => file.GroupEditor);

export default function SegmentPage() {
  const {segment: id = ''} = useParams({strict: false});
  const {audience: {segments: words, loading}, shell} = useTexts();
  const to = useAddress();
  const {value, problem, retry} = useSegment(id === 'new' ? null : id);
  const waiting = (
    <Page header={<PageHeader back={{href: to('segments'), text: words.title}} title={value === null ? shell.notFound : words.title} />}>
      {problem ? <ProblemState problem={problem} retry={retry} />
        : value === null ? <ButtonLink href={to('segments')}>{words.title}</ButtonLink> : <Loading label={loading}><Skeleton kind="row" lines={6} /></Loading>}
    </Page>
  );
  return id === 'new' || value ? <Suspense fallback={waiting}><Builder key={id} segment={value ?? null} /></Suspense> : waiting;
}

function Builder({segment}: {segment: Segment | null}) {
  const {audience: {segments: words, ...common}, shell} = useTexts();
  useTitle(segment?.name ?? words.create);
  const router = useRouter();
  const to = useAddress();
  const {edited: {draft, put, at, problem, conflict, takeTheirs, isUnderWay}, compiled, faults, told, factsOf, save} = useBuilder(segment);
  const [isDeleting, setDeleting] = useState(false);
  const remove = useDeleteSegment();
  const [maySave, mayDelete] = [useHeld(segment ? 'Update:List' : 'Create:List'), useHeld('Delete:List')];
  return (
    <Page header={<PageHeader back={{href: to('segments'), text: words.title}} title={segment ? <bdi>{segment.name}</bdi> : words.create}
                              actions={segment && mayDelete && <Button icon="trash" onPress={() => setDeleting(true)}>{common.delete}</Button>} />}>
      <Form onSubmit={() => void save()} label={words.title}>
        <Stack>
          {conflict && <Conflict was={factsOf(conflict.was)} theirs={factsOf(conflict.theirs)} yours={factsOf(draft)} />}
          <FormProblem problem={problem} words={{409: words.known}} besides={Object.keys(draft)} />
          <Card>
            <Fields columns>
              <TextField label={common.name} value={draft.name} onChange={(name) => put({name})} autoFocus={!segment} isRequired maxLength={255} error={at('name')} />
              <TextField label={common.description} hint={common.optional} value={draft.description} onChange={(description) => put({description})} maxLength={2000} error={at('description')} />
            </Fields>
          </Card>
          <Card title={words.conditions} actions={<Counted compiled={compiled} />}>
            <GroupEditor root={draft.filter} group={draft.filter} depth={1} onChange={(filter) => put({filter})} faults={faults} told={told} />
          </Card>
          <ButtonRow end>
            {conflict ? <Button onPress={takeTheirs}>{shell.conflict.takeTheirs}</Button> : <ButtonLink href={to('segments')}>{common.cancel}</ButtonLink>}
            {maySave && <Button kind="primary" type="submit" isPending={isUnderWay}>{conflict ? shell.conflict.keepYours : segment ? words.saveChanges : words.saveAction}</Button>}
          </ButtonRow>
        </Stack>
      </Form>
      {segment && isDeleting && (
        <Suspense>
          <DeleteDialog id={segment.uniqueId} name={segment.name} title={words.deleteTitle(segment.name)} action={words.deleteAction} deleted={words.deleted} remove={remove}
                        onDeleted={() => void router.navigate({href: to('segments'), replace: true, ignoreBlocker: true})} onClose={() => setDeleting(false)}>
            <p>{words.deleteText}</p>
            <UsedBy used={{kind: 'segment', id: segment.uniqueId}} />
          </DeleteDialog>
        </Suspense>
      )}
    </Page>
  );
}

/** How many contacts fulfil the conditions, when the typing pauses. */
function Counted({compiled: {filter: now}}: {compiled: Compiled}) {
  const {audience: {segments: words}} = useTexts();
  const text = JSON.stringify(now);
  const asked = useSlowly(text, 400);
  const mayCount = useHeld('Get:Contact');
  const {value, problem} = useSegmentCount(mayCount ? JSON.parse(asked) as SegmentFilter | null : null);
  return (
    <strong aria-live="polite">
      {!now ? words.unfinished : problem || mayCount === false ? words.countUnknown : asked === text && value ? words.count(value.numberOfContacts) : words.counting}
    </strong>
  );
}

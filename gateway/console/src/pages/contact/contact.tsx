import {Suspense, useState} from 'react';
import {useParams, useRouter} from '@tanstack/react-router';
import {useContact, useDeleteContact} from '../../api/contacts.ts';
import {useStartConversation} from '../../api/conversations.ts';
import type {Contact} from '../../api/entities.ts';
import {ApiProblem} from '../../api/problem.ts';
import {useScope} from '../../api/scope.tsx';
import {Avatar} from '../../design/avatar.tsx';
import {Badge, Tag, Tags} from '../../design/badge.tsx';
import {Button, ButtonLink, IconButton} from '../../design/button.tsx';
import {Card, DescriptionList} from '../../design/card.tsx';
import {Link} from '../../design/link.tsx';
import {Page, PageHeader, Stack} from '../../design/page.tsx';
import {Loading, Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {part} from '../../parts.ts';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useKeys} from '../../shell/keys.ts';
import {ProblemState, wordsOf} from '../../shell/problem.tsx';
import {useTitle} from '../../shell/title.tsx';
import {toasts} from '../../shell/toasts.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {textOf} from '../contacts/attribute_values.ts';
import {statusTones} from '../contacts/status.tsx';
import {ContactTimeline} from './contact_timeline.tsx';
import s from './contact.module.css';

const DeleteDialog = part(() => import('../audience/delete_dialog.tsx'), (file) => file.DeleteDialog);
const EditContact = part(() => import('./edit_contact.tsx'), (file) => file.EditContact);

export default function ContactPage() {
  const {contact: id = ''} = useParams({strict: false});
  const {contact: words} = useTexts();
  const to = useAddress();
  const {value, problem, isLoading, retry} = useContact(id);
  const back = {href: to('contacts'), text: words.back};
  if (value) return <ContactView key={id} contact={value} back={back} />;
  return (
    <Page header={<PageHeader back={back} title={isLoading ? words.about : words.gone.title} />}>
      {problem ? <ProblemState problem={problem} retry={retry} />
        : value === null ? <EmptyState icon="contacts" title={words.gone.title} actions={<ButtonLink kind="primary" href={back.href}>{words.gone.to}</ButtonLink>}>{words.gone.text}</EmptyState>
          : <Loading label={words.loading}><Card><Skeleton kind="row" lines={6} /></Card></Loading>}
    </Page>
  );
}

function ContactView({contact, back}: {contact: Contact; back: {href: string; text: string}}) {
  const {contact: words, contacts, audience: common, shell} = useTexts();
  const format = useFormat();
  const to = useAddress();
  const router = useRouter();
  const [isEditing, setEditing] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const start = useStartConversation();
  const remove = useDeleteContact();
  const [mayWrite, mayEdit, mayDelete] = [useHeld('Create:Conversation'), useHeld('Update:Contact'), useHeld('Delete:Contact')];
  const name = contact.name || contact.phone;
  const write = () => start.change({contactId: contact.uniqueId})
    .then((conversation) => router.navigate({href: to('inbox/' + conversation.uniqueId)}), (error: unknown) => {
      if (error instanceof ApiProblem) toasts.add({kind: 'danger', title: shell.problems.title, text: wordsOf(error, shell)});
    });
  useTitle(name);
  useKeys([
    {keys: 'e', text: common.edit, run: () => setEditing(true), isDisabled: !mayEdit},
    {keys: 'Escape', text: contacts.keys.back, run: () => (router.history.canGoBack() ? router.history.back() : void router.navigate({href: back.href}))},
  ]);
  return (
    <Page header={
      <PageHeader back={back} picture={<Avatar name={name} seed={contact.uniqueId} size="l" />} title={<bdi>{name}</bdi>}
                  description={<span className={s.line}><span dir="ltr">{contact.phone}</span><Badge tone={statusTones[contact.status]}>{contacts.statuses[contact.status]}</Badge></span>}
                  actions={
                    <>
                      {mayDelete && <IconButton icon="trash" kind="secondary" label={words.delete} onPress={() => setDeleting(true)} />}
                      {mayEdit && <Button icon="edit" onPress={() => setEditing(true)}>{common.edit}</Button>}
                      {mayWrite && <Button kind="primary" icon="inbox" isPending={start.isUnderWay} onPress={() => void write()}>{words.write}</Button>}
                    </>
                  } />
    }>
      <div className={s.columns}>
        <Stack>
          <Card title={words.about}>
            <DescriptionList narrow facts={[
              {term: words.facts.tags, value: <NamesOf kind="tag" ids={contact.tagIds} />},
              {term: words.facts.lists, value: <NamesOf kind="list" ids={contact.listIds} />},
              {term: words.facts.added, value: format.dateTime(contact.createdAt)},
            ]} />
          </Card>
          <Card title={words.facts.attributes}>
            {Object.keys(contact.attributes).length === 0 ? <p className={s.none}>{words.none}</p> : (
              <DescriptionList narrow facts={Object.entries(contact.attributes).map(([term, value]) => ({term, value: <bdi className={s.value}>{textOf(value)}</bdi>}))} />
            )}
          </Card>
        </Stack>
        <ContactTimeline contact={contact} />
      </div>
      {isEditing && (
        <Suspense>
          <EditContact id={contact.uniqueId} onSaved={(saved) => toasts.add({title: common.saved, text: saved.name || saved.phone}, {timeout: 4000})} onClose={() => setEditing(false)} />
        </Suspense>
      )}
      {isDeleting && (
        <Suspense>
          <DeleteDialog id={contact.uniqueId} name={name} title={words.deleteTitle(name)} action={words.deleteAction} deleted={words.deleted} remove={remove}
                        onDeleted={() => void router.navigate({href: back.href, replace: true})} onClose={() => setDeleting(false)}>{words.deleteText}</DeleteDialog>
        </Suspense>
      )}
    </Page>
  );
}

function NamesOf({kind, ids}: {kind: 'tag' | 'list'; ids: readonly string[] | undefined}) {
  const {contact: words} = useTexts();
  const {store} = useScope();
  const to = useAddress();
  if (!ids) return words.unknown;
  if (ids.length === 0) return words.none;
  if (kind === 'tag') return <Tags>{ids.map((id) => <Tag key={id}>{store.get('tag', id)?.label ?? '…'}</Tag>)}</Tags>;
  return <span className={s.names}>{ids.map((id) => <Link key={id} href={to('contacts', {list: id})}><bdi>{store.get('list', id)?.name ?? '…'}</bdi></Link>)}</span>;
}

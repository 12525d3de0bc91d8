import {useEffect} from 'react';
import {useLists} from '../../api/lists.ts';
import {useScope} from '../../api/scope.tsx';
import {useTags} from '../../api/tags.ts';
import type {Contact, Conversation} from '../../api/entities.ts';
import {Avatar} from '../../design/avatar.tsx';
import {Tag, Tags} from '../../design/badge.tsx';
import {ButtonLink, IconButton} from '../../design/button.tsx';
import {DescriptionList} from '../../design/card.tsx';
import {Link} from '../../design/link.tsx';
import {Stack} from '../../design/page.tsx';
import {PaneBar, PaneBody} from '../../design/panes.tsx';
import {Skeleton} from '../../design/progress.tsx';
import {EmptyState} from '../../design/state.tsx';
import {useHeld} from '../../session/provider.tsx';
import {useAddress} from '../../shell/address.ts';
import {useFormat, useTexts} from '../../texts/index.tsx';
import {StatusDotWords} from '../contacts/status.tsx';
import {useContactOf} from './contact_of.ts';
import {nameOfContact, useCampaignName, useMemberName} from './names.ts';

const kMostFacts = 40;

/** What is known of whom one talks to. */
export function ContactPane({conversation, onBack}: {conversation: Conversation; onBack: () => void}) {
  const {inbox} = useTexts();
  const {store} = useScope();
  const contact = useContactOf(conversation);
  const mayRead = useHeld('Get:Contact') ?? false;
  const isPartial = mayRead && contact !== null && contact?.tagIds === undefined;
  useEffect(() => {
    if (isPartial) store.stale('contact', conversation.contactId);
  }, [isPartial, store, conversation.contactId]);
  const to = useAddress();
  return (
    <>
      <PaneBar back={<IconButton icon="arrow_back" label={inbox.panes.main} onPress={onBack} />}>{inbox.contact}</PaneBar>
      <PaneBody label={inbox.contact} padded>
        {contact === undefined && <Skeleton kind="row" lines={6} />}
        {contact === null && <EmptyState small icon="user" title={inbox.contactGone} />}
        {contact && (
          <Stack gap={5}>
            <Stack row gap={3}>
              <Avatar name={nameOfContact(contact, inbox)} seed={contact.uniqueId} size="l" />
              <Stack gap={1}>
                <strong><bdi>{nameOfContact(contact, inbox)}</bdi></strong>
                {contact.phone && <span dir="ltr">{contact.phone}</span>}
                <StatusDotWords status={contact.status} />
              </Stack>
            </Stack>
            {mayRead && <ButtonLink wide icon="user" href={to('contacts/' + contact.uniqueId)}>{inbox.openContact}</ButtonLink>}
            <Facts contact={contact} conversation={conversation} mayRead={mayRead} />
          </Stack>
        )}
      </PaneBody>
    </>
  );
}

function Facts({contact, conversation, mayRead}: {contact: Contact; conversation: Conversation; mayRead: boolean}) {
  const {inbox} = useTexts();
  const format = useFormat();
  const member = useMemberName(conversation.assignedMemberId);
  const campaign = useCampaignName(conversation.campaignId);
  const tags = useTagLabels(contact.tagIds);
  const to = useAddress();
  const lists = useListNames(contact.listIds);
  const begun = {Contact: inbox.begunByContact, Member: inbox.begunByMember, Campaign: inbox.begunByCampaign}[conversation.initiatedBy];
  const attributes = Object.entries(contact.attributes).slice(0, kMostFacts);
  return (
    <>
      <DescriptionList narrow facts={[
        {term: inbox.inCharge, value: conversation.assignedMemberId === undefined ? inbox.unknown : conversation.assignedMemberId === null ? inbox.nobody : member},
        ...(mayRead ? [
          {term: inbox.contactTags, value: tags === undefined ? <Skeleton /> : tags.length === 0 ? inbox.none : <Tags label={inbox.contactTags}>{tags.map((each) => <Tag key={each}>{each}</Tag>)}</Tags>},
          {term: inbox.contactLists, value: lists === undefined ? <Skeleton /> : lists.length === 0 ? inbox.none : <>{lists.map(({id, name}, place) => <span key={id}>{place > 0 && ', '}<Link quiet href={to('contacts', {list: id})}><bdi>{name}</bdi></Link></span>)}</>},
        ] : []),
        {term: inbox.begunBy, value: conversation.initiatedBy === 'Campaign' && campaign ? campaign : begun},
        {term: inbox.messagesInAll, value: format.number(conversation.totalMessages)},
        {term: inbox.contactSince, value: format.date(contact.createdAt)},
      ]} />
      {attributes.length > 0 && (
        <section>
          <h3>{inbox.attributes}</h3>
          <DescriptionList narrow facts={attributes.map(([term, value]) => ({term, value: typeof value === 'number' ? format.number(value) : typeof value === 'string' ? value : JSON.stringify(value)}))} />
        </section>
      )}
    </>
  );
}

function useTagLabels(ids: readonly string[] | undefined): string[] | undefined {
  const {store} = useScope();
  const isKnown = ids?.every((id) => store.get('tag', id) !== undefined) ?? true;
  useTags({}, !isKnown);
  return ids?.flatMap((id) => store.get('tag', id)?.label ?? []);
}

function useListNames(ids: readonly string[] | undefined): {id: string; name: string}[] | undefined {
  const {store} = useScope();
  const isKnown = ids?.every((id) => store.get('list', id) !== undefined) ?? true;
  useLists({}, !isKnown);
  return ids?.flatMap((id) => {
    const list = store.get('list', id);
    return list ? [{id, name: list.name}] : [];
  });
}

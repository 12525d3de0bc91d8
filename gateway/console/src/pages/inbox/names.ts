import {useCampaign} from '../../api/campaigns.ts';
import type {Contact, Message, Note} from '../../api/entities.ts';
import {useMember} from '../../api/members.ts';
import {useScope} from '../../api/scope.tsx';
import {useHeld} from '../../session/provider.tsx';
import type {InboxTexts} from '../../texts/en/inbox.ts';
import {useTexts} from '../../texts/index.tsx';

export function nameOfContact(contact: Contact | null | undefined, inbox: InboxTexts): string {
  return contact?.name.trim() || contact?.phone || inbox.noName;
}

/** A member's name; `authors.member` where it may not be read, or they were removed. */
export function useMemberName(id: string | null | undefined): string {
  const {inbox} = useTexts();
  const {memberId} = useScope();
  const mayRead = useHeld('Get:OrganizationMember') ?? false;
  const {value} = useMember(id && mayRead && id !== memberId ? id : null);
  if (id === memberId) return inbox.authors.you;
  return value?.name ?? inbox.authors.member;
}

/** Who wrote a message or a note, in words. */
export function useAuthor(sender: Message['sentBy'] | Note['writtenBy'], contact: Contact | null | undefined): string {
  const {inbox} = useTexts();
  const {authors} = inbox;
  const member = useMemberName(sender.type === 'Member' ? sender.memberId : null);
  switch (sender.type) {
    case 'Member': return member;
    case 'Contact': return nameOfContact(contact, inbox);
    case 'ApiKey': return authors.program;
    case 'Campaign': return authors.campaign;
    case 'App': return authors.app;
    case 'Automatic': return authors.automatic;
    case 'Channel': return authors.channel;
    default: return authors.unknown;
  }
}

export function useCampaignName(id: string | null): string | undefined {
  const mayRead = useHeld('Get:Campaign') ?? false;
  return useCampaign(mayRead ? id : null).value?.name;
}

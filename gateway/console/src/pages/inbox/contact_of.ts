import {useContact} from '../../api/contacts.ts';
import type {Contact} from '../../api/entities.ts';
import {useHeld} from '../../session/provider.tsx';

/** Whom a conversation is with; null where the contact is gone. */
export function useContactOf(conversation: {readonly contactId: string} | null | undefined): Contact | null | undefined {
  const mayRead = useHeld('Get:Contact') ?? false;
  return useContact(conversation?.contactId ?? null, mayRead).value;
}

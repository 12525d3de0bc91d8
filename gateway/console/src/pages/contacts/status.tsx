import {StatusDot, type Tone} from '../../design/badge.tsx';
import {useTexts} from '../../texts/index.tsx';
import type {ContactStatus} from './search.ts';

export const statusTones: Readonly<Record<ContactStatus, Tone>> = {Active: 'ok', Inactive: 'neutral', Blocked: 'danger', OptedOut: 'warning'};

export function StatusDotWords({status}: {status: ContactStatus}) {
  const {contacts} = useTexts();
  return <StatusDot tone={statusTones[status]}>{contacts.statuses[status]}</StatusDot>;
}

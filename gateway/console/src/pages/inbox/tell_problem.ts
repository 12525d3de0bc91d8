import {useCallback} from 'react';
import {ApiProblem} from '../../api/problem.ts';
import {DraftChanged} from '../../live/drafts.ts';
import {OutboxFull} from '../../live/outbox.ts';
import {wordsOf} from '../../shell/problem.tsx';
import {toasts} from '../../shell/toasts.ts';
import type {InboxTexts} from '../../texts/en/inbox.ts';
import {useTexts} from '../../texts/index.tsx';

/** Tells in a corner that what one wanted did not come about, and why. */
export function useTellProblem(): (error: unknown) => void {
  const {inbox, shell} = useTexts();
  return useCallback((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') return;  // signed out
    if (!(error instanceof ApiProblem)) throw error;
    const [permission] = error.permissions;
    const text = permission ? inbox.lacks(permission) : error.status === 412 ? inbox.conflict : wordsOf(error, shell);
    toasts.add({kind: 'danger', title: inbox.changeFailed, text});
  }, [inbox, shell]);
}

/** Why a message that was to be sent did not even begin to wait. */
export const notKept = (error: unknown, inbox: InboxTexts): string =>
  error instanceof OutboxFull ? inbox.outboxFull : error instanceof DraftChanged ? inbox.draftChanged : inbox.notKept;

export function useTellNotKept(): (error: unknown) => void {
  const {inbox} = useTexts();
  return useCallback((error: unknown) => toasts.add({kind: 'danger', title: inbox.changeFailed, text: notKept(error, inbox)}), [inbox]);
}

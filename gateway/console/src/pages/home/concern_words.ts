import type {Format, Texts} from '../../texts/index.tsx';
import {roughlyLeft} from '../inbox/service_window.ts';
import type {Concern} from './concerns.ts';

/** What a concern says, and where to go about it: `route` is the page's own, where its address has an id. */
export interface Words {
  readonly title: string;
  readonly text?: string | undefined;
  readonly page: string;
  readonly route?: string;
  readonly search?: Readonly<Record<string, string>>;
  readonly go: string;
}

/** People's words keep their direction inside of a sentence; a number is written to the right. */
const apart = (text: string) => '\u2068' + text + '\u2069';
const number = (text: string) => '\u2066' + text + '\u2069';
/** Short pieces, none of which turns another round. */
export const sideBySide = (pieces: readonly string[]) => pieces.filter(Boolean).map(apart).join(' · ');
const hostOf = (url: string) => number(URL.canParse(url) ? new URL(url).host : url);

export function wordsOf(concern: Concern, {wants, quotas}: Texts['home'], format: Format, now: number): Words {
  switch (concern.kind) {
    case 'stopped': {
      const {stop, number: {displayPhoneNumber}} = concern;
      const phone = number(displayPhoneNumber);
      const reason = wants.stoppedText(apart(stop.text), stop.code);
      return {
        title: stop.until ? wants.stoppedUntil(phone, momentOf(stop.until, format, now)) : wants.stopped(phone),
        text: stop.until ? reason : reason + ' ' + wants.stoppedForGood, page: 'channel', go: wants.toNumber,
      };
    }
    case 'unregistered':
      return {title: wants.unregistered(number(concern.number.displayPhoneNumber)), text: wants.unregisteredText, page: 'channel', go: wants.toNumber};
    case 'notice': {
      const {event, kind, detail, phoneNumber, at} = concern.notice;
      const said = apart(event || kind);
      const when = format.relative(at, now);
      return {
        title: phoneNumber ? wants.noticeOf(said, number(phoneNumber)) : wants.notice(said),
        text: sideBySide([detail, when]), page: 'channel', go: wants.toNumber,
      };
    }
    case 'paused': {
      const {campaign} = concern;
      const pending = campaign.progress.pending > 0 ? wants.pausedText(campaign.progress.pending) : '';
      return {
        title: wants.paused(apart(campaign.name)), text: sideBySide([campaign.statusReason, pending]),
        page: 'campaigns/' + campaign.uniqueId, route: 'campaigns/$campaign', go: wants.toCampaign,
      };
    }
    case 'ending':
      return {
        title: wants.ending(concern.count), text: wants.endingText(format.duration(roughlyLeft(Date.parse(concern.firstAt) - now))),
        page: 'inbox', search: {state: 'awaiting'}, go: wants.answer,
      };
    case 'mine':
      return {title: wants.mine(concern.count), page: 'inbox', search: {whose: 'mine', state: 'awaiting'}, go: wants.answer};
    case 'nobodys':
      return {title: wants.nobodys(concern.count), page: 'inbox', search: {whose: 'none', state: 'awaiting'}, go: wants.take};
    case 'template': {
      const {name, language, status, statusReason} = concern.template;
      const said = status === 'REJECTED' ? wants.rejected : status === 'PAUSED' ? wants.templatePaused : wants.templateDisabled;
      return {title: said(apart(`${name} (${language})`)), text: statusReason && apart(statusReason), page: 'templates', go: wants.toTemplate};
    }
    case 'quota': {
      const {name, used, limit} = concern.quota;
      const words = quotas[name] ?? apart(name);
      return {title: used >= limit ? wants.quotaFull(words) : wants.quota(words, used / limit), text: wants.quotaText(used, limit), page: 'usage', go: wants.toUsage};
    }
    case 'webhook': {
      const {url, disabledAt, disabledReason, failingSince} = concern.webhook;
      const host = hostOf(url);
      const place = {page: 'webhooks', go: wants.toWebhook};
      if (disabledAt) return {title: wants.webhookOff(host), text: disabledReason ? wants.webhookOffReasons[disabledReason] : undefined, ...place};
      return {title: wants.webhookFails(host), text: failingSince ? wants.webhookFailsText(momentOf(failingSince, format, now)) : undefined, ...place};
    }
  }
}

/** The time alone where it is of this day. */
function momentOf(moment: string, format: Format, now: number): string {
  const isToday = new Date(moment).toDateString() === new Date(now).toDateString();
  return isToday ? format.time(moment) : format.dateTime(moment);
}

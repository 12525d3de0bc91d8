import type {components} from '#schema';
import type {Message} from '../api/entities.ts';
import {ApiProblem} from '../api/problem.ts';
import {Listeners} from '../listeners.ts';
import type {Draft} from './drafts.ts';

type Schemas = components['schemas'];
export type SendBody = Schemas['SendMessageBody'];

/** A message that waits until it is answered. */
export interface Send {
  /** Its `Idempotency-Key`: however often it is sent, there is one message. */
  readonly key: string;
  readonly userId: string;
  readonly organization: string;
  readonly conversationId: string;
  readonly body: SendBody;
  readonly file: {readonly blob: Blob; readonly name: string; readonly key: string} | null;
  readonly mediaId: string | null;
  readonly createdAt: number;
  /** The order in a conversation. */
  readonly number: number;
  /** `asks`: it may have arrived, and cannot be repeated any more; a person decides. `failed`: refused, it was not sent. */
  readonly state: 'waits' | 'asks' | 'failed';
  /** It may have arrived. */
  readonly isTried: boolean;
  /** When it is tried again, if that is not soon. */
  readonly nextAt: number | null;
  readonly problem: Pick<ApiProblem, 'status' | 'title' | 'detail' | 'requestId'> | null;
  /** The message that it became, as an event told before the answer came. */
  readonly heardId: string | null;
}

/** Where sends are kept: over reloads and crashes, for all tabs. */
export interface Shelf {
  all(userId: string): Promise<Send[]>;
  /** Keeps all of them and takes `spent` out of the draft that they are made of, or does nothing. Rejects with DraftChanged where those words are not there any more. */
  add(sends: readonly Send[], spent: Draft | null): Promise<void>;
  /** Null removes it. What is not there any more stays away: signing out may have removed it. */
  update(key: string, change: (send: Send) => Send | null): Promise<void>;
}

/** What messages are made of. */
export interface MadeOf {
  readonly file?: {readonly blob: Blob; readonly name: string} | null;
  readonly spent?: Draft | null;
}

export interface OutboxParts {
  readonly userId: string;
  readonly shelf: Shelf;
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly newKey: () => string;
  readonly upload: (send: Send, signal: AbortSignal) => Promise<string>;
  readonly post: (send: Send, body: SendBody, signal: AbortSignal) => Promise<Message>;
  /** It is answered; called before it leaves the shelf. Other tabs then call `claim()`. */
  readonly sent: (send: Send, message: Message) => void;
  /** Has other tabs call `wake()`. */
  readonly tellOthers: () => void;
}

export const kAsksAfter = 23 * 3600_000;  // the service keeps keys for 24 h
const kMost = 200;
const kMostOctets = 64 * 1024 * 1024;
const kMostAtOnce = 3;  // HTTP/1.1 has six connections for all tabs, and who waits for one loses time
const kLongestPause = 60_000;
const kLongestAsked = 3600_000;
const kMostRemembered = 1000;
const kMostUnclaimed = 50;
const kMostLate = 15_000;  // the shelf gives up then: a message that was heard longer before is none of ours
const kClockTurn = 300_000;  // a clock that was turned back further does not tell the age of a key any more

/** There is no room for more that waits. */
export class OutboxFull extends Error {
  override readonly name = 'OutboxFull';
}

export class Outbox {
  private known: readonly Send[] = [];
  /** By their keys: the messages that sends became, from the moment on that it is known. The shelf has it later, if at all. */
  private readonly became = new Map<string, string>();
  /** Messages that were heard here before the shelf said that they are being sent. */
  private unclaimed: {readonly message: Message; readonly at: number}[] = [];
  private last = 0;
  private free = kMostAtOnce;
  private readonly waiting: (() => void)[] = [];
  private nudge = new AbortController();
  private readonly listeners = new Listeners();

  constructor(private readonly parts: OutboxParts) {}

  /** All that waits, failed or asks, the oldest first. */
  readonly sends = (): readonly Send[] => this.known;
  readonly subscribe = this.listeners.subscribe;

  /** In this order. The file is the first one's. */
  async add(organization: string, conversationId: string, bodies: readonly SendBody[], {file = null, spent = null}: MadeOf = {}): Promise<void> {
    const all = await this.parts.shelf.all(this.parts.userId);
    const octets = all.reduce((sum, each) => sum + (each.file?.blob.size ?? 0), file?.blob.size ?? 0);
    if (all.length + bodies.length > kMost || octets > kMostOctets) throw new OutboxFull();
    const sends = bodies.map((body, place): Send => ({
      key: this.parts.newKey(), userId: this.parts.userId, organization, conversationId, body,
      file: place === 0 && file ? {...file, key: this.parts.newKey()} : null,
      mediaId: null, ...this.fresh(all), state: 'waits', isTried: false, nextAt: null, problem: null, heardId: null,
    }));
    await this.parts.shelf.add(sends, spent);
    await this.changed().catch(() => undefined);  // they are kept: that they cannot be read just now makes them not unsent
  }

  /** Sends what failed, or what asks, as a new message. Of what asks the first one may have arrived: `isTried`. */
  async again(key: string): Promise<void> {
    await this.update(key, (send) => send.state === 'waits' ? send : {
      ...send, key: this.parts.newKey(), ...this.fresh(this.known), state: 'waits', isTried: false, problem: null, heardId: null,
      file: send.file && (send.mediaId === null ? {...send.file, key: this.parts.newKey()} : send.file),
    });
  }

  /** What `isTried` may have arrived all the same. */
  async discard(key: string): Promise<void> {
    await this.update(key, () => null);
  }

  /** An event told a message: if it is what is being sent, it is not shown twice until the answer comes. */
  async heard(message: Message, at = this.parts.now()): Promise<void> {
    const isClaimed = this.known.some((each) => each.heardId === message.uniqueId) || [...this.became.values()].includes(message.uniqueId);
    if (isClaimed) return;
    const send = this.known.find((each) => each.createdAt <= at && isThis(each, message));
    const others = this.unclaimed.filter((each) => each.message.uniqueId !== message.uniqueId);
    if (!send) return void (this.unclaimed = [...others.slice(1 - kMostUnclaimed), {message, at}]);
    this.claim(send.key, message.uniqueId);
    await this.update(send.key, (each) => ({...each, heardId: message.uniqueId}));
  }

  /** The send became this message: whoever shows both hides the send as soon as the message is in its thread. */
  claim(key: string, messageId: string): void {
    // What was taken for it before was another one.
    for (const [other, id] of this.became) if (id === messageId) this.became.delete(other);
    this.became.set(key, messageId);
    this.unclaimed = this.unclaimed.filter(({message}) => message.uniqueId !== messageId);
    const [oldest] = this.became.keys();
    if (this.became.size > kMostRemembered && oldest !== undefined) this.became.delete(oldest);
    this.show(this.known);
  }

  /** Another tab has changed something. */
  async wake(): Promise<void> {
    try {
      await this.load();
    } finally {
      this.nudge.abort();
      this.nudge = new AbortController();
    }
  }

  /** The network is back: what it held up need not wait. */
  async hurry(): Promise<void> {
    const held = this.known.filter((each) => each.state === 'waits' && each.nextAt !== null && each.problem?.status === 0);
    for (const {key} of held) await this.update(key, (each) => ({...each, nextAt: null}));
  }

  /** Delivers until `signal` aborts; in one tab at a time. Conversations do not wait for each other. */
  async run(signal: AbortSignal): Promise<void> {
    const lanes = new Map<string, Promise<void>>();
    const failed = new AbortController();
    let error: unknown;
    const over = AbortSignal.any([signal, failed.signal]);
    const deliverAll = async (conversationId: string) => {
      try {
        await this.deliverAll(conversationId, over);
        lanes.delete(conversationId);
        await this.wake();  // something may have been added as it ended
      } catch (thrown) {
        error = thrown;
        failed.abort();
      }
    };
    await this.load();
    while (!over.aborted) {
      const nudge = this.nudge.signal;
      for (const {conversationId} of this.known)
        if (!lanes.has(conversationId) && this.next(conversationId)) lanes.set(conversationId, deliverAll(conversationId));
      await this.parts.sleep(kLongestPause, AbortSignal.any([over, nudge]));
      await this.load();  // what another tab tells may get lost, and what woke this one could perhaps not be read
    }
    await Promise.all(lanes.values());
    if (failed.signal.aborted) throw error;
  }

  /** What is to be sent next in a conversation. While one asks, what comes later must not overtake it. */
  private next(conversationId: string): Send | undefined {
    const first = this.known.find((each) => each.conversationId === conversationId && each.state !== 'failed');
    return first?.state === 'waits' ? first : undefined;
  }

  private async deliverAll(conversationId: string, signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const nudge = this.nudge.signal;
      const send = this.next(conversationId);
      if (!send) return;
      const age = this.parts.now() - send.createdAt;
      const pause = (send.nextAt ?? 0) - this.parts.now();
      if (age > kAsksAfter || age < -kClockTurn) await this.update(send.key, (each) => ({...each, state: 'asks', nextAt: null}));
      else if (pause > 0 && pause < 2 * kLongestAsked) await this.parts.sleep(pause, AbortSignal.any([signal, nudge]));
      else failures = await this.inTurn(signal, () => this.deliver(send, failures, signal)) ? 0 : failures + 1;
    }
  }

  private async inTurn(signal: AbortSignal, attempt: () => Promise<boolean>): Promise<boolean> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else --this.free;
    try {
      return signal.aborted || await attempt();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else ++this.free;
    }
  }

  /** One attempt. False: it is tried again at its `nextAt`. */
  private async deliver(send: Send, failures: number, signal: AbortSignal): Promise<boolean> {
    // Somebody may not want it any more, or have signed out.
    const isWanted = () => this.known.some((each) => each.key === send.key);
    if (!isWanted()) return true;
    try {
      let {mediaId} = send;
      if (send.file && mediaId === null) {
        const uploaded = mediaId = await this.parts.upload(send, signal);
        await this.update(send.key, (each) => ({...each, mediaId: uploaded}));
      }
      // Before it goes out, so that a crash leaves no doubt behind that nobody knows of.
      if (!send.isTried) await this.update(send.key, (each) => ({...each, isTried: true}));
      if (!isWanted()) return true;
      const message = await this.parts.post(send, bodyOf(send.body, mediaId), signal);
      this.claim(send.key, message.uniqueId);
      this.parts.sent(send, message);
      await this.update(send.key, () => null);
      return true;
    } catch (error) {
      if (!(error instanceof ApiProblem)) {
        if (signal.aborted) return true;  // another tab goes on
        throw error;
      }
      return this.refused(send, error, failures);
    }
  }

  private async refused(send: Send, error: ApiProblem, failures: number): Promise<boolean> {
    const {status, title, detail, requestId} = error;
    const problem = {status, title, detail, requestId};
    if (!error.isPassing && status !== 401) {
      // It says so of its key where the message was made and its answer is not kept: nobody is to send that again unseen.
      const state = status === 409 && detail.includes('Idempotency-Key') ? 'asks' : 'failed';
      await this.update(send.key, (each) => ({...each, state, nextAt: null, problem}));
      return true;
    }
    const backoff = (1 + this.parts.random()) / 2 * Math.min(kLongestPause, 1000 * 2 ** failures);
    const asked = Math.min(kLongestAsked, Math.max(0, (error.retryAt ?? 0) - this.parts.now()));
    const nextAt = this.parts.now() + asked + backoff;
    await this.update(send.key, (each) => ({...each, nextAt, problem}));
    return false;
  }

  private fresh(all: readonly Send[]) {
    const createdAt = this.parts.now();
    this.last = Math.max(createdAt, this.last + 1, ...all.map((each) => each.number + 1));
    return {createdAt, number: this.last, nextAt: null};
  }

  private async update(key: string, change: (send: Send) => Send | null): Promise<void> {
    await this.parts.shelf.update(key, change);
    await this.changed();
  }

  private async changed(): Promise<void> {
    this.parts.tellOthers();
    await this.wake();
  }

  private async load(): Promise<void> {
    const all = await this.parts.shelf.all(this.parts.userId);
    this.show(all.sort((a, b) => a.number - b.number || (a.key < b.key ? -1 : 1)));
    this.unclaimed = this.unclaimed.filter(({at}) => at > this.parts.now() - kMostLate);
    for (const {message, at} of this.unclaimed) await this.heard(message, at).catch(() => undefined);
  }

  private show(all: readonly Send[]): void {
    // Of what was refused a message like it was another one, and so it was where another send became that one.
    const taken = new Set(this.became.values());
    const heardOf = ({heardId}: Send) => heardId !== null && taken.has(heardId) ? null : heardId;
    const messageOf = (each: Send) => each.state === 'failed' ? null : this.became.get(each.key) ?? heardOf(each);
    this.known = all.map((each) => ({...each, heardId: messageOf(each)}));
    this.listeners.tell();
  }
}

/** A file that was uploaded is named by its id. */
function bodyOf(body: SendBody, mediaId: string | null): SendBody {
  return mediaId === null ? body : {...body, messageData: {...body.messageData, id: mediaId}} as SendBody;
}

function isThis(send: Send, message: Message): boolean {
  const isSame = send.state === 'waits' && send.isTried && send.heardId === null
    && send.createdAt < Date.parse(message.createdAt) + kClockTurn  // by the service's clock, which may be another one
    && send.conversationId === message.conversationId && send.body.messageType === message.messageType;
  if (!isSame) return false;
  const told = message.messageData as Record<string, unknown>;
  const wanted = Object.entries(bodyOf(send.body, send.mediaId).messageData);
  return wanted.every(([name, value]) => JSON.stringify(told[name]) === JSON.stringify(value));
}

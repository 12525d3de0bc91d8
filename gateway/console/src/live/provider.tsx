import {
  createContext, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore, type ReactNode,
} from 'react';
import {skipToken, useQuery, useQueryClient} from '@tanstack/react-query';
import {connect, take} from '../api/client.ts';
import {tellPresence} from '../api/conversations.ts';
import type {Message} from '../api/entities.ts';
import {useScope, type Scope} from '../api/scope.tsx';
import {keys} from '../api/store.ts';
import {upload} from '../api/upload.ts';
import {Listeners} from '../listeners.ts';
import {kHeld} from '../session/provider.tsx';
import {placeMessage, presenceName, type Presences} from './apply.ts';
import {frame, locks, shelf, tab, world} from './browser.ts';
import {Drafts, type Draft, type Writing} from './drafts.ts';
import {lead} from './leader.ts';
import {kPlacePrefix, Live} from './live.ts';
import {Outbox, type MadeOf, type Send, type SendBody} from './outbox.ts';
import {Pump} from './pump.ts';
import {storage} from './storage.ts';
import type {StreamState} from './stream.ts';

interface Parts {
  readonly live: Live;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
}
const LiveContext = createContext<Parts | null>(null);

function useParts(): Parts {
  const parts = useContext(LiveContext);
  if (!parts) throw new Error('outside of the live data');
  return parts;
}

/** Keeps what is shown below up to date, and sends what waits. Inside of an organization. */
export function LiveProvider({children}: {children: ReactNode}) {
  const scope = useScope();
  const queries = useQueryClient();
  const [parts, setParts] = useState<Parts | null>(null);
  useLayoutEffect(() => {
    const stop = new AbortController();
    const permissions = keys.part(scope.organization, kHeld);
    setParts(start(scope, () => void queries.invalidateQueries({queryKey: permissions}), stop.signal));
    return () => stop.abort();
  }, [scope, queries]);
  // Nothing is asked for before this tab can hear what happens meanwhile.
  return parts && <LiveContext value={parts}>{children}</LiveContext>;
}

function start(scope: Scope, rereadPermissions: () => void, signal: AbortSignal): Parts {
  const drafts = startDrafts(scope, signal);
  const outbox = startOutbox(scope, drafts, signal);
  const name = `${kPlacePrefix}${scope.userId}.${scope.organization}`;
  const live = new Live({
    name, locks, tab, world,
    channel: channelUntil(name, signal),
    storage,
    pump: new Pump({
      store: scope.store, frame, now: world.now,
      later: (callback, milliseconds) => setTimeout(callback, milliseconds),
      heard: (message) => {
        const {type, memberId} = message.sentBy;
        if (type === 'Member' && memberId === scope.memberId) void outbox.heard(message).catch(() => undefined);
      },
    }),
    onExpired: scope.wire.onExpired,
    onEndedEarly: rereadPermissions,
    open: (last, own) => scope.wire.fetch(new Request('/api/events', {
      signal: own, credentials: 'same-origin', cache: 'no-store',
      headers: {'X-Organization-Id': scope.organization, ...(last !== null && {'Last-Event-ID': last})},
    })),
  });
  void live.run(signal);
  return {live, outbox, drafts};
}

function channelUntil(name: string, signal: AbortSignal): BroadcastChannel {
  const channel = new BroadcastChannel(name);
  signal.addEventListener('abort', () => channel.close());
  return channel;
}

interface Sent {
  readonly organization: string;
  readonly key: string;
  readonly message: Message;
}

/** Of what another tab says; one of another build may say it otherwise. */
function isSent(data: unknown): data is Sent {
  const {organization, key, message} = (data ?? {}) as Partial<Sent>;
  return typeof organization === 'string' && typeof key === 'string' && typeof message?.uniqueId === 'string' && typeof message.conversationId === 'string';
}

/** How much of the files that are sent has gone out, in the tab that sends them. */
class Uploads {
  private readonly shares = new Map<string, number>();
  private readonly listeners = new Listeners();

  readonly subscribe = this.listeners.subscribe;
  readonly of = (key: string): number | null => this.shares.get(key) ?? null;

  /** Null: nothing is on its way, be it all there or failed. */
  set(key: string, share: number | null): void {
    if (share !== null) this.shares.set(key, share);
    else this.shares.delete(key);
    this.listeners.tell();
  }
}
const uploaded = new Uploads();

/** The share of a send's file that has gone out; null where nothing is on its way from this tab. */
export function useUploaded(key: string): number | null {
  return useSyncExternalStore(uploaded.subscribe, () => uploaded.of(key));
}

const kDrafts = 'parley.drafts';

function startDrafts({userId, organization}: Scope, signal: AbortSignal): Drafts {
  const channel = channelUntil(kDrafts, signal);
  const owner = `${userId}/${organization}/`;
  const drafts = new Drafts({
    owner, shelf,
    later: (act, milliseconds) => setTimeout(() => signal.aborted || act(), milliseconds),
    tellOthers: (name) => {
      const own = signal.aborted ? new BroadcastChannel(kDrafts) : channel;  // what is kept as one leaves the organization is told, too
      own.postMessage({id: owner + name});
      if (own !== channel) own.close();
    },
  });
  channel.onmessage = ({data}: MessageEvent<unknown>) => {
    const {id} = (data ?? {}) as {id?: unknown};
    if (typeof id === 'string' && id.startsWith(owner)) void drafts.heard(id.slice(owner.length));
  };
  // A tab that was frozen has heard nothing; one that is hidden is slow, and may never be seen again.
  document.addEventListener('visibilitychange', () => tab.isVisible() ? void drafts.load() : drafts.saveAll(), {signal});
  addEventListener('pagehide', () => drafts.saveAll(), {signal});
  signal.addEventListener('abort', () => drafts.saveAll());
  void drafts.load();
  void shelf.trimDrafts().catch(() => undefined);
  return drafts;
}

function startOutbox(scope: Scope, drafts: Drafts, signal: AbortSignal): Outbox {
  const {userId, organization, wire, store} = scope;
  const name = 'parley.outbox.' + userId;
  const channel = channelUntil(name, signal);
  const post = (message: Sent | null) => signal.aborted || channel.postMessage(message);
  const outbox = new Outbox({
    userId, shelf, now: world.now, sleep: world.sleep, random: world.random, newKey: wire.newKey,
    upload: async (send, own) => {
      const whole = upload<{media: {id: string}}>(wire, {
        address: '/api/messages/media', organization: send.organization,
        key: send.file!.key, file: send.file!.blob, type: send.file!.blob.type, signal: own,
        onSent: (share) => uploaded.set(send.key, share),
      });
      return (await whole.finally(() => uploaded.set(send.key, null))).data.media.id;
    },
    post: async (send, body, own) => {
      const into = store.asking();
      const params = {params: {path: {id: send.conversationId}}, headers: {'Idempotency-Key': send.key}, body, signal: own};
      const call = connect(wire, send.organization).POST('/api/conversation/{id}/messages', params);
      const {message} = (await take(wire, call)).data;
      if (send.organization === organization) into.take('message', message);
      return message;
    },
    // It is in its thread at once: the event may be late.
    sent: (send, message) => {
      if (send.organization === organization) placeMessage(store, message);
      void drafts.load();  // as below, where that tab ended before it told anything
      post({organization: send.organization, key: send.key, message});
    },
    tellOthers: () => post(null),
  });
  channel.onmessage = ({data}: MessageEvent<unknown>) => {
    if (isSent(data)) outbox.claim(data.key, data.message.uniqueId);
    if (isSent(data) && data.organization === organization) {
      if (store.get('message', data.message.uniqueId) === undefined) store.asking().take('message', data.message);
      placeMessage(store, data.message);
    }
    void outbox.wake().catch(() => undefined);
    void drafts.load();  // what that tab sends was perhaps a draft, and it may end before it tells so
  };
  addEventListener('online', () => void outbox.hurry().catch(() => undefined), {signal});
  void lead(locks, tab, name, signal, async (own) => {
    // A database that fails is tried again: nothing of what waits is given up.
    while (!own.aborted) await outbox.run(own).catch(() => world.sleep(5000, own));
  });
  void outbox.wake().catch(() => undefined);
  return outbox;
}

// ---- for pages ------------------------------------------------------------------------------------------------------

/** How the stream is: what is shown is as of now while it is open. */
export function useLiveState(): StreamState {
  const {live} = useParts();
  return useSyncExternalStore(live.subscribe, live.state);
}

/** What waits, failed or asks; of one conversation, without what an event has shown already. */
export function useOutbox(conversationId?: string): {
  sends: readonly Send[];
  /** With those that became the message `heardId`, for a thread, which knows whether it has that one. */
  all: readonly Send[];
  /** Rejects with OutboxFull, or where the browser keeps nothing: then nothing was sent. */
  send(conversationId: string, bodies: readonly SendBody[], of?: MadeOf): Promise<void>;
  /** Of what failed, or asks: a new message. */
  again(key: string): Promise<void>;
  discard(key: string): Promise<void>;
} {
  const {organization} = useScope();
  const {outbox} = useParts();
  const all = useSyncExternalStore(outbox.subscribe, outbox.sends);
  const mine = useMemo(() => conversationId === undefined ? all
    : all.filter((each) => each.conversationId === conversationId && each.organization === organization), [all, conversationId, organization]);
  return {
    sends: mine.filter((each) => !(each.state === 'waits' && each.heardId !== null)),
    all: mine,
    send: (id, bodies, of) => outbox.add(organization, id, bodies, of),
    again: (key) => outbox.again(key),
    discard: (key) => outbox.discard(key),
  };
}

export interface Drafting {
  /** Undefined until it is read. */
  readonly writing: Writing | undefined;
  readonly write: (writing: Writing) => void;
  /** See Drafts. */
  readonly spend: (make: (spent: Draft) => Promise<unknown>) => Promise<boolean>;
  readonly spendElsewhere: (make: () => Promise<unknown>) => Promise<boolean>;
}

/** What one is writing in a conversation, or under another name. It outlives reloads, and is the same in all tabs. */
export function useDraft(name: string): Drafting {
  const {drafts} = useParts();
  const writing = useSyncExternalStore(drafts.subscribe, () => drafts.writing(name));
  return {
    writing,
    write: (next) => drafts.write(name, next),
    spend: (make) => drafts.spend(name, make),
    spendElsewhere: (make) => drafts.spendElsewhere(name, make),
  };
}

/** Whether something is written in a conversation, and not sent. */
export function useHasDraft(conversationId: string): boolean {
  const {drafts} = useParts();
  return useSyncExternalStore(drafts.subscribe, () => drafts.hasWords(conversationId));
}

/** Which other members look at a conversation, or type in it, just now. */
export function usePresence(conversationId: string): {memberId: string; state: 'viewing' | 'typing'}[] {
  const {organization} = useScope();
  const queryKey = keys.part(organization, ...presenceName(conversationId));
  const {data = {}} = useQuery<Presences>({queryKey, queryFn: skipToken});
  const [now, setNow] = useState(0);
  const next = Math.min(...Object.values(data).map((each) => each.until).filter((until) => until > now));
  useEffect(() => {
    if (!Number.isFinite(next)) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, next - Date.now()));
    return () => clearTimeout(timer);
  }, [next]);
  return Object.entries(data).flatMap(([memberId, {state, until}]) =>
    until > now && state !== 'left' ? [{memberId, state}] : []);
}

const kPassing = 400;
const kViewingPause = 30_000;
const kTypingPause = 5_000;

/** Tells the others that one looks at a conversation, and while one types; and that one has left it. Who only passes by tells nothing. */
export function useTellPresence(conversationId: string, isTyping: boolean): void {
  const scope = useScope();
  const isTold = useRef(false);
  useEffect(() => {
    const state = isTyping ? 'typing' : 'viewing';
    const tell = () => {
      if (!tab.isVisible()) return;
      isTold.current = true;
      void tellPresence(scope, conversationId, state);
    };
    const first = setTimeout(tell, isTyping ? 0 : kPassing);
    const timer = setInterval(tell, isTyping ? kTypingPause : kViewingPause);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [scope, conversationId, isTyping]);
  useEffect(() => () => {
    if (isTold.current) void tellPresence(scope, conversationId, 'left');
    isTold.current = false;
  }, [scope, conversationId]);
}

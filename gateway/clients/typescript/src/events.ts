// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) of GET /api/events.
import type { EventPayload } from "./operations.js";
import { ConnectionError, ProblemError } from "./problem.js";
import { isTemporary, pause, pauseMs } from "./retry.js";

const mostInEvent = 16 * 1024 * 1024; // characters
const longestRetryMs = 60_000;

export interface EventStreamOptions {
  /** Where an earlier stream was: its `lastEventId`. Without it, from now on. */
  lastEventId?: string | undefined;
  /** Only events of these types. */
  types?: readonly EventPayload["type"][] | undefined;
  /** Only what is about this conversation. */
  conversationId?: string | undefined;
  /** Only what is about this campaign. */
  campaignId?: string | undefined;
  /** Also the statuses of the messages of campaigns, of which there may be millions. */
  campaignMessages?: boolean | undefined;
  /** Also contacts that imports make and change, of which there may be millions. */
  importedContacts?: boolean | undefined;
  signal?: AbortSignal | undefined;
  organizationId?: string | undefined;
  /** A stream without any octet for so long is broken; the server sends a comment every 15 seconds. 45 000. */
  idleTimeoutMs?: number | undefined;
}

/** Takes a stream's text in pieces of any size. */
export class EventParser {
  lastEventId: string | undefined;
  retryMs: number | undefined;
  #rest = "";
  #data: string[] = [];
  #size = 0; // of the lines in #data
  #id: string | undefined;

  constructor(lastEventId: string | undefined) {
    this.#id = this.lastEventId = lastEventId;
  }

  /** Yields the data of each whole event. `lastEventId` is that of the one that was yielded last. */
  *feed(text: string): Generator<string> {
    // A CR at the end may be half of a CRLF: it waits for what follows.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line !== "") {
        this.#field(line);
        continue;
      }
      this.#size = 0;
      this.lastEventId = this.#id;
      if (this.#data.length > 0) yield this.#data.splice(0).join("\n");
    }
    if (this.#size + this.#rest.length > mostInEvent) throw new ConnectionError("an event of the stream is too long");
  }

  #field(line: string): void {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") {
      this.#data.push(value);
      this.#size += line.length;
    }
    if (name === "id" && !value.includes("\0")) this.#id = value;
    if (name === "retry" && /^\d+$/.test(value)) this.retryMs = Math.min(Number(value), longestRetryMs);
  }
}

/** Opens the stream behind an id. Throws ProblemError for an answer that no repetition helps. */
export type Connect = (lastEventId: string | undefined, signal: AbortSignal) => Promise<Response>;

/**
 * What happens in the organization, as it happens: `for await (const event of stream)`. It goes on behind the last event
 * whenever the connection ends or breaks; nothing is missed and nothing told twice. After more than ten minutes without a
 * connection the first event may be `reset`: load anew what you show. It begins with the loop, or with `start` before. It
 * ends when you leave the loop, when the signal is aborted (by throwing its reason), and by a ProblemError when the
 * credential may not go on. Events of types that are not in `EventPayload` may come: pass over them.
 */
export class EventStream implements AsyncIterable<EventPayload> {
  readonly #begin: () => Promise<string>;
  readonly #connect: Connect;
  readonly #options: EventStreamOptions;
  #lastEventId: string | undefined;

  constructor(begin: () => Promise<string>, connect: Connect, options: EventStreamOptions) {
    this.#begin = begin;
    this.#connect = connect;
    this.#options = options;
    this.#lastEventId = options.lastEventId;
  }

  /** The id of the event that was got last, or the place where the stream began: for another stream, later. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /** What happens from now on will be told, though the loop begins later. */
  async start(): Promise<this> {
    if (this.#lastEventId === undefined) {
      const parser = new EventParser(undefined);
      for (const _ of parser.feed(await this.#begin())) continue;
      this.#lastEventId = parser.lastEventId;
    }
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<EventPayload, void, undefined> {
    const callers = this.#options.signal ?? new AbortController().signal;
    let retryMs = 2_000;
    for (let failures = 0; ; ) {
      callers.throwIfAborted();
      const parser = new EventParser(this.#lastEventId);
      let retryAfter: number | undefined;
      try {
        for await (const data of this.#read(parser, callers)) {
          failures = 0;
          this.#lastEventId = parser.lastEventId;
          if (data !== undefined) yield JSON.parse(data) as EventPayload;
        }
      } catch (error) {
        callers.throwIfAborted();
        if (error instanceof ProblemError && isTemporary(error, true)) retryAfter = error.retryAfter;
        else if (!(error instanceof ConnectionError)) throw error;
        failures += 1;
      }
      // As long as the server asks to wait; after failures in a row ever longer.
      retryMs = parser.retryMs ?? retryMs;
      const longer = failures > 1 ? pauseMs(failures, undefined) : 0;
      await pause(Math.max(retryMs + longer, (retryAfter ?? 0) * 1000), callers);
    }
  }

  // The data of the events of one connection; undefined after a piece without any, as the place may have moved.
  async *#read(parser: EventParser, callers: AbortSignal): AsyncGenerator<string | undefined> {
    const idleMs = this.#options.idleTimeoutMs ?? 45_000;
    const idle = new AbortController();
    const stop = (): void => idle.abort(callers.reason);
    callers.addEventListener("abort", stop);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expect = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => idle.abort(new ConnectionError(`nothing came for ${idleMs} ms`)), idleMs);
    };
    expect();
    try {
      const response = await this.#connect(this.#lastEventId, idle.signal);
      const reader = response.body?.getReader();
      if (reader === undefined) throw new ConnectionError("the event stream has no body");
      try {
        const decoder = new TextDecoder();
        for (;;) {
          expect();
          const { done, value } = await broken(reader.read());
          clearTimeout(timer); // the time that the caller takes is theirs
          if (done) return;
          yield* parser.feed(decoder.decode(value, { stream: true }));
          yield undefined;
        }
      } finally {
        reader.cancel().catch(() => undefined);
      }
    } finally {
      clearTimeout(timer);
      callers.removeEventListener("abort", stop);
      idle.abort();
    }
  }
}

async function broken<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    throw cause instanceof ConnectionError ? cause : new ConnectionError("the event stream broke", { cause });
  }
}

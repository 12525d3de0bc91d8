import { EventStream, type EventStreamOptions } from "./events.js";
import type {
  BodyOption,
  Data,
  FilePath,
  FileQueryOption,
  Given,
  IfMatchOption,
  Item,
  JsonPath,
  JsonQueryOption,
  KeyOption,
  ListPath,
  Method,
  Operation,
  PathOf,
  PathOption,
  Query,
  QueryOption,
} from "./operations.js";
import { ConnectionError, ProblemError } from "./problem.js";
import { Deadline, isTemporary, pause, pauseMs } from "./retry.js";

/** An API key or a session token; or what gives the present one, asked before each attempt. */
export type Credential = string | (() => string | Promise<string>);
/** A file: what can be sent again (all but streams) is, when a connection breaks. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | string | ReadableStream<Uint8Array>;

export interface ParleyOptions {
  /** Where Parley is, such as https://parley.example. In browsers the page's own host, if left out. */
  baseUrl?: string | URL;
  /** Left out for what needs none, such as `POST /api/auth/login`. */
  credential?: Credential;
  /** The organization to act in, where the credential's person is a member of several. */
  organizationId?: string;
  /** How often a request is sent again, at most. 4. */
  retries?: number;
  /** Until when an answer must be there, with all attempts and pauses. 60 000; for files 900 000. */
  timeoutMs?: number;
  /** Told of each call of an operation that is to go, such as "GET /api/lists", and of the day on which it ends (an HTTP date). */
  onDeprecated?: (operation: string, ends: string | undefined) => void;
  /** In the place of the global `fetch`. */
  fetch?: typeof fetch;
}

/** What any call takes. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  organizationId?: string | undefined;
  /** For the logs, and repeated in the answer. */
  requestId?: string | undefined;
}

export interface Answer<T> {
  data: T;
  /** The resource's version, for `ifMatch` and `getIfChanged`. Missing where a part of the answer is (`degraded`). */
  etag: string | undefined;
  requestId: string;
  /** This is the answer that an earlier request with the same Idempotency-Key got: nothing was done now. */
  replayed: boolean;
  /** The parts of the system that could not be reached: what comes from them is empty. */
  degraded: readonly string[];
  status: number;
  headers: Headers;
}

type Get<P extends JsonPath> = CallOptions & PathOption<Operation<"get", P>> & JsonQueryOption<P>;
type Download<P extends FilePath> = CallOptions & PathOption<Operation<"get", P>> & FileQueryOption<P>;
type Post<P> = CallOptions &
  PathOption<Operation<"post", P>> &
  QueryOption<Operation<"post", P>> &
  IfMatchOption<Operation<"post", P>> &
  KeyOption<Operation<"post", P>> &
  BodyOption<Operation<"post", P>, FileBody>;
type Delete<P> = CallOptions &
  PathOption<Operation<"delete", P>> &
  QueryOption<Operation<"delete", P>> &
  IfMatchOption<Operation<"delete", P>> &
  KeyOption<Operation<"delete", P>>;
type Listing<P> = CallOptions &
  PathOption<Operation<"get", P>> & { query?: Omit<Query<Operation<"get", P>>, "skip" | "page" | "limit" | "format"> };

interface AnyCall extends CallOptions {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  contentType?: string;
  size?: number;
  ifMatch?: string | undefined;
  ifNoneMatch?: string;
  idempotencyKey?: string | undefined;
  accept?: string;
}

const mostRetries = 4;
const timeoutMs = 60_000;
const fileTimeoutMs = 900_000;
/** A GET that makes something: sent twice, it makes two. */
const unsafeGets: ReadonlySet<string> = new Set(["/api/auth/api-keys/regenerate"]);

/**
 * Parley's API. Paths, parameters, bodies and answers are those of the OpenAPI document. An error is a ProblemError; no
 * answer at all is a ConnectionError; a passed deadline is a DOMException called TimeoutError.
 */
export class Parley {
  readonly #options: ParleyOptions;
  readonly #fetch: typeof fetch;

  constructor(options: ParleyOptions = {}) {
    this.#options = options;
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  get<P extends JsonPath>(path: P, ...[options]: Given<Get<P>>): Promise<Answer<Data<Operation<"get", P>>>> {
    return this.#json("get", path, options);
  }

  /** `undefined` where the resource is still as it was with that `etag`. */
  async getIfChanged<P extends JsonPath>(
    path: P,
    etag: string,
    ...[options]: Given<Get<P>>
  ): Promise<Answer<Data<Operation<"get", P>>> | undefined> {
    const answer = await this.#json("get", path, { ...(options as AnyCall | undefined), ifNoneMatch: etag });
    return answer.status === 304 ? undefined : (answer as Answer<Data<Operation<"get", P>>>);
  }

  /** Takes effect once, however often it is sent: an Idempotency-Key is made where none is given. */
  post<P extends PathOf<"post">>(path: P, ...[options]: Given<Post<P>>): Promise<Answer<Data<Operation<"post", P>>>> {
    return this.#json("post", path, options);
  }

  /** As `post`. */
  delete<P extends PathOf<"delete">>(path: P, ...[options]: Given<Delete<P>>): Promise<Answer<undefined>> {
    return this.#json("delete", path, options);
  }

  /** All records of a list, page after page, from its begin or from `query.cursor`. None is missed or repeated. */
  async *all<P extends ListPath>(path: P, options?: Listing<P>): AsyncGenerator<Item<Data<Operation<"get", P>>>, void> {
    for await (const page of this.pages(path, options)) {
      for (const [name, records] of Object.entries(page.data as object)) {
        if (name !== "paginationMeta" && Array.isArray(records)) yield* records as Item<Data<Operation<"get", P>>>[];
      }
    }
  }

  /** The pages of a list, of 100 records if `query.per_page` says nothing else. */
  async *pages<P extends ListPath>(
    path: P,
    options?: Listing<P>,
  ): AsyncGenerator<Answer<Data<Operation<"get", P>>>, void> {
    const call = (options ?? {}) as AnyCall;
    const query: Record<string, unknown> = { per_page: 100, ...call.query };
    for (;;) {
      let page: Answer<Data<Operation<"get", P>>>;
      try {
        page = await this.#json("get", path, { ...call, query });
      } catch (error) {
        // Only a page behind a cursor is cut where it would be too long.
        if (!isTooLong(error) || Number(query["per_page"]) < 2) throw error;
        query["per_page"] = Math.floor(Number(query["per_page"]) / 2);
        continue;
      }
      yield page;
      const next = (page.data as { paginationMeta: { nextCursor: string | null } }).paginationMeta.nextCursor;
      if (next === null) return;
      query["cursor"] = next;
    }
  }

  /** A file, as a response whose body is to be read (or cancelled); the deadline is for its begin. */
  async download<P extends FilePath>(path: P, ...[options]: Given<Download<P>>): Promise<Response> {
    const call = { accept: "*/*", timeoutMs: fileTimeoutMs, ...(options as AnyCall | undefined) };
    return this.#exchange("get", path, call, async (response, deadline) => {
      deadline.handOver();
      return response;
    });
  }

  /** What happens in the organization, as it happens. */
  events(options: EventStreamOptions = {}): EventStream {
    const { organizationId, signal } = options;
    const query = {
      types: options.types?.join(","),
      conversation_id: options.conversationId,
      campaign_id: options.campaignId,
      campaign_messages: options.campaignMessages,
      imported_contacts: options.importedContacts,
    };
    const call: AnyCall = { accept: "text/event-stream", query, organizationId, signal };
    const begin = (): Promise<string> =>
      this.#exchange("get", "/api/events", { ...call, query: { wait: 0 } }, (response) => response.text());
    const connect = async (lastEventId: string | undefined, until: AbortSignal): Promise<Response> => {
      const headers = await this.#headers("get", call);
      if (lastEventId !== undefined) headers.set("Last-Event-ID", lastEventId);
      return this.#attempt(this.#url("/api/events", call), { headers, signal: until });
    };
    return new EventStream(begin, connect, options);
  }

  async #json<T>(method: Method, path: string, options: unknown): Promise<Answer<T>> {
    return this.#exchange(method, path, (options ?? {}) as AnyCall, async (response) => {
      const text = await response.text();
      if (text !== "" && !/^application\/json\b/.test(response.headers.get("content-type") ?? "")) {
        throw new Error(`${method} ${path}: the answer is no JSON (see download)`);
      }
      const degraded = response.headers.get("parley-degraded");
      return {
        data: (text === "" ? undefined : JSON.parse(text)) as T,
        etag: response.headers.get("etag") ?? undefined,
        requestId: response.headers.get("x-request-id") ?? "",
        replayed: response.headers.get("idempotency-replayed") === "true",
        degraded: degraded === null ? [] : degraded.split(/, ?/),
        status: response.status,
        headers: response.headers,
      };
    });
  }

  // Sends until there is an answer to keep, or no attempt and no time is left. `read` is a part of the attempt.
  async #exchange<T>(
    method: Method,
    path: string,
    call: AnyCall,
    read: (response: Response, deadline: Deadline) => Promise<T>,
  ): Promise<T> {
    const isFile = call.contentType !== undefined;
    const limit = call.timeoutMs ?? this.#options.timeoutMs ?? (isFile ? fileTimeoutMs : timeoutMs);
    const retries = isStream(call.body) ? 0 : (call.retries ?? this.#options.retries ?? mostRetries);
    const isSafe = method !== "get" || !unsafeGets.has(path);
    const url = this.#url(path, call);
    const body = isFile || call.body === undefined ? (call.body as FileBody | undefined) : JSON.stringify(call.body);
    const key = method === "get" ? undefined : (call.idempotencyKey ?? randomUuid());
    const deadline = new Deadline(limit, call.signal);
    try {
      for (let attempt = 1; ; attempt += 1) {
        const headers = await this.#headers(method, { ...call, idempotencyKey: key });
        try {
          const init = { method: method.toUpperCase(), headers, signal: deadline.signal, ...bodyOf(body) };
          const response = await this.#attempt(url, init);
          if (response.headers.has("deprecation")) {
            this.#options.onDeprecated?.(`${init.method} ${path}`, response.headers.get("sunset") ?? undefined);
          }
          return await read(response, deadline);
        } catch (cause) {
          if (deadline.signal.aborted) throw deadline.signal.reason;
          const error = cause instanceof TypeError ? new ConnectionError(`${method} ${path}: no answer`, { cause }) : cause;
          const isWorthIt =
            error instanceof ProblemError ? isTemporary(error, isSafe) : error instanceof ConnectionError && isSafe;
          const wait = pauseMs(attempt, error instanceof ProblemError ? error.retryAfter : undefined);
          if (!isWorthIt || attempt > retries || wait >= deadline.leftMs) throw error;
          await pause(wait, deadline.signal);
        }
      }
    } finally {
      deadline.end();
    }
  }

  async #attempt(url: string, init: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await this.#fetch(url, { redirect: "manual", credentials: "omit", ...init });
    } catch (cause) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw new ConnectionError("no answer", { cause });
    }
    if (response.ok || response.status === 304) return response;
    throw await ProblemError.of(response);
  }

  #url(path: string, call: AnyCall): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = call.path?.[name];
      if (value === undefined || value === "") throw new TypeError(`${path}: ${name} is missing`);
      return encodeURIComponent(value);
    });
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (typeof value === "object" && value !== null) {
        for (const [key, text] of Object.entries(value)) query.append(`${name}[${key}]`, String(text));
      } else if (value !== undefined) {
        query.append(name, String(value));
      }
    }
    const base = String(this.#options.baseUrl ?? "").replace(/\/+$/, "");
    const text = query.toString();
    return base + filled + (text === "" ? "" : `?${text}`);
  }

  async #headers(method: Method, call: AnyCall): Promise<Headers> {
    const { credential } = this.#options;
    const token = typeof credential === "function" ? await credential() : credential;
    const isJson = call.body !== undefined && call.contentType === undefined;
    const fields = {
      Accept: call.accept ?? "application/json",
      Authorization: token === undefined ? undefined : `Bearer ${token}`,
      "Content-Type": isJson ? "application/json" : call.contentType,
      "Content-Length": isStream(call.body) ? call.size?.toString() : undefined,
      "Idempotency-Key": method === "get" ? undefined : call.idempotencyKey,
      "If-Match": call.ifMatch,
      "If-None-Match": call.ifNoneMatch,
      "X-Organization-Id": call.organizationId ?? this.#options.organizationId,
      "X-Request-Id": call.requestId,
    };
    return new Headers(omitUndefined(fields));
  }
}

function bodyOf(body: FileBody | undefined): { body?: FileBody; duplex?: "half" } {
  if (body === undefined) return {};
  return isStream(body) ? { body, duplex: "half" } : { body };
}

function isStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof ReadableStream !== "undefined" && body instanceof ReadableStream;
}

function isTooLong(error: unknown): boolean {
  return (
    error instanceof ProblemError && error.status === 400 && error.errors.some((fault) => fault.pointer === "?per_page")
  );
}

function omitUndefined<T extends object>(from: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

// `crypto.randomUUID` is missing in Node.js 18 and on pages without TLS. The key must be new, not secret.
function randomUuid(): string {
  const global = globalThis as { crypto?: Partial<Crypto> };
  if (global.crypto?.randomUUID !== undefined) return global.crypto.randomUUID();
  return Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 12)).join("-");
}

import type {components} from '#schema';

type Schemas = components['schemas'];
export type Fault = Schemas['Fault'];

/** A resource and the version that `If-Match` takes. */
export interface Versioned<T> {
  readonly value: T;
  readonly version: string | null;
}

const kPermission = /\b[A-Z][A-Za-z]*:[A-Z][A-Za-z]*\b/g;

/** Everything that can go wrong with a call. `status` is 0 where no answer came: then `type` is `offline` or `timeout`. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  /** Of a 412: what somebody else made of it meanwhile. */
  current: Versioned<unknown> | null = null;

  constructor(
    readonly status: number,
    readonly type: string,
    readonly title: string,
    readonly detail: string,
    readonly requestId: string,
    readonly faults: readonly Fault[] = [],
    /** From when on asking again is right, in the clock's milliseconds. */
    readonly retryAt: number | null = null,
  ) {
    super(detail || title);
  }

  static noAnswer(type: 'offline' | 'timeout'): ApiProblem {
    return new ApiProblem(0, type, '', '', '');
  }

  /** What is wrong at a field of the body (`name`, `tags`) or of the query (`?per_page`), or below it. */
  at(field: string): string[] {
    const found = this.faults.filter((fault) => {
      const place = placeOf(fault.pointer);
      return place === field || place.startsWith(field + '/');
    });
    return found.map((fault) => fault.detail);
  }

  /** What is wrong elsewhere than at these fields: a form shows it at its top. */
  besides(fields: readonly string[]): Fault[] {
    return this.faults.filter((fault) => !fields.some((field) => {
      const place = placeOf(fault.pointer);
      return place === field || place.startsWith(field + '/');
    }));
  }

  /** Of a 403: the permissions that it names, of which one is needed. */
  get permissions(): string[] {
    return this.status === 403 ? (this.detail.match(kPermission) ?? []) : [];
  }

  get isCodeNeeded(): boolean {
    return this.type.endsWith('#code-needed');
  }

  get isSecondFactorRequired(): boolean {
    return this.type.endsWith('#second-factor-required');
  }

  /** Whether the same request may succeed later: a fault on the way or on the other side, or a rate. */
  get isPassing(): boolean {
    if (this.status === 409) return this.retryAt !== null;  // the same request is under way
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }

  /** Whether what was asked for may have been done all the same. */
  get mayBeDone(): boolean {
    return this.isPassing && this.status !== 429 && this.status !== 503;
  }
}

function placeOf(pointer: string): string {
  const place = pointer.startsWith('/') ? pointer.slice(1) : pointer;
  return place.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** `Retry-After` as a moment: RFC 9110 has seconds or a date. */
export function retryAtOf(headers: Headers, now: number): number | null {
  const text = headers.get('Retry-After')?.trim();
  if (!text) return null;
  if (/^\d+$/.test(text)) return now + Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(now, date);
}

/** The problem that an answer tells. A proxy on the way may have answered with anything. */
export function problemOf(response: Response, body: unknown, now: number): ApiProblem {
  const said: Partial<Schemas['Problem']> = typeof body === 'object' && body !== null ? body : {};
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' ? value : otherwise);
  const faults = Array.isArray(said.errors) ? said.errors.filter((each) => typeof each?.pointer === 'string') : [];
  return new ApiProblem(
    response.status,
    text(said.type, 'about:blank'),
    text(said.title, response.statusText),
    text(said.detail, ''),
    text(said.requestId, response.headers.get('X-Request-Id') ?? ''),
    faults,
    retryAtOf(response.headers, now),
  );
}

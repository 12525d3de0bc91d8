import type { components } from "./contract.js";

export type Fault = components["schemas"]["Fault"];
type Problem = components["schemas"]["Problem"];

/** An answer that is an error (RFC 9457). A proxy's error without a problem in it has `type` "about:blank" and no `errors`. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly instance: string;
  /** Quote it when you report a fault. Empty where the answer has none. */
  readonly requestId: string;
  /** Each fault that has a place: a JSON pointer into the body, or "?" and the name of a query parameter. */
  readonly errors: readonly Fault[];
  /** Seconds after which it may be tried again, where the answer says so. */
  readonly retryAfter: number | undefined;
  readonly headers: Headers;

  constructor(response: Response, problem: Partial<Problem>) {
    const title = problem.title ?? response.statusText;
    const faults = (problem.errors ?? []).map((fault) => `${fault.pointer} ${fault.detail}`);
    super([`${response.status} ${title}`, problem.detail, ...faults].filter(Boolean).join(": "));
    this.status = response.status;
    this.type = problem.type ?? "about:blank";
    this.title = title;
    this.detail = problem.detail ?? "";
    this.instance = problem.instance ?? "";
    this.requestId = problem.requestId ?? response.headers.get("x-request-id") ?? "";
    this.errors = problem.errors ?? [];
    this.retryAfter = retryAfter(response.headers);
    this.headers = response.headers;
  }

  /** The problem of a response that is one. Never throws for what the body is. */
  static async of(response: Response): Promise<ProblemError> {
    let problem: unknown;
    try {
      problem = JSON.parse(await response.text());
    } catch {
      problem = undefined;
    }
    const isObject = typeof problem === "object" && problem !== null && !Array.isArray(problem);
    const found: Partial<Problem> = isObject ? (problem as Partial<Problem>) : {};
    found.errors = Array.isArray(found.errors) ? found.errors.filter(isFault) : []; // a proxy's may have another shape
    return new ProblemError(response, found);
  }
}

function isFault(value: unknown): value is Fault {
  return typeof value === "object" && value !== null && "pointer" in value && "detail" in value;
}

/** No answer came: the connection could not be made, or broke. What a request without repetition did is unknown. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

/** Seconds of `Retry-After` (RFC 9110, 10.2.3): a number, or a date. */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

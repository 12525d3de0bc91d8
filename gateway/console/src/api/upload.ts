import {signedOut, type Answer, type Wire} from './client.ts';
import {ApiProblem, problemOf} from './problem.ts';

export interface Upload {
  readonly address: string;
  readonly organization: string;
  readonly key: string;
  readonly file: Blob;
  readonly type: string;
  readonly onSent?: (share: number) => void;
  readonly signal?: AbortSignal;
}

const kQuiet = 60_000;  // without an octet gone out, and for the answer

/** Sends a file as the body, as it is. Only XMLHttpRequest tells how much has gone out. */
export function upload<T>(wire: Wire, {address, organization, key, file, type, onSent, signal}: Upload): Promise<Answer<T>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let watch: ReturnType<typeof setTimeout>;
    const fail = (error: unknown) => {
      clearTimeout(watch);
      signal?.removeEventListener('abort', leave);
      reject(error);
    };
    const leave = () => {
      request.abort();
      fail(signal?.reason);
    };
    const hear = () => {
      clearTimeout(watch);
      watch = setTimeout(() => {
        request.abort();
        fail(ApiProblem.noAnswer('timeout'));
      }, kQuiet);
    };
    request.upload.onprogress = ({loaded, total}) => {
      hear();
      onSent?.(total ? loaded / total : 0);
    };
    request.onerror = () => fail(ApiProblem.noAnswer('offline'));
    request.onload = () => {
      clearTimeout(watch);
      signal?.removeEventListener('abort', leave);
      const headers = new Headers();
      for (const name of ['Retry-After', 'X-Request-Id']) headers.set(name, request.getResponseHeader(name) ?? '');
      const body = parsed(request.responseText);
      if (wire.isOver()) return reject(signedOut());
      if (request.status < 300) return resolve({data: body as T, degraded: [], version: null});
      if (request.status === 401) wire.onExpired();
      const {status, statusText} = request;
      const problem = problemOf(new Response(null, {status, statusText, headers}), body, wire.now());
      if (status === 403) wire.onRefused(problem);
      reject(problem);
    };
    if (signal?.aborted) return fail(signal.reason);
    if (wire.isOver()) return fail(signedOut());
    signal?.addEventListener('abort', leave);
    request.open('POST', wire.base + address);
    request.setRequestHeader('X-Organization-Id', organization);
    request.setRequestHeader('Idempotency-Key', key);
    request.setRequestHeader('Content-Type', type);
    hear();
    request.send(file);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

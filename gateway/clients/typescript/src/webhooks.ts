// What Parley posts to webhooks is signed as Standard Webhooks 1.0 has it (https://www.standardwebhooks.com).
import type { EventPayload } from "./operations.js";

/** A web `Headers`, or the `headers` of Node's requests. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far `webhook-timestamp` may be from now, either way. 300. */
  toleranceSeconds?: number;
  /** Milliseconds since 1970, for tests. */
  now?: number;
}

/** The request is not a webhook that was signed with the secret just now: answer it with a 401, and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/**
 * Verifies a request that claims to be a webhook of Parley's, and returns the event.
 * @param body the request's body as it came, not parsed and made again: the signature is of its octets
 * @param secrets the webhook's secret (`whsec_…`), or while it is rotated both: one must match one of the signatures
 * @throws WebhookVerificationError
 *
 * The header `webhook-id` is the same each time that a delivery is tried: by it a receiver knows what it had before.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<EventPayload> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  checkTime(timestamp, options);
  const octets = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(head.length + octets.length);
  message.set(head);
  message.set(octets, head.length);
  const keys = await Promise.all((typeof secrets === "string" ? [secrets] : secrets).map(keyOf));
  if (!(await isSigned(message, signatures, keys))) throw new WebhookVerificationError("no signature matches");
  return JSON.parse(new TextDecoder().decode(octets)) as EventPayload;
}

function header(headers: WebhookHeaders, name: string): string {
  let value: string | readonly string[] | null | undefined;
  if (typeof (headers as Headers).get === "function") {
    value = (headers as Headers).get(name);
  } else {
    const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
    value = entry?.[1] as string | readonly string[] | undefined;
  }
  if (typeof value !== "string" || value === "") throw new WebhookVerificationError(`the header ${name} is missing`);
  return value;
}

function checkTime(timestamp: string, options: VerifyOptions): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError("webhook-timestamp is not a number of seconds");
  const tolerance = options.toleranceSeconds ?? 300;
  const age = (options.now ?? Date.now()) / 1000 - Number(timestamp);
  if (Math.abs(age) > tolerance) {
    throw new WebhookVerificationError(`webhook-timestamp is more than ${tolerance} s ${age > 0 ? "old" : "ahead"}`);
  }
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const octets = fromBase64(secret.replace(/^whsec_/, ""));
  if (octets === undefined || octets.length === 0) throw new TypeError("a webhook's secret is whsec_ and base64");
  return (await subtle()).importKey("raw", octets, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

// Compared by WebCrypto, which takes the same time wherever the first difference is.
async function isSigned(message: Uint8Array<ArrayBuffer>, signatures: string, keys: readonly CryptoKey[]): Promise<boolean> {
  const crypto = await subtle();
  let found = false;
  for (const signature of signatures.split(" ").slice(0, 16)) {
    const octets = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : undefined;
    if (octets === undefined) continue;
    for (const key of keys) found = (await crypto.verify("HMAC", key, octets, message)) || found;
  }
  return found;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

// Node.js 18 has no global `crypto`. The name of its module is not written out, so that bundlers for browsers pass it over.
async function subtle(): Promise<SubtleCrypto> {
  const global = globalThis as { crypto?: Crypto };
  if (global.crypto !== undefined) return global.crypto.subtle;
  const name = "node:crypto";
  return ((await import(name)) as { webcrypto: Crypto }).webcrypto.subtle;
}

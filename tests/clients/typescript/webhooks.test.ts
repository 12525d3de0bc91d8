import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyWebhook, WebhookVerificationError } from "../src/index.js";

// The vector of Standard Webhooks' libraries, which tests/unit/webhooks_signing.cpp has of the service's own signing.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"test": 2432232314}';
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const other = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
const now = 1614265330_000;
const headers = (fields: Record<string, string> = {}): Record<string, string> => ({
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": signature,
  ...fields,
});

test("a signed webhook is its event", async () => {
  assert.deepEqual(await verifyWebhook(body, headers(), secret, { now }), { test: 2432232314 });
  assert.deepEqual(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers()), secret, { now }), {
    test: 2432232314,
  });
  const capitals = Object.fromEntries(Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), value]));
  assert.ok(await verifyWebhook(body, capitals, secret, { now }));
});

test("while a secret is rotated one of two signatures, and one of two secrets, is enough", async () => {
  const two = headers({ "webhook-signature": `v1,AAAA v1a,what v1,!!! ${signature}` });
  assert.ok(await verifyWebhook(body, two, secret, { now }));
  assert.ok(await verifyWebhook(body, two, [other, secret], { now }));
});

test("what is not signed so is refused", async () => {
  const refused = (...[text, fields, key, at]: [string, Record<string, string>, string | string[], number]) =>
    assert.rejects(verifyWebhook(text, fields, key, { now: at }), WebhookVerificationError);
  await refused(body + " ", headers(), secret, now);
  await refused(body, headers(), other, now);
  await refused(body, headers(), [], now);
  await refused(body, headers({ "webhook-id": "msg_other" }), secret, now);
  await refused(body, headers({ "webhook-signature": signature.replace("g0", "g1") }), secret, now);
  await refused(body, headers({ "webhook-signature": signature.slice(0, 20) }), secret, now);
  await refused(body, headers({ "webhook-signature": "" }), secret, now);
  await refused(body, headers(), secret, now + 301_000);
  await refused(body, headers(), secret, now - 301_000);
  await refused(body, headers({ "webhook-timestamp": "soon" }), secret, now);
  assert.ok(await verifyWebhook(body, headers(), secret, { now: now + 299_000 }));
  assert.ok(await verifyWebhook(body, headers(), secret, { now: now + 900_000, toleranceSeconds: 1_000 }));
  await assert.rejects(verifyWebhook(body, headers(), "whsec_!", { now }), TypeError);
});

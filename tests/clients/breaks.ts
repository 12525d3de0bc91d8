// Through proxy.py, which breaks connections: what is sent again takes effect once, and no event is missed or told twice.
// Webhooks of the real system are verified. breaks.py is the same.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Parley, verifyWebhook, WebhookVerificationError } from "parley-client";

const credential = String(process.env["PARLEY_API_KEY"]);
const broken = new Parley({ baseUrl: String(process.env["PARLEY_BREAKING_URL"]), credential });
const whole = new Parley({ baseUrl: String(process.env["PARLEY_URL"]), credential });
const name = `Breaks ${randomBytes(4).toString("hex")}`;

async function lists(parley: Parley): Promise<string[]> {
  const ids = [];
  for await (const list of parley.all("/api/lists", { query: { search: name } })) ids.push(list.uniqueId);
  return ids;
}

const made = await broken.post("/api/lists", { body: { name } });
const id = made.data.list.uniqueId;
assert.ok(made.replayed, "the answer to a request that was sent again is not the first one's");
assert.deepEqual(await lists(whole), [id]);
assert.deepEqual(await lists(broken), [id]);
await broken.delete("/api/lists/{id}", { path: { id } });

// A user writes, by the simulator.
async function write(text: string | undefined): Promise<void> {
  const body = JSON.stringify({ from: "+447700900321", text });
  assert.ok((await fetch(`${process.env["PARLEY_SIMULATOR_URL"]}/simulator/inbound`, { method: "POST", body })).ok);
}

async function waitFor(text: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(100)) {
    const { data } = await whole.get("/api/messages", { query: { direction: "InBound" } });
    if (data.messages.some((each) => each.messageType === "Text" && each.messageData.text === text)) return;
  }
  assert.fail(`${text} does not come`);
}

// Each message is written when the one before was told, while the stream is broken; the first, before the loop begins.
const expected = ["a", "b", "c"].map((each) => `${name} ${each}`);
const texts: string[] = [];
const events = await broken.events({ signal: AbortSignal.timeout(120_000) }).start();
await write(expected[0]);
await waitFor(String(expected[0]));
for await (const event of events) {
  assert.notEqual(event.type, "reset");
  if (event.type !== "message.created" || event.data.message?.messageType !== "Text") continue;
  const { text } = event.data.message.messageData;
  if (!text.startsWith(name)) continue;
  texts.push(text);
  if (texts.length === expected.length) break;
  await write(expected[texts.length]);
}
assert.deepEqual(texts, expected);

const got: { body: string; headers: IncomingHttpHeaders }[] = [];
const receiver = createServer((request, response) => {
  let body = "";
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    got.push({ body, headers: request.headers });
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
const hook = (await whole.post("/api/webhooks", { body: { url, events: ["message.created"] } })).data;
const path = { id: hook.webhook.uniqueId };

async function tested(): Promise<{ body: string; headers: IncomingHttpHeaders }> {
  await whole.post("/api/webhooks/{id}/test", { path });
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    const one = got.shift();
    if (one !== undefined) return one;
  }
  return assert.fail("the webhook is not called");
}

try {
  const { body, headers } = await tested();
  const event = await verifyWebhook(body, headers, hook.secret);
  assert.ok(event.type === "webhook.test" && event.data.webhookId === path.id);
  await assert.rejects(verifyWebhook(`${body} `, headers, hook.secret), WebhookVerificationError);
  const { secret } = (await whole.post("/api/webhooks/{id}/rotate-secret", { path })).data;
  const both = await tested();
  for (const each of [hook.secret, secret]) await verifyWebhook(both.body, both.headers, each);
} finally {
  await whole.delete("/api/webhooks/{id}", { path });
  receiver.closeAllConnections();
  receiver.close();
}

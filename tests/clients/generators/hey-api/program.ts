// program.py of the folder above, through what @hey-api/openapi-ts makes of the contract, in parley/.
import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { client } from "./parley/client.gen.js";
import * as parley from "./parley/index.js";

const name = `Program ${randomUUID().slice(0, 8)}`;
const people = 120;
const throwOnError = true;
client.setConfig({ baseUrl: String(process.env["PARLEY_URL"]), auth: String(process.env["PARLEY_API_KEY"]) });

// A list and a contact, and an import of the list's contacts, which are read page after page.
const made = await parley.createList({ throwOnError, body: { name } });
const list = made.data.list.uniqueId;
const first = randomInt(10 ** 7, 2 * 10 ** 7);
const phone = (n: number): string => `+4915${String(first * 10 + n).padStart(9, "0")}`;
const one = (await parley.createContacts({ throwOnError, body: { name, phone: phone(people) } })).data;
assert.ok("contact" in one);
assert.equal(one.contact.phone, phone(people));
const rows = Array.from({ length: people }, (_, n) => `Person ${n},${phone(n)}\n`);
const file = new File(["name,phone\n", ...rows], "people.csv", { type: "text/csv" });
let job = (await parley.importContacts({ throwOnError, body: { file }, query: { list_id: list } })).data.import;
for (const deadline = Date.now() + 60_000; job.status === "Queued" || job.status === "Running"; await sleep(100)) {
  assert.ok(Date.now() < deadline, JSON.stringify(job));
  job = (await parley.getImport({ throwOnError, path: { id: job.uniqueId } })).data.import;
}
assert.deepEqual([job.status, job.imported], ["Finished", people]);
const contacts = new Set<string>();
for (let cursor: string | null = ""; cursor !== null; ) {
  const query = { list_id: list, per_page: 50, ...(cursor && { cursor }) };
  const page: parley.ContactsResponse = (await parley.listContacts({ throwOnError, query })).data;
  for (const contact of page.contacts) contacts.add(contact.uniqueId);
  cursor = page.paginationMeta.nextCursor;
}
assert.equal(contacts.size, people);

// A campaign for the list, and what is told of it until it has ended.
const message = { type: "Text", text: "Hello {{name|there}}" } as const;
const campaign = (await parley.createCampaign({ throwOnError, body: { name, message, listIds: [list] } })).data.campaign.uniqueId;
let start: Promise<unknown> | undefined; // once the stream has begun: then nothing is missed
const stop = new AbortController();
const { stream } = await parley.streamEvents({
  signal: AbortSignal.any([stop.signal, AbortSignal.timeout(120_000)]),
  onSseEvent: () => (start ??= parley.startCampaign({ throwOnError, path: { id: campaign } })),
});
let finished = false;
for await (const event of stream) {
  assert.notEqual(event.type, "reset");
  finished = event.type === "campaign.status" && event.data.campaignId === campaign && event.data.to === "Finished";
  if (finished) break;
}
stop.abort(); // else the connection stays open
await start;
assert.ok(finished, "the stream ended before the campaign");
const { progress } = (await parley.getCampaign({ throwOnError, path: { id: campaign } })).data.campaign;
assert.equal(progress.sent + progress.delivered + progress.read, people);

// What goes wrong: 409, 412, 422, 429.
const label = `${name} tag`;
await parley.createTag({ throwOnError, body: { label } });
const conflict = await parley.createTag({ body: { label } });
assert.equal(conflict.response.status, 409);
assert.deepEqual(conflict.error?.errors.map((fault) => fault.pointer), ["/label"]);
const etag = String((await parley.getList({ throwOnError, path: { id: list } })).response.headers.get("ETag"));
const update = { path: { id: list }, headers: { "If-Match": etag } };
await parley.updateList({ throwOnError, ...update, body: { description: "Changed" } });
assert.equal((await parley.updateList({ ...update, body: { description: "Again" } })).error?.status, 412);
const headers = { "Idempotency-Key": name };
await parley.createTag({ throwOnError, headers, body: { label: `${name} other` } });
assert.equal((await parley.createTag({ headers, body: { label: `${name} another` } })).error?.status, 422);
const body = { email: `${list}@example.com`, password: "wrong password" };
let refusal = await parley.login({ body });
for (let attempt = 1; refusal.response.status === 401 && attempt < 20; attempt += 1) refusal = await parley.login({ body });
assert.equal(refusal.error?.status, 429);
assert.ok(Number(refusal.response.headers.get("Retry-After")) > 0, "a 429 without Retry-After");
await parley.deleteList({ throwOnError, path: { id: list } });

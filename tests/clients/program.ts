// What a program does with the API, against deploy/local/up; program.py is the same. Fails where an answer is wrong.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Parley, ProblemError, type Schema } from "parley-client";

const parley = new Parley({
  baseUrl: String(process.env["PARLEY_URL"]),
  credential: String(process.env["PARLEY_API_KEY"]),
  timeoutMs: 30_000,
});
const name = `Program ${randomBytes(4).toString("hex")}`;
const people = 120;

async function toArray<T>(of: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of of) all.push(each);
  return all;
}

async function refused(call: Promise<unknown>, status: number): Promise<ProblemError> {
  const error = await call.then(
    () => assert.fail(`done, and not a ${status}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProblemError, String(error));
  assert.equal(error.status, status, error.message);
  assert.notEqual(error.requestId, "");
  return error;
}

async function importOf(id: string): Promise<Schema<"Import">> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    const { data } = await parley.get("/api/contacts/imports/{id}", { path: { id } });
    if (data.import.status !== "Queued" && data.import.status !== "Running") return data.import;
  }
  return assert.fail("the import does not end");
}

// A list, and an import of its contacts, which are read page after page.
const made = await parley.post("/api/lists", { body: { name, description: "Made by a program" } });
const list = made.data.list.uniqueId;
assert.deepEqual((await toArray(parley.all("/api/lists", { query: { search: name } }))).map((each) => each.uniqueId), [list]);
const first = randomBytes(3).readUIntBE(0, 3) % 10 ** 7 + 10 ** 7;
const phone = (n: number): string => `+4915${String(first * 10 + n).padStart(9, "0")}`;
const rows = Array.from({ length: people }, (_, n) => `Person ${n},${phone(n)},${name}\n`);
const begun = await parley.post("/api/contacts/imports", {
  body: new Blob(["name,phone,tags\n", ...rows]),
  contentType: "text/csv",
  query: { list_id: list, on_conflict: "update" },
});
const done = await importOf(begun.data.import.uniqueId);
assert.equal(done.imported + done.updated, people);
const contacts = await toArray(parley.all("/api/contacts", { query: { list_id: list, per_page: 50 } }));
assert.equal(new Set(contacts.map((each) => each.uniqueId)).size, people);
assert.equal(contacts.length, people);
const one = (await parley.post("/api/contacts", { body: { name, phone: phone(people) } })).data;
assert.ok("contact" in one);
const found = await parley.get("/api/contacts/{id}", { path: { id: one.contact.uniqueId } });
assert.deepEqual(found.data.contact, one.contact);
assert.equal(await parley.getIfChanged("/api/contacts/{id}", String(found.etag), { path: { id: one.contact.uniqueId } }), undefined);

// A campaign for the list, and what is told of it until it has ended.
const message = { type: "Text", text: "Hello {{name|there}}" } as const;
const campaign = await parley.post("/api/campaigns", { body: { name, message, listIds: [list] } });
const id = campaign.data.campaign.uniqueId;
const events = await parley.events({ signal: AbortSignal.timeout(120_000) }).start();
await parley.post("/api/campaigns/{id}/start", { path: { id } });
for await (const event of events) {
  assert.notEqual(event.type, "reset");
  if (event.type === "campaign.status" && event.data.campaignId === id && event.data.to === "Finished") break;
}
const recipients = await toArray(parley.all("/api/campaigns/{id}/recipients", { path: { id }, query: { per_page: 50 } }));
assert.equal(recipients.length, people);
for (const { state } of recipients) assert.match(state, /^(Sent|Delivered|Read)$/);
const file = await parley.download("/api/campaigns/{id}/recipients", { path: { id }, query: { format: "csv" } });
const csv = await file.text();
assert.equal(csv.split("\n").length, people + 2);

// What goes wrong: 409, 412, 422, 429.
const label = `${name} tag`;
await parley.post("/api/tags", { body: { label } });
const conflict = await refused(parley.post("/api/tags", { body: { label } }), 409);
assert.deepEqual(conflict.errors.map((fault) => fault.pointer), ["/label"]);
const ifMatch = String((await parley.get("/api/lists/{id}", { path: { id: list } })).etag);
await parley.post("/api/lists/{id}", { path: { id: list }, body: { description: "Changed" }, ifMatch });
await refused(parley.post("/api/lists/{id}", { path: { id: list }, body: { description: "Again" }, ifMatch }), 412);
await parley.post("/api/tags", { body: { label: `${name} other` }, idempotencyKey: name });
await refused(parley.post("/api/tags", { body: { label: `${name} another` }, idempotencyKey: name }), 422);
let limited: ProblemError | undefined;
for (let attempt = 0; attempt < 20 && limited === undefined; attempt += 1) {
  const body = { email: `${list}@example.com`, password: "wrong password" };
  const error: unknown = await parley.post("/api/auth/login", { body, retries: 0 }).catch((reason: unknown) => reason);
  assert.ok(error instanceof ProblemError && (error.status === 401 || error.status === 429), String(error));
  if (error.status === 429) limited = error;
}
assert.ok(Number(limited?.retryAfter) > 0, "20 sign-ins failed, and none was a 429");
await parley.delete("/api/lists/{id}", { path: { id: list } });
assert.deepEqual(await toArray(parley.all("/api/lists", { query: { search: name } })), []);

// program.py of the folder above, through what openapi-generator's typescript-fetch makes of the contract, in parley/.
import assert from "node:assert/strict";
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as parley from "./parley/index.js";

const name = `Program ${randomUUID().slice(0, 8)}`;
const people = 120;
const basePath = String(process.env["PARLEY_URL"]);
const configuration = new parley.Configuration({ basePath, accessToken: String(process.env["PARLEY_API_KEY"]) });
const contactsApi = new parley.ContactsApi(configuration);
const campaignsApi = new parley.CampaignsApi(configuration);

async function refused(call: Promise<unknown>, ...statuses: number[]): Promise<Response> {
  const error = await call.then(
    () => assert.fail(`done, and not a ${statuses}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof parley.ResponseError, String(error));
  assert.ok(statuses.includes(error.response.status), `${error.response.status} and not a ${statuses}`);
  return error.response;
}

// A list and a contact, and an import of the list's contacts, which are read page after page.
const listId = (await contactsApi.createList({ createListBody: { name } })).list.uniqueId;
const first = randomInt(10 ** 7, 2 * 10 ** 7);
const phone = (n: number): string => `+4915${String(first * 10 + n).padStart(9, "0")}`;
const one = await contactsApi.createContacts({ createContactsBody: { name, phone: phone(people) } });
assert.ok("contact" in one);
assert.equal(one.contact.phone, phone(people));
const rows = Array.from({ length: people }, (_, n) => `Person ${n},${phone(n)}\n`);
let job = (await contactsApi.importContacts({ listId, file: new File(["name,phone\n", ...rows], "people.csv") })).import;
for (const deadline = Date.now() + 60_000; job.status === "Queued" || job.status === "Running"; await sleep(100)) {
  assert.ok(Date.now() < deadline, JSON.stringify(job));
  job = (await contactsApi.getImport({ id: job.uniqueId })).import;
}
assert.deepEqual([job.status, job.imported], ["Finished", people]);
const contacts = new Set<string>();
for (let cursor: string | null | undefined; cursor !== null; ) {
  const page: parley.ContactsResponse = await contactsApi.listContacts({ listId, perPage: 50, ...(cursor && { cursor }) });
  for (const contact of page.contacts) contacts.add(contact.uniqueId);
  cursor = page.paginationMeta.nextCursor;
}
assert.equal(contacts.size, people);

// A campaign for the list, and what is told of it until it has ended. streamEvents would wait for the end of the stream: fetch
// reads it as it comes.
const message = { type: "Text", text: "Hello {{name|there}}" } as const;
const planned = await campaignsApi.createCampaign({ createCampaignBody: { name, message, listIds: [listId] } });
const id = planned.campaign.uniqueId;
const headers = { "X-API-Key": String(process.env["PARLEY_API_KEY"]) };
const stream = await fetch(`${basePath}/api/events`, { headers, signal: AbortSignal.timeout(120_000) });
assert.equal(stream.status, 200);
assert.ok(stream.body);
await campaignsApi.startCampaign({ id });
let finished = false;
let rest = "";
for await (const piece of stream.body.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + piece).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines.filter((each) => each.startsWith("data:"))) {
    const event = parley.EventPayloadFromJSON(JSON.parse(line.slice(5)));
    finished ||= event.type === "campaign.status" && event.data.campaignId === id && event.data.to === "Finished";
  }
  if (finished) break;
}
assert.ok(finished, "the stream ended before the campaign");
const { progress } = (await campaignsApi.getCampaign({ id })).campaign;
assert.equal(progress.sent + progress.delivered + progress.read, people);

// What goes wrong: 409, 412, 422, 429.
const label = `${name} tag`;
await contactsApi.createTag({ createTagBody: { label } });
const conflict = await refused(contactsApi.createTag({ createTagBody: { label } }), 409);
assert.deepEqual(parley.ProblemFromJSON(await conflict.json()).errors.map((fault) => fault.pointer), ["/label"]);
const ifMatch = String((await contactsApi.getListRaw({ id: listId })).raw.headers.get("ETag"));
await contactsApi.updateList({ id: listId, ifMatch, updateListBody: { description: "Changed" } });
await refused(contactsApi.updateList({ id: listId, ifMatch, updateListBody: { description: "Again" } }), 412);
await contactsApi.createTag({ idempotencyKey: name, createTagBody: { label: `${name} other` } });
await refused(contactsApi.createTag({ idempotencyKey: name, createTagBody: { label: `${name} another` } }), 422);
const accessApi = new parley.AccessApi(new parley.Configuration({ basePath }));
const login = (): Promise<Response> =>
  refused(accessApi.login({ loginBody: { email: `${listId}@example.com`, password: "wrong password" } }), 401, 429);
let refusal = await login();
for (let attempt = 1; refusal.status === 401 && attempt < 20; attempt += 1) refusal = await login();
assert.equal(refusal.status, 429);
assert.ok(Number(refusal.headers.get("Retry-After")) > 0, "a 429 without Retry-After");
await contactsApi.deleteList({ id: listId });

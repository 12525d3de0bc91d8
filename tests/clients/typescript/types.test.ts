// Nothing runs here: the compiler reads it. A line after @ts-expect-error must be an error.
import { Parley, type EventPayload, type Item, type Schema } from "../src/index.js";

export async function typed(parley: Parley): Promise<void> {
  const { data, etag } = await parley.get("/api/lists/{id}", { path: { id: "x" } });
  const name: string = data.list.name;
  await parley.post("/api/lists/{id}", { path: { id: "x" }, body: { name }, ifMatch: etag });
  await parley.get("/api/contacts");
  await parley.get("/api/contacts", { query: { attributes: { city: "Paris" }, sort_by: "name", per_page: 5 } });
  for await (const contact of parley.all("/api/contacts", { query: { tag: "demo" } })) {
    const phone: string = contact.phone;
    void phone;
  }
  for await (const message of parley.all("/api/conversation/{id}/messages", { path: { id: "x" } })) {
    if (message.messageType === "Text") void (message.messageData.text satisfies string);
  }
  await parley.post("/api/contacts/imports", { body: new Blob(["phone"]), contentType: "text/csv", query: { country: "DE" } });
  await parley.post("/api/messages/media", { body: "x", contentType: "image/png" });
  await parley.post("/api/campaigns/{id}/start", { path: { id: "x" } });
  const nothing: undefined = (await parley.delete("/api/lists/{id}", { path: { id: "x" }, ifMatch: "y" })).data;
  await parley.delete("/api/organization/{id}", { path: { id: "x" }, query: { name: "y" } });
  const report: Response = await parley.download("/api/analytics/primary", { query: { from: "2026-01-01", format: "csv" } });
  await parley.download("/api/contacts/export");
  await parley.download("/api/messages/{id}/media", { path: { id: "x" } });
  void (await parley.get("/api/analytics/primary")).data.analytics;
  const item: Item<Schema<"TagsResponse">> = { uniqueId: "", label: "" };
  void [nothing, report, item];

  // @ts-expect-error an unknown path
  await parley.get("/api/nothing");
  // @ts-expect-error no id
  await parley.get("/api/lists/{id}");
  // @ts-expect-error an unknown parameter
  await parley.get("/api/contacts", { query: { sort: "name" } });
  // @ts-expect-error a value that the enumeration lacks
  await parley.get("/api/contacts", { query: { sort_by: "phone" } });
  // @ts-expect-error a body that lacks what it needs
  await parley.post("/api/lists", { body: {} });
  // @ts-expect-error no body
  await parley.post("/api/lists");
  // @ts-expect-error a file has a type that is taken
  await parley.post("/api/contacts/imports", { body: "x", contentType: "image/png" });
  // @ts-expect-error no version is compared here
  await parley.post("/api/lists", { body: { name: "x" }, ifMatch: "y" });
  // @ts-expect-error no list
  parley.all("/api/user");
  // @ts-expect-error a file, not JSON
  await parley.get("/api/contacts/export");
  // @ts-expect-error CSV is a file
  await parley.get("/api/analytics/primary", { query: { format: "csv" } });
  // @ts-expect-error which file
  await parley.download("/api/analytics/primary");
  // @ts-expect-error a parameter that is required
  await parley.delete("/api/organization/{id}", { path: { id: "x" } });
}

export function told(event: EventPayload): string {
  switch (event.type) {
    case "contact.created":
      return event.data.contactIds.join();
    case "campaign.progress":
      return String(event.data.progress.sent);
    case "reset":
      return "load anew";
    default:
      return event.type;
  }
}

// Against a server of this process that answers as told. tests/clients/run tries the real system.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { ConnectionError, Parley, ProblemError } from "../src/index.js";
import { EventParser } from "../src/events.js";

interface Got {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}
type Reply = (response: ServerResponse, got: Got) => void;

// Serves the replies one after the other; the last one again and again.
async function served(replies: Reply[], use: (parley: Parley, got: Got[], url: string) => Promise<void>): Promise<void> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      got.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, body });
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      reply?.(response, got[got.length - 1] as Got);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await use(new Parley({ baseUrl: `${url}/`, credential: () => Promise.resolve("secret") }), got, url);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "Content-Type": "application/json", "X-Request-Id": "r", ...headers });
    response.end(JSON.stringify(value));
  };
const problem = (status: number, headers: Record<string, string> = {}, errors: unknown[] = []): Reply =>
  json({ type: "about:blank", title: "T", status, detail: "d", instance: "/i", requestId: "q", errors }, status, headers);
const loss: Reply = (response) => response.destroy();
const half: Reply = (response) => {
  response.writeHead(200, { "Content-Length": "100" });
  response.write("{", () => response.destroy());
};
const list = json({ list: { uniqueId: "1", name: "n" } }, 201, { ETag: '"1-a"', "Parley-Degraded": "contacts, channel" });
const post = (parley: Parley) => parley.post("/api/lists", { body: { name: "n" } });

test("a POST is sent again, with its key, until its answer comes", async () => {
  await served([loss, half, problem(502), problem(504), list], async (parley, got) => {
    const answer = await post(parley);
    assert.equal(answer.data.list.name, "n");
    assert.equal(answer.etag, '"1-a"');
    assert.deepEqual(answer.degraded, ["contacts", "channel"]);
    assert.equal(got.length, 5);
    assert.equal(new Set(got.map(({ headers }) => headers["idempotency-key"])).size, 1);
    assert.match(String(got[0]?.headers["idempotency-key"]), /^[ -~]{20,}$/);
    assert.equal(got[0]?.headers.authorization, "Bearer secret");
    assert.equal(got[4]?.body, '{"name":"n"}');
  });
});

test("two POSTs have two keys, or the caller's", async () => {
  await served([list], async (parley, got) => {
    await post(parley);
    await post(parley);
    await parley.post("/api/lists", { body: { name: "n" }, idempotencyKey: "mine" });
    assert.notEqual(got[0]?.headers["idempotency-key"], got[1]?.headers["idempotency-key"]);
    assert.equal(got[2]?.headers["idempotency-key"], "mine");
  });
});

test("a 429, a 503 and a key in progress are waited for as long as they say", async () => {
  const after = { "Retry-After": "1" };
  await served([problem(429, after), problem(503, after), problem(409, after), list], async (parley, got) => {
    const begun = performance.now();
    await post(parley);
    assert.ok(performance.now() - begun >= 3_000);
    assert.equal(got.length, 4);
  });
});

test("what asking again does not help is told at once, with all that it says", async () => {
  for (const status of [400, 401, 403, 404, 409, 412, 422, 500]) {
    await served([problem(status, {}, [{ pointer: "/name", detail: "is taken" }])], async (parley, got) => {
      await assert.rejects(post(parley), (error) => {
        assert.ok(error instanceof ProblemError);
        assert.equal(error.status, status);
        assert.equal(error.requestId, "q");
        assert.deepEqual(error.errors, [{ pointer: "/name", detail: "is taken" }]);
        assert.match(error.message, /d: \/name is taken$/);
        return true;
      });
      assert.equal(got.length, 1);
    });
  }
});

test("an error of a proxy is one too", async () => {
  const html: Reply = (response) => void response.writeHead(413).end("<html>");
  const others = [{ errors: "many" }, { errors: [{ code: 1, message: "m" }, null, "e"] }].map((body) => json(body, 413));
  for (const reply of [html, ...others]) {
    await served([reply], async (parley) => {
      await assert.rejects(post(parley), (error) => {
        assert.ok(error instanceof ProblemError, String(error));
        assert.equal(error.status, 413);
        assert.deepEqual(error.errors, []);
        return true;
      });
    });
  }
});

test("the making of a key anew by GET is not done twice, and neither is what cannot be sent again", async () => {
  await served([loss], async (parley, got) => {
    await assert.rejects(parley.get("/api/auth/api-keys/regenerate"), ConnectionError);
    assert.equal(got.length, 1);
    const body = new Blob(["phone"]).stream() as ReadableStream<Uint8Array>;
    await assert.rejects(parley.post("/api/contacts/imports", { body, contentType: "text/csv" }), ConnectionError);
    assert.equal(got.length, 2);
  });
});

test("what cannot be asked is told at once, and not as a connection", async () => {
  await served([list], async (parley, got, baseUrl) => {
    await assert.rejects(parley.post("/api/lists", { body: { name: "n" }, idempotencyKey: "€" }), TypeError);
    let asked = 0;
    const credential = (): string => {
      asked += 1;
      throw new TypeError("no credential");
    };
    await assert.rejects(new Parley({ baseUrl, credential }).get("/api/user"), /no credential/);
    assert.equal(asked, 1);
    assert.equal(got.length, 0);
  });
});

test("retries, deadlines and signals end it", async () => {
  await served([problem(503, { "Retry-After": "1" })], async (parley, got) => {
    await assert.rejects(parley.get("/api/user", { retries: 1 }), ProblemError);
    assert.equal(got.length, 2);
    await assert.rejects(parley.get("/api/user", { timeoutMs: 500 }), ProblemError); // not waited for in vain
    assert.equal(got.length, 3);
    const controller = new AbortController();
    const call = parley.get("/api/user", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await assert.rejects(call, /enough/);
  });
  await served([() => undefined], async (parley) => {
    await assert.rejects(parley.get("/api/user", { timeoutMs: 200 }), { name: "TimeoutError" });
  });
});

test("a signal ends a download that has begun", async () => {
  let finish = (): void => undefined;
  const begun: Reply = (response) => {
    response.writeHead(200, { "Content-Type": "text/csv" }).write("phone\n");
    finish = () => void response.end("1\n");
  };
  await served([begun], async (parley) => {
    const controller = new AbortController();
    const file = await parley.download("/api/contacts/export", { signal: controller.signal });
    controller.abort();
    finish();
    await assert.rejects(file.text(), { name: "AbortError" });
  });
});

test("a file goes as it is; a stream with its size", async () => {
  const taken = json({ import: {} }, 202);
  await served([loss, taken, taken], async (parley, got) => {
    await parley.post("/api/contacts/imports", { body: new Blob(["phone\n"]), contentType: "text/csv", query: { country: "DE" } });
    assert.equal(got[1]?.url, "/api/contacts/imports?country=DE");
    assert.equal(got[1]?.headers["content-type"], "text/csv");
    assert.equal(got[1]?.body, "phone\n");
    const body = new Blob(["phone\n"]).stream() as ReadableStream<Uint8Array>;
    await parley.post("/api/contacts/imports", { body, contentType: "text/csv", size: 6 });
    assert.equal(got[2]?.headers["content-length"], "6");
    assert.equal(got[2]?.body, "phone\n");
  });
});

test("parameters are written as the contract has it", async () => {
  await served([json({ contacts: [], paginationMeta: { nextCursor: null } })], async (parley, got) => {
    await parley.get("/api/contacts", { query: { attributes: { "a b": "c&d" }, search: "ü", tag: "x" } });
    assert.equal(got[0]?.url, "/api/contacts?attributes%5Ba+b%5D=c%26d&search=%C3%BC&tag=x");
    await parley.get("/api/contacts/{id}", { path: { id: "a/b" } });
    assert.equal(got[1]?.url, "/api/contacts/a%2Fb");
  });
});

test("of a call of what is to go is told", async () => {
  const ends = "Sat, 01 Jan 2028 00:00:00 GMT";
  await served([json({}, 200, { Deprecation: "@1735689600", Sunset: ends })], async (_, __, baseUrl) => {
    const told: unknown[] = [];
    await new Parley({ baseUrl, onDeprecated: (...what) => told.push(what) }).get("/api/user");
    assert.deepEqual(told, [["GET /api/user", ends]]);
  });
});

test("a list is read page after page, in shorter ones where the first is too long", async () => {
  const page = (labels: string[], nextCursor: string | null): Reply =>
    json({ tags: labels.map((label) => ({ label })), paginationMeta: { nextCursor } });
  const tooLong = problem(400, {}, [{ pointer: "?per_page", detail: "at most 60 fit" }]);
  await served([tooLong, page(["a", "b"], "c1"), page([], "c2"), page(["c"], null)], async (parley, got) => {
    const labels = [];
    for await (const tag of parley.all("/api/tags", { query: { order: "asc" } })) labels.push(tag.label);
    assert.deepEqual(labels, ["a", "b", "c"]);
    assert.deepEqual(
      got.map(({ url }) => url),
      [
        "/api/tags?per_page=100&order=asc",
        "/api/tags?per_page=50&order=asc",
        "/api/tags?per_page=50&order=asc&cursor=c1",
        "/api/tags?per_page=50&order=asc&cursor=c2",
      ],
    );
  });
});

test("a stream's text is read in pieces of any size", () => {
  const text = ": hello\nretry: 5\nid: 1\n\nid: 2\r\nevent: x\r\ndata: a\r\ndata:b\r\n\r\nid: 3\rdata: c\r\rdata: lost";
  for (let size = 1; size < text.length; size += 1) {
    const parser = new EventParser(undefined);
    const got: unknown[] = [];
    for (let at = 0; at < text.length; at += size) {
      for (const data of parser.feed(text.slice(at, at + size))) got.push([data, parser.lastEventId]);
    }
    assert.deepEqual(got, [["a\nb", "2"], ["c", "3"]]);
    assert.equal(parser.retryMs, 5);
  }
});

test("an event that does not end is a broken stream", () => {
  const mebibyte = "x".repeat(1024 * 1024);
  const feed = (piece: string): number[] => {
    const parser = new EventParser(undefined);
    return Array.from({ length: 18 }, () => [...parser.feed(piece)].length);
  };
  assert.throws(() => feed(mebibyte), ConnectionError);
  assert.throws(() => feed(`data: ${mebibyte}\n`), ConnectionError);
  assert.deepEqual(feed(`data: ${mebibyte}\n\n`), Array(18).fill(1));
});

test("a stream goes on behind the last event, whatever breaks", async () => {
  const stream =
    (text: string, end: (response: ServerResponse) => void): Reply =>
    (response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write(text, () => end(response));
    };
  const event = (id: string, type = "reset") => `id: ${id}\nevent: ${type}\ndata: {"type":"${type}","timestamp":"","data":{}}\n\n`;
  const destroy = (response: ServerResponse): void => void response.destroy();
  const replies = [
    stream("retry: 10\nid: 0\n\n", destroy),
    stream(event("1") + "id: 2\ndata: {", destroy),
    problem(503, { "Retry-After": "1" }),
    stream(event("2", "some.later"), (response) => response.end()),
    stream(": nothing\n\n", () => undefined),
    stream(event("3"), () => undefined),
    problem(401),
  ];
  await served(replies, async (parley, got) => {
    const stream = parley.events({ idleTimeoutMs: 300 });
    const types: string[] = [];
    const follow = async (): Promise<void> => {
      for await (const { type } of stream) types.push(`${type} ${stream.lastEventId}`);
    };
    await assert.rejects(follow(), (error) => error instanceof ProblemError && error.status === 401);
    assert.deepEqual(types, ["reset 1", "some.later 2", "reset 3"]);
    assert.deepEqual(
      got.map(({ headers }) => headers["last-event-id"]),
      [undefined, "0", "1", "1", "2", "2", "3"],
    );
  });
});

test("a stream ends with its signal, and when it is left", async () => {
  const open: Reply = (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write('id: 1\ndata: {"type":"reset","timestamp":"","data":{}}\n\n');
  };
  const begin: Reply = (response) => void response.end("retry: 10\nid: 0\n\n");
  await served([begin, open], async (parley, got) => {
    const stream = await parley.events({ types: ["message.created", "campaign.status"], campaignMessages: true }).start();
    assert.equal(stream.lastEventId, "0");
    for await (const event of stream) {
      assert.equal(event.type, "reset");
      break;
    }
    assert.equal(stream.lastEventId, "1");
    assert.deepEqual(
      got.map(({ url, headers }) => [url, headers["last-event-id"]]),
      [
        ["/api/events?wait=0", undefined],
        ["/api/events?types=message.created%2Ccampaign.status&campaign_messages=true", "0"],
      ],
    );
    const controller = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const _ of parley.events({ signal: controller.signal })) setTimeout(() => controller.abort(), 10);
    };
    await assert.rejects(follow(), { name: "AbortError" });
  });
});

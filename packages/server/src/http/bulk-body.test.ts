import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../listening.fixture.ts";
import { createTestServer, type TestServer } from "../testing.fixture.ts";
import { MAX_BODY_BYTES } from "./body-size.ts";

let server: TestServer;
let http: Awaited<ReturnType<typeof listen>>;
let key: string;
beforeAll(async () => {
  server = await createTestServer();
  key = (await server.withKey(["read", "write", "admin"])).key;
  http = await listen(server.assay);
});
afterAll(async () => {
  await http.close();
  await server.assay.close();
});

const NDJSON = "application/x-ndjson";
let number = 0;
const event = (fields: object = {}) => ({
  event_type: "purchase",
  user_id: "ada",
  event_id: `event-${++number}`,
  ...fields,
});
const linesOf = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

async function send(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
  path = "/tracking/events",
  base = http.url,
) {
  const response = await fetch(`${base}/api/v1${path}`, {
    method: "POST",
    body,
    headers: { "x-api-key": key, ...headers },
  });
  return { status: response.status, body: await response.json() };
}

const sendLines = (text: string, headers: Record<string, string> = {}) =>
  send(text, { "content-type": NDJSON, ...headers });
const zipped = (text: string) => new Uint8Array(gzipSync(text));
const sendZipped = (text: string, type = "application/json") =>
  send(zipped(text), { "content-type": type, "content-encoding": "gzip" });

describe("NDJSON", () => {
  test("has one event a line", async () => {
    const repeated = event();
    const { status, body } = await sendLines(linesOf(event(), repeated, event(), repeated));
    expect([status, body]).toEqual([201, { accepted: 3, duplicates: 1, rejected: 0, errors: [] }]);
  });

  test.each([
    ["without a newline at the end", (text: string) => text.trimEnd()],
    ["with the line ends of Windows", (text: string) => text.replaceAll("\n", "\r\n")],
    ["with empty lines", (text: string) => `\n\n${text.replaceAll("\n", "\n \n")}\n`],
  ])("is read %s", async (_, change) => {
    const { status, body } = await sendLines(change(linesOf(event(), event())));
    expect([status, body.accepted]).toEqual([201, 2]);
  });

  test("may have parameters in its type and any case", async () => {
    expect((await sendLines(linesOf(event()), { "content-type": "Application/X-NDJSON; charset=utf-8" })).status).toBe(
      201,
    );
  });

  test("stores the valid events, and names an invalid one by its index among the events", async () => {
    const { status, body } = await sendLines(`\n${linesOf(event(), { event_type: "purchase" }, event())}`);
    expect([status, body.accepted, body.rejected]).toEqual([201, 2, 1]);
    expect(body.errors).toMatchObject([{ index: 1, loc: ["body", 1, "user_id"] }]);
  });

  test("with a line that is not JSON stores nothing and names the line", async () => {
    const [first, last] = [event(), event()];
    const { status, body } = await sendLines(`\n${linesOf(first)}{"event_type":\n${linesOf(last)}`);
    expect([status, body]).toEqual([400, { detail: "Line 3 of the request body is not valid JSON" }]);
    expect((await sendLines(linesOf(first, last))).body.accepted).toBe(2);
  });

  test("cannot join two lines to one value", async () => {
    expect((await sendLines('{"event_type":"a",\n"user_id":"b"}\n')).body.detail).toBe(
      "Line 1 of the request body is not valid JSON",
    );
    expect((await sendLines(`${JSON.stringify(event())},${JSON.stringify(event())}\n`)).status).toBe(400);
  });

  test("without an event is a 422, as without a body", async () => {
    expect(await sendLines("\n \n")).toMatchObject({
      status: 422,
      body: { detail: [{ loc: ["body"], type: "too_small" }] },
    });
    expect((await sendLines("")).status).toBe(422);
  });

  test("has at most 5,000 events", async () => {
    const small = JSON.stringify({ event_type: "a", user_id: "b" });
    expect((await sendLines(`${small}\n`.repeat(5000))).body.accepted).toBe(5000);
    expect((await sendLines(`${small}\n`.repeat(5001))).status).toBe(422);
  });

  test("has the limits of JSON: nesting, values, names and size", async () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}\n`;
    expect((await sendLines(deep(65))).body.detail).toBe("Request body is nested deeper than 64 levels");
    // Each line counts alone: 40 levels twice are not 80.
    expect((await sendLines(deep(40) + deep(40))).status).toBe(422);
    expect((await sendLines(`[${"1,".repeat(60_000)}1]\n`.repeat(2))).status).toBe(413);
    const names = (from: number) =>
      `{${Array.from({ length: 3000 }, (_, index) => `"n${from + index}":1`).join(",")}}\n`;
    expect((await sendLines(names(0) + names(3000))).body.detail).toMatch(/different keys/);
    expect((await sendLines(`${" ".repeat(MAX_BODY_BYTES)}\n`)).status).toBe(413);
  });

  test("has no prototype and whole characters only", async () => {
    const text = `{"__proto__":{"user_id":"eve"},"event_type":"a"}\n${linesOf(event({ user_id: "ada" }))}`;
    expect((await sendLines(text)).body.errors).toMatchObject([{ index: 0, loc: ["body", 0, "user_id"] }]);
    expect((await sendLines(`{"event_type":"a","user_id":"\\ud800"}\n`)).status).toBe(201);
  });

  test("holds what an array of the same values holds", async () => {
    const values = fc.array(
      fc.oneof(
        fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text)),
        fc.string({ unit: "grapheme", minLength: 1 }).map((user_id) => ({ event_type: "a", user_id, value: 1 })),
      ),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(values, async (some) => {
        const asArray = await send(JSON.stringify(some), { "content-type": "application/json" });
        expect(await sendLines(linesOf(...some))).toEqual(asArray);
      }),
      { numRuns: 40 },
    );
  });
});

describe("gzip", () => {
  test("compresses JSON and NDJSON", async () => {
    expect((await sendZipped(JSON.stringify({ events: [event(), event()] }))).body.accepted).toBe(2);
    expect((await sendZipped(linesOf(event(), event(), event()), NDJSON)).body.accepted).toBe(3);
  });

  test("keeps the answer of an Idempotency-Key", async () => {
    const headers = { "content-type": NDJSON, "content-encoding": "GZIP", "idempotency-key": "zipped" };
    const first = await send(zipped(linesOf({ event_type: "a", user_id: "b" })), headers);
    expect(await send(zipped(linesOf({ event_type: "a", user_id: "b" })), headers)).toEqual(first);
    expect((await send(zipped(linesOf({ event_type: "a", user_id: "c" })), headers)).status).toBe(422);
  });

  test("that is damaged, cut off or something else is a 400", async () => {
    const bytes = zipped(linesOf(event()));
    const headers = { "content-type": NDJSON, "content-encoding": "gzip" };
    for (const broken of [bytes.subarray(0, -4), bytes.subarray(4), new TextEncoder().encode(linesOf(event()))]) {
      expect(await send(broken, headers)).toEqual({ status: 400, body: { detail: "Request body is not valid gzip" } });
    }
  });

  test("may hold 1 MB and no more, so that a small body cannot fill the memory", async () => {
    const exact = linesOf(event()).padStart(MAX_BODY_BYTES);
    expect((await sendZipped(exact, NDJSON)).body.accepted).toBe(1);
    expect((await sendZipped(` ${exact}`, NDJSON)).body.detail).toBe("Request body is larger than 1048576 bytes");
    expect((await sendZipped(" ".repeat(200 * MAX_BODY_BYTES), NDJSON)).status).toBe(413);
  });

  test("of text that is not UTF-8 is a 400", async () => {
    const bytes = new Uint8Array(gzipSync(Buffer.from([0x22, 0xff, 0x22])));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    expect((await send(bytes, headers)).body.detail).toBe("Request body is not valid UTF-8");
  });
});

test("other encodings and types are a 415 that names what to send", async () => {
  const plain = linesOf(event());
  expect((await sendLines(plain, { "content-encoding": "br" })).body.detail).toBe(
    "Unsupported content encoding br; send gzip or no encoding",
  );
  expect((await sendLines(plain, { "content-encoding": "identity" })).status).toBe(201);
  expect((await sendLines(plain, { "content-type": "text/csv" })).body.detail).toBe(
    "Unsupported content type text/csv; send application/json or application/x-ndjson",
  );
});

test("no other route takes them", async () => {
  const flag = JSON.stringify({ key: "zipped", name: "Zipped" });
  expect(
    await send(zipped(flag), { "content-type": "application/json", "content-encoding": "gzip" }, "/feature-flags/"),
  ).toEqual({ status: 415, body: { detail: "Unsupported content encoding gzip; send no encoding" } });
  expect(await send(flag, { "content-type": NDJSON }, "/feature-flags/")).toEqual({
    status: 415,
    body: { detail: "Unsupported content type application/x-ndjson; send application/json" },
  });
  expect((await send(linesOf(event()), { "content-type": NDJSON }, "/tracking/track")).status).toBe(415);
});

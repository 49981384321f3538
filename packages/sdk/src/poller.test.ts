import { createEngine, type Definitions } from "@assay/core";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ConnectionError } from "./connection.ts";
import { definitionFormat } from "./definition-format.ts";
import { createFakeServer, type FakeAnswer, toDefinitions } from "./fake-server.fixture.ts";
import { createPoller, type PollerOptions } from "./poller.ts";
import { followChanges } from "./stream.ts";

const ON = toDefinitions({ key: "f", enabled: true, version: 1 });
const OFF = toDefinitions({ key: "f", enabled: false, version: 2 });
const ada = { targetingKey: "ada" };
const parts = { ...definitionFormat, createEngine, followChanges };

function serve(definitions: Definitions, etag?: string) {
  return Response.json(definitions, { headers: etag ? { etag } : {} });
}

/** A poller of a server that answers by index, with a record of its events. */
function connect(answer: (index: number) => FakeAnswer | Promise<FakeAnswer>, options: Partial<PollerOptions> = {}) {
  const server = createFakeServer(answer);
  const heard = { changes: [] as string[][], errors: [] as ConnectionError[], recoveries: 0 };
  const poller = createPoller(
    parts,
    { apiKey: "key", fetch: server.fetch, ...options },
    { onError: (error) => heard.errors.push(error), onRecover: () => heard.recoveries++ },
  );
  poller.engine.onChange(({ flags }) => heard.changes.push(flags));
  const value = () => poller.engine.evaluate("f", ada, false).value;
  return { poller, heard, value, requests: server.requests };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("an open poller", () => {
  test("fetches once, with its key and without HTTP caches, and then answers locally", async () => {
    const { poller, value, requests } = connect(() => serve(ON));
    expect([poller.isReady, poller.freshness(), requests.length]).toEqual([false, "STATIC", 0]);
    await poller.open();
    expect([poller.isReady, poller.freshness(), value()]).toEqual([true, "CACHED", true]);
    await vi.advanceTimersByTimeAsync(299_999);
    expect(poller.freshness()).toBe("CACHED");
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ method: "GET", path: "/api/v1/openfeature/flags" });
    expect(requests[0]!.headers.get("x-api-key")).toBe("key");
  });

  test("does not let fetch follow a redirect, which would send the key to its target", async () => {
    const redirects: string[] = [];
    const fetch = async (request: Request) => {
      redirects.push(request.redirect);
      return serve(ON);
    };
    await connect(() => serve(ON), { fetch }).poller.open();
    expect(redirects).toEqual(["manual"]);
  });

  test.each([
    ["an object", { "X-Trace": "1", "X-API-Key": "other" }],
    ["pairs", [["X-Trace", "1"]] as [string, string][]],
    ["Headers", new Headers({ "X-Trace": "1" })],
  ])("sends headers that are given as %s, next to its own", async (_, headers) => {
    const { poller, requests } = connect(() => serve(ON, '"v1"'), { headers });
    await poller.open();
    await poller.refresh();
    const names = ["x-trace", "x-api-key", "if-none-match"];
    expect(names.map((name) => requests[1]!.headers.get(name))).toEqual(["1", "key", '"v1"']);
  });

  test("serves expired definitions until the server has responded", async () => {
    let release = (_: Response) => {};
    const held = new Promise<Response>((resolve) => {
      release = resolve;
    });
    const { poller, heard, value } = connect((index) => (index === 0 ? serve(ON) : held));
    await poller.open();
    await vi.advanceTimersByTimeAsync(300_000);
    expect([poller.freshness(), value()]).toEqual(["STATIC", true]);
    release(serve(OFF));
    await vi.advanceTimersByTimeAsync(0);
    expect([poller.freshness(), value()]).toEqual(["CACHED", false]);
    expect(heard.changes).toEqual([["f"], ["f"]]);
  });

  test("fetches on the first evaluation after the process was suspended past the expiry", async () => {
    let now = 0;
    const { poller, requests } = connect(() => serve(ON), { now: () => now });
    await poller.open();
    now = 400_000;
    expect([poller.freshness(), poller.freshness()]).toEqual(["STATIC", "STATIC"]);
    await vi.advanceTimersByTimeAsync(0);
    expect([poller.freshness(), requests.length]).toEqual(["CACHED", 2]);
  });

  test("sends the ETag, and a 304 makes the definitions fresh without a change", async () => {
    const { poller, heard, value, requests } = connect((index) =>
      index === 0 ? serve(ON, '"v1"') : new Response(null, { status: 304 }),
    );
    await poller.open();
    await poller.refresh();
    expect(requests.map((request) => request.headers.get("if-none-match"))).toEqual([null, '"v1"']);
    expect([poller.freshness(), value(), heard.changes.length]).toEqual(["CACHED", true, 1]);
  });

  test("sends one request for concurrent refreshes", async () => {
    const { poller, requests } = connect(() => serve(ON));
    await Promise.all([poller.open(), poller.open(), poller.refresh()]);
    expect(requests).toHaveLength(1);
  });

  test("answers from its bootstrap at once, as expired, and fetches in the background", async () => {
    const { poller, value } = connect(() => serve(OFF), { bootstrap: ON });
    await poller.open();
    expect([poller.isReady, poller.freshness(), value()]).toEqual([true, "STATIC", true]);
    await vi.advanceTimersByTimeAsync(0);
    expect([poller.freshness(), value()]).toEqual(["CACHED", false]);
  });

  test("accepts a body with only the fields of the specification", async () => {
    const { poller, value } = connect(() => Response.json({ flags: ON.flags }));
    await poller.open();
    expect(value()).toBe(true);
  });
});

describe("a failing server", () => {
  const garbage: [string, () => FakeAnswer][] = [
    ["an error", () => new Response("{}", { status: 500 })],
    ["a page", () => new Response("<html>Welcome</html>")],
    ["half an answer", () => new Response('{"schema_version":1,"flags":[{"ke')],
    ["null", () => new Response("null")],
    ["another object", () => Response.json({ items: [] })],
    ["flags without keys", () => Response.json({ schema_version: 1, flags: [{ enabled: true }] })],
    ["a later format", () => Response.json({ ...OFF, schema_version: 2 })],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://elsewhere.example" } })],
    ["a broken connection", () => new TypeError("fetch failed", { cause: new Error("ECONNRESET") })],
    ["silence", () => "never"],
  ];
  test.each(garbage)("that sends %s never replaces good definitions", async (_, answer) => {
    const { poller, heard, value } = connect((index) => (index === 0 ? serve(ON, '"v1"') : answer()));
    await poller.open();
    await vi.advanceTimersByTimeAsync(300_000 + 5_000);
    expect(heard.errors.length).toBeGreaterThan(0);
    expect(heard.errors.every((error) => !error.fatal)).toBe(true);
    expect([poller.freshness(), value(), heard.changes.length]).toEqual(["STATIC", true, 1]);
  });

  test("makes open fail; the poller retries with growing pauses and reports the recovery", async () => {
    const { poller, heard, value, requests } = connect((index) =>
      index < 4 ? new Response(null, { status: 503 }) : serve(ON),
    );
    await expect(poller.open()).rejects.toMatchObject({ name: "ConnectionError", status: 503, fatal: false });
    const counts = [];
    for (const pause of [500, 1_000, 2_000, 4_000]) {
      await vi.advanceTimersByTimeAsync(pause - 1);
      counts.push(requests.length);
      await vi.advanceTimersByTimeAsync(1);
    }
    expect([...counts, requests.length]).toEqual([1, 2, 3, 4, 5]);
    expect([value(), heard.errors.length, heard.recoveries]).toEqual([true, 4, 1]);
  });

  test("gets no request before its Retry-After has passed, however many evaluations there are", async () => {
    const limited = () => new Response(null, { status: 429, headers: { "retry-after": "60" } });
    const { poller, requests } = connect((index) => (index === 1 ? limited() : serve(ON)));
    await poller.open();
    await vi.advanceTimersByTimeAsync(300_000);
    for (let second = 0; second < 60; second++) {
      expect(poller.freshness()).toBe("STATIC");
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(500);
    expect([requests.length, poller.freshness()]).toEqual([3, "CACHED"]);
  });

  test.each([
    ["Sun, 06 Nov 2033 08:50:37 GMT", 60_000],
    ["Sunday, 06-Nov-33 08:50:37 GMT", 60_000],
    ["Sun Nov  6 08:50:37 2033", 60_000],
    ["300", 300_000],
    ["301", 300_000],
    ["999999999999", 300_000],
    ["Sat, 06 Nov 2083 08:49:37 GMT", 300_000],
    ["0", 0],
    ["-60", 0],
    ["soon", 0],
    ["Sun, 06 Nov 2033 08:49:36 GMT", 0],
  ])("that answers with Retry-After: %s gets the next request %i ms after the normal pause", async (value, wait) => {
    vi.setSystemTime(Date.parse("2033-11-06T08:49:37Z"));
    const limited = () => new Response(null, { status: 503, headers: { "retry-after": value } });
    const { poller, requests } = connect((index) => (index === 0 ? limited() : serve(ON)));
    await expect(poller.open()).rejects.toMatchObject({ status: 503 });
    await vi.advanceTimersByTimeAsync(wait + 499);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([requests.length, poller.isReady]).toEqual([2, true]);
  });

  test("that requests a pause of years gets a request after five minutes when a page becomes visible", async () => {
    const limited = () => new Response(null, { status: 503, headers: { "retry-after": "99999999" } });
    const { poller, requests } = connect((index) => (index === 0 ? limited() : serve(ON)));
    await expect(poller.open()).rejects.toMatchObject({ retryAfter: 300 });
    await vi.advanceTimersByTimeAsync(299_999);
    poller.revalidate();
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    poller.revalidate();
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toHaveLength(2);
  });

  test.each([401, 403])(
    "that rejects the key with %i causes a fatal error and gets no more requests",
    async (status) => {
      const { poller, heard, requests } = connect(() => Response.json({ detail: "Invalid API key" }, { status }));
      await expect(poller.open()).rejects.toMatchObject({
        fatal: true,
        message: `The server answered ${status}: Invalid API key`,
      });
      await vi.advanceTimersByTimeAsync(3_600_000);
      expect([requests.length, heard.errors.length]).toEqual([1, 1]);
    },
  );

  test("that rejects the key later leaves the definitions in use, and gets requests rarely", async () => {
    const { poller, heard, value, requests } = connect((index) =>
      index === 1 ? new Response(null, { status: 401 }) : serve(ON),
    );
    await poller.open();
    await vi.advanceTimersByTimeAsync(300_000);
    expect([heard.errors[0]!.fatal, value(), poller.freshness()]).toEqual([true, true, "STATIC"]);
    await vi.advanceTimersByTimeAsync(299_999);
    expect(requests).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect([requests.length, heard.recoveries, poller.freshness()]).toEqual([3, 1, "CACHED"]);
  });
});

describe("a closed poller", () => {
  test("has no timer, sends no request and keeps answering", async () => {
    const { poller, value, requests } = connect(() => serve(ON));
    await poller.open();
    poller.close();
    poller.close();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(600_000);
    expect([requests.length, poller.freshness(), value()]).toEqual([1, "STATIC", true]);
  });

  test("cancels the request in flight, and reports nothing", async () => {
    const { poller, heard } = connect(() => "never");
    const opening = poller.open();
    poller.close();
    await expect(opening).rejects.toMatchObject({ name: "AbortError" });
    await vi.advanceTimersByTimeAsync(600_000);
    expect([heard.errors.length, heard.changes.length, vi.getTimerCount()]).toEqual([0, 0, 0]);
  });

  test("can be opened again", async () => {
    const { poller, value, requests } = connect((index) => (index === 0 ? "never" : serve(ON)));
    poller.open().catch(() => {});
    poller.close();
    await poller.open();
    expect([value(), poller.freshness(), requests.length]).toEqual([true, "CACHED", 2]);
    poller.close();
    await poller.open();
    await vi.advanceTimersByTimeAsync(0);
    expect(requests).toHaveLength(3);
  });
});

test.each([
  ["apiKey", ""],
  ["apiKey", " "],
  ["baseUrl", "localhost:4400"],
  ["timeout", 0],
  ["cacheTtlMs", -1],
  ["cacheTtlMs", Number.NaN],
])("createPoller rejects %s: %j", (option, value) => {
  const create = () => createPoller(parts, { apiKey: "key", [option]: value });
  expect(create).toThrow(expect.objectContaining({ name: "OptionError", option }));
});

test("an error of a poller does not contain the API key", async () => {
  const { poller } = connect(() => new TypeError("fetch failed"), { apiKey: "asy_secret" });
  const error: unknown = await poller.open().catch((reason: unknown) => reason);
  poller.close();
  expect(JSON.stringify(error) + String(error)).not.toContain("asy_secret");
});

describe("streaming", () => {
  const encoder = new TextEncoder();

  /** A server whose streams are written by hand. */
  function connectStreaming(serveFlags: (index: number) => Response) {
    const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
    const ids: (string | null)[] = [];
    let fetched = 0;
    let refusal: Error | Response | undefined;
    const changes: string[][] = [];
    const poller = createPoller(parts, {
      apiKey: "key",
      streaming: true,
      async fetch(request) {
        if (!request.url.endsWith("/stream")) return serveFlags(fetched++);
        ids.push(request.headers.get("last-event-id"));
        if (refusal instanceof Error) throw refusal;
        if (refusal) return refusal;
        return new Response(new ReadableStream({ start: (controller) => void streams.push(controller) }));
      },
    });
    poller.engine.onChange(({ flags }) => changes.push(flags));
    const write = (text: string) => streams.at(-1)!.enqueue(encoder.encode(text));
    const refuse = (answer: Error | Response) => {
      refusal = answer;
    };
    return { poller, streams, ids, changes, write, refuse, fetched: () => fetched };
  }

  test("fetches at once when an event announces a change, even if the event arrives in pieces", async () => {
    const { poller, ids, changes, write, fetched } = connectStreaming((index) =>
      index === 0 ? serve(ON, '"1"') : serve(OFF, '"2"'),
    );
    await poller.open();
    await vi.advanceTimersByTimeAsync(0);
    expect(ids).toEqual(["1"]);
    write("retry: 2000\nid: 1\n\n:\n\nevent: definitions\nid: 2\nda");
    await vi.advanceTimersByTimeAsync(0);
    expect(fetched()).toBe(1);
    write('ta: {"version":"2"}\n\n');
    await vi.advanceTimersByTimeAsync(0);
    expect([fetched(), changes]).toEqual([2, [["f"], ["f"]]]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(fetched()).toBe(2);
    poller.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fetches again while the response is older than the announced version, five times at most", async () => {
    const { poller, write, fetched } = connectStreaming(() => serve(ON, '"1"'));
    await poller.open();
    await vi.advanceTimersByTimeAsync(0);
    write("id: 2\ndata: {}\n\n");
    await vi.advanceTimersByTimeAsync(40_000);
    expect(fetched()).toBe(7);
    poller.close();
  });

  test("reconnects when the stream ends or is silent, and sends the version that it has", async () => {
    const { poller, streams, ids } = connectStreaming(() => serve(ON, 'W/"1"'));
    await poller.open();
    await vi.advanceTimersByTimeAsync(0);
    streams[0]!.close();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ids).toEqual(["1", "1"]);
    await vi.advanceTimersByTimeAsync(47_000);
    expect(ids).toHaveLength(3);
    poller.close();
  });

  test("reconnects after the pause that the server requests with retry, one minute at most", async () => {
    const { poller, streams, ids, write } = connectStreaming(() => serve(ON, '"1"'));
    await poller.open();
    await vi.advanceTimersByTimeAsync(0);
    const reconnectsAfter = async (milliseconds: number, field: string) => {
      write(`${field}\n\n`);
      await vi.advanceTimersByTimeAsync(0);
      streams.at(-1)!.close();
      const before = ids.length;
      await vi.advanceTimersByTimeAsync(milliseconds - 1);
      expect(ids).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(ids).toHaveLength(before + 1);
    };
    await reconnectsAfter(2_500, "retry: 2000");
    // It holds for all later connections, and invalid values do not replace it.
    await reconnectsAfter(2_500, "retry: soon");
    await reconnectsAfter(2_500, "retry: -1");
    await reconnectsAfter(60_500, "retry: 99999999999");
    await reconnectsAfter(500, "retry:0");
    poller.close();
  });

  test("fetches once if a lost stream cannot be reopened at once, and not if it can", async () => {
    const { poller, streams, fetched, refuse } = connectStreaming(() => serve(ON, '"1"'));
    await poller.open();
    await vi.advanceTimersByTimeAsync(0);
    streams[0]!.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect([streams.length, fetched()]).toEqual([2, 1]);
    refuse(new TypeError("fetch failed"));
    streams[1]!.error(new TypeError("terminated"));
    await vi.advanceTimersByTimeAsync(200_000);
    expect([streams.length, fetched()]).toEqual([2, 2]);
    poller.close();
  });

  test("fetches when a stream is silent", async () => {
    const { poller, fetched } = connectStreaming(() => serve(ON, '"1"'));
    await poller.open();
    await vi.advanceTimersByTimeAsync(44_000);
    expect(fetched()).toBe(1);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(fetched()).toBe(2);
    poller.close();
  });

  test("does not fetch more often from a server without streams", async () => {
    const { poller, fetched, refuse } = connectStreaming(() => serve(ON, '"1"'));
    refuse(new Response(null, { status: 404 }));
    await poller.open();
    await vi.advanceTimersByTimeAsync(290_000);
    expect(fetched()).toBe(1);
    poller.close();
  });

  test("reconnects after the Retry-After of the server, five minutes at most", async () => {
    const { poller, ids, refuse } = connectStreaming(() => serve(ON, '"1"'));
    refuse(new Response(null, { status: 503, headers: { "retry-after": "99999999" } }));
    await poller.open();
    await vi.advanceTimersByTimeAsync(300_499);
    expect(ids).toHaveLength(1);
    refuse(
      new Response(null, { status: 503, headers: { "retry-after": new Date(Date.now() + 60_000).toUTCString() } }),
    );
    await vi.advanceTimersByTimeAsync(1);
    expect(ids).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(58_000);
    expect(ids).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(3_500);
    expect(ids).toHaveLength(3);
    poller.close();
  });

  test("stops when the poller is closed, and starts again when it is opened", async () => {
    const { poller, ids, write, fetched } = connectStreaming(() => serve(ON, '"1"'));
    await poller.open();
    await vi.advanceTimersByTimeAsync(0);
    poller.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(() => write("id: 2\ndata: {}\n\n")).toThrow("closed");
    await vi.advanceTimersByTimeAsync(600_000);
    expect([ids.length, fetched(), vi.getTimerCount()]).toEqual([1, 1, 0]);
    await poller.open();
    await vi.advanceTimersByTimeAsync(0);
    expect(ids).toHaveLength(2);
    poller.close();
  });
});

import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { type Answer, type Seen, startApi } from "./api.fixture.ts";
import { AssayError, type Client, createClient, isAssayError } from "./index.ts";

const SECRET = "asy_7f3a_do-not-tell";

async function failure(promise: Promise<unknown>): Promise<AssayError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isAssayError(error)) throw new Error("Expected an AssayError", { cause: error });
  return error;
}

describe("a request", () => {
  test("goes to its route with parameters, query, body and API key in place", async () => {
    await using api = await startApi(() => ({ body: { key: "new/checkout", value: true } }));
    const client = createClient({ baseUrl: api.url, apiKey: SECRET });
    const answer = await client.request("POST /feature-flags/{key}/evaluate", {
      params: { key: "new/checkout ü?" },
      query: { explain: true },
      body: { user_id: "user-123", attributes: { country: "DE" } },
    });
    expect(answer).toEqual({ key: "new/checkout", value: true });
    const [seen] = api.seen;
    expect(seen).toMatchObject({ method: "POST", path: "/feature-flags/new%2Fcheckout%20%C3%BC%3F/evaluate" });
    expect([...seen!.query]).toEqual([["explain", "true"]]);
    expect(JSON.parse(seen!.body)).toEqual({ user_id: "user-123", attributes: { country: "DE" } });
    expect(seen!.headers).toMatchObject({ "x-api-key": SECRET, "content-type": "application/json" });
    expect(seen!.headers.authorization).toBeUndefined();
  });

  test("says that it is no form, even without a body", async () => {
    await using api = await startApi(() => ({ status: 204 }));
    const client = createClient({ baseUrl: api.url, apiKey: SECRET });
    await client.request("DELETE /feature-flags/{id}", { params: { id: "f" } });
    await client.request("GET /auth/me");
    expect(api.seen.map(({ headers }) => headers["content-type"])).toEqual(["application/json", undefined]);
  });

  test("reaches the same path whether or not baseUrl ends with /api/v1 or a slash", async () => {
    await using api = await startApi(() => ({ body: [] }));
    for (const suffix of ["", "/", "/api/v1", "/api/v1/"]) {
      await createClient({ baseUrl: api.url + suffix }).request("GET /feature-flags/");
    }
    expect(api.seen.map((seen) => seen.path)).toEqual(Array(4).fill("/feature-flags/"));
  });

  test("sends a JSON query parameter as JSON and omits undefined parameters", async () => {
    await using api = await startApi(() => ({ body: {} }));
    const client = createClient({ baseUrl: api.url });
    await client.request("GET /feature-flags/user/{user_id}", {
      params: { user_id: "a@b" },
      query: { context: { plan: "pro & more", age: 3 } },
    });
    await client.request("GET /feature-flags/", { query: { search: undefined, limit: 5 } });
    expect(JSON.parse(api.seen[0]!.query.get("context")!)).toEqual({ plan: "pro & more", age: 3 });
    expect([...api.seen[1]!.query]).toEqual([["limit", "5"]]);
  });

  test("sends the client's headers and its own, which take precedence", async () => {
    await using api = await startApi(() => ({ body: {} }));
    const client = createClient({ baseUrl: api.url, headers: { "X-Team": "a", "X-Trace": "1" } });
    await client.request("GET /auth/me", { headers: { "x-trace": "2", "If-None-Match": '"v1"' } });
    expect(api.seen[0]!.headers).toMatchObject({ "x-team": "a", "x-trace": "2", "if-none-match": '"v1"' });
  });

  test("accepts headers in every form that fetch accepts", async () => {
    await using api = await startApi(() => ({ body: {} }));
    const client = createClient({ baseUrl: api.url, apiKey: SECRET, headers: new Headers({ "X-Team": "a" }) });
    await client.request("GET /auth/me", { headers: new Headers({ "X-Trace": "1" }) });
    await client.request("GET /auth/me", { headers: [["X-Trace", "2"]] });
    expect(api.seen.map(({ headers }) => [headers["x-api-key"], headers["x-team"], headers["x-trace"]])).toEqual([
      [SECRET, "a", "1"],
      [SECRET, "a", "2"],
    ]);
  });

  test("resolves with undefined for a 204 and keeps a flag called __proto__", async () => {
    await using api = await startApi((seen) =>
      seen.method === "DELETE"
        ? { status: 204 }
        : { headers: { "content-type": "application/json" }, body: '{"__proto__":true,"constructor":false}' },
    );
    const client = createClient({ baseUrl: api.url });
    expect(await client.request("DELETE /feature-flags/{id}", { params: { id: "f" } })).toBeUndefined();
    const flags = await client.request("GET /feature-flags/user/{user_id}", { params: { user_id: "u" } });
    expect(Object.entries(flags)).toEqual([
      ["__proto__", true],
      ["constructor", false],
    ]);
  });

  test("resolves with status and headers in raw mode, where a 304 is not an error", async () => {
    await using api = await startApi((seen) =>
      seen.headers["if-none-match"] ? { status: 304 } : { headers: { etag: '"v7"' }, body: { version: 7 } },
    );
    const client = createClient({ baseUrl: api.url });
    const options = { params: { id: "f" } };
    const first = await client.raw("GET /feature-flags/{id}", options);
    expect([first.status, first.headers.get("etag"), first.data.version]).toEqual([200, '"v7"', 7]);
    const second = await client.raw("GET /feature-flags/{id}", { ...options, headers: { "if-none-match": '"v7"' } });
    expect([second.status, second.data]).toEqual([304, undefined]);
  });

  test("can be answered by a server in the same process, without a port", async () => {
    const client = createClient({
      fetch: (request) => Response.json({ username: new URL(request.url).pathname }),
    });
    expect(await client.request("GET /auth/me")).toEqual({ username: "/api/v1/auth/me" });
  });
});

describe("a failed request", () => {
  const evaluate = { params: { key: "my-flag" }, body: { user_id: "user-123" } };

  test("reports the request, the response and a code to branch on", async () => {
    await using api = await startApi(() => ({
      status: 401,
      headers: { "x-request-id": "r-1" },
      body: { detail: "Invalid API key" },
    }));
    const client = createClient({ baseUrl: api.url, apiKey: SECRET });
    const error = await failure(client.request("POST /feature-flags/{key}/evaluate", evaluate));
    expect(error).toBeInstanceOf(AssayError);
    expect(error.message).toBe("[POST /feature-flags/{key}/evaluate] 401 Invalid API key");
    expect(error).toMatchObject({
      status: 401,
      code: "INVALID_API_KEY",
      detail: "Invalid API key",
      issues: [],
      route: "POST /feature-flags/{key}/evaluate",
      requestId: "r-1",
    });
  });

  test("lists the invalid fields of a 422", async () => {
    const issues = [{ loc: ["body", "variants", 0, "weight"], msg: "Too big", type: "too_big" }];
    await using api = await startApi(() => ({ status: 422, body: { detail: issues } }));
    const error = await failure(
      createClient({ baseUrl: api.url }).request("POST /feature-flags/", { body: { key: "a", name: "A" } }),
    );
    expect(error).toMatchObject({ code: "VALIDATION", issues, detail: "body.variants.0.weight: Too big" });
  });

  test.each([
    [400, "BAD_REQUEST"],
    [401, "NOT_AUTHENTICATED"],
    [403, "FORBIDDEN"],
    [404, "NOT_FOUND"],
    [405, "BAD_REQUEST"],
    [409, "CONFLICT"],
    [412, "PRECONDITION_FAILED"],
    [413, "PAYLOAD_TOO_LARGE"],
    [429, "RATE_LIMIT"],
    [500, "SERVER"],
    [503, "UNAVAILABLE"],
  ])("with status %i has the code %s", async (status, code) => {
    await using api = await startApi(() => ({ status, body: { detail: "Said the server" } }));
    const error = await failure(createClient({ baseUrl: api.url, retries: 0 }).request("GET /feature-flags/"));
    expect(error).toMatchObject({ status, code, detail: "Said the server" });
  });

  test("reports a proxy's page, a redirect or broken JSON", async () => {
    const answers: Answer[] = [
      { status: 502, body: "<html>Bad Gateway</html>" },
      { status: 308, headers: { location: "https://elsewhere.example/" } },
      { headers: { "content-type": "application/json" }, body: "{oops" },
    ];
    await using api = await startApi((_, index) => answers[index]!);
    const client = createClient({ baseUrl: api.url, retries: 0 });
    expect(await failure(client.request("GET /auth/me"))).toMatchObject({ code: "UNAVAILABLE", detail: "Bad Gateway" });
    expect(await failure(client.request("GET /auth/me"))).toMatchObject({
      code: "INVALID_RESPONSE",
      detail: "Permanent Redirect",
    });
    expect(await failure(client.request("GET /auth/me"))).toMatchObject({ status: 0, code: "INVALID_RESPONSE" });
    expect(api.seen).toHaveLength(3);
  });

  const event = { event_type: "purchase", user_id: "ada" };
  test.each<[string, (client: Client) => Promise<unknown>, Partial<Seen>, number]>([
    [
      "without the slash at its end",
      (client) => client.request("POST /feature-flags/", { body: { key: "f", name: "F" } }),
      { method: "POST", path: "/feature-flags", body: '{"key":"f","name":"F"}' },
      308,
    ],
    [
      "without the slash before its query",
      (client) => client.request("GET /feature-flags/", { query: { limit: 5 } }),
      { method: "GET", path: "/feature-flags", query: new URLSearchParams("limit=5") },
      308,
    ],
    [
      "with a slash at its end",
      (client) => client.request("POST /tracking/track", { body: event }),
      { method: "POST", path: "/tracking/track/", body: JSON.stringify(event) },
      307,
    ],
  ])("follows a redirect to its path %s", async (_, send, expected, status) => {
    await using api = await startApi(({ path, query }) =>
      path === expected.path
        ? { body: { id: "f" } }
        : { status, headers: { location: `/api/v1${expected.path}${query.size > 0 ? `?${query}` : ""}` } },
    );
    expect(await send(createClient({ baseUrl: api.url, apiKey: SECRET }))).toEqual({ id: "f" });
    expect(api.seen).toHaveLength(2);
    expect(api.seen[1]).toMatchObject({ ...expected, headers: { "x-api-key": SECRET } });
  });

  test("follows a redirect of that kind once", async () => {
    await using api = await startApi(({ path }) => ({
      status: 308,
      headers: { location: path.endsWith("/") ? "/api/v1/feature-flags" : "/api/v1/feature-flags/" },
    }));
    const client = createClient({ baseUrl: api.url });
    expect(await failure(client.request("GET /feature-flags/"))).toMatchObject({ code: "INVALID_RESPONSE" });
    expect(api.seen).toHaveLength(2);
  });

  test.each([
    ["another path", 308, "/api/v1/users"],
    ["the same path of another host", 308, "http://localhost:1/api/v1/feature-flags"],
    ["nothing", 308, undefined],
    ["something that is not a URL", 308, "http://"],
    ["its path for a GET only", 303, "/api/v1/feature-flags"],
  ])("does not follow a redirect to %s", async (_, status, location) => {
    const headers: Record<string, string> = location === undefined ? {} : { location };
    await using api = await startApi(() => ({ status, headers }));
    const client = createClient({ baseUrl: api.url, apiKey: SECRET });
    expect(await failure(client.request("GET /feature-flags/"))).toMatchObject({ code: "INVALID_RESPONSE", status });
    expect(api.seen).toHaveLength(1);
  });

  test("tries its path without the slash where a browser hides the redirect", async () => {
    const seen: string[] = [];
    const hidden = Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
    const fetch = ({ url }: Request) => {
      seen.push(new URL(url).pathname);
      return url.endsWith("/") ? hidden : Response.json([]);
    };
    expect(await createClient({ fetch }).request("GET /feature-flags/")).toEqual([]);
    expect(seen).toEqual(["/api/v1/feature-flags/", "/api/v1/feature-flags"]);
  });

  test("is an error if a refusal has the type of an event stream", async () => {
    const headers = { "content-type": "text/event-stream" };
    await using api = await startApi(() => ({ status: 503, headers, body: "data: full" }));
    const client = createClient({ baseUrl: api.url, retries: 0 });
    expect(await failure(client.request("GET /auth/me"))).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  });

  test("names the address and the reason if the server is unreachable", async () => {
    const api = await startApi(() => ({}));
    await api[Symbol.asyncDispose]();
    const error = await failure(createClient({ baseUrl: api.url, retries: 0 }).request("GET /auth/me"));
    expect(error).toMatchObject({ status: 0, code: "NETWORK", detail: `Cannot reach ${api.url}: ECONNREFUSED` });
  });

  test.each([
    ["sends no headers", { hang: true } as const],
    ["stalls in its body", { stall: true } as const],
  ])("times out if the server %s", async (_, answer) => {
    await using api = await startApi(() => answer);
    const client = createClient({ baseUrl: api.url, timeout: 50, retries: 0 });
    const error = await failure(client.request("GET /auth/me"));
    expect(error).toMatchObject({ status: 0, code: "TIMEOUT", detail: "No answer within 50 ms" });
  });

  test("rejects with the caller's reason if the caller aborted", async () => {
    const abort = new AbortController();
    const reason = new Error("Left the page");
    await using api = await startApi(() => {
      abort.abort(reason);
      return { hang: true };
    });
    const client = createClient({ baseUrl: api.url });
    await expect(client.request("GET /auth/me", { signal: abort.signal })).rejects.toBe(reason);
    await expect(client.request("GET /auth/me", { signal: abort.signal })).rejects.toBe(reason);
    expect(api.seen).toHaveLength(1);
  });

  test("never shows a credential, at any depth", async () => {
    await using api = await startApi((_, index) => (index === 0 ? { status: 500 } : { hang: true }));
    const options = {
      apiKey: SECRET,
      accessToken: `t-${SECRET}`,
      username: "ada",
      password: `p-${SECRET}`,
      retries: 0,
    };
    const clients = [
      createClient({ ...options, baseUrl: api.url }),
      createClient({ ...options, baseUrl: api.url, timeout: 30 }),
      createClient({ ...options, baseUrl: "http://127.0.0.1:1" }),
    ];
    for (const client of clients) {
      const error = await failure(client.request("GET /auth/me"));
      const shown = inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(error);
      expect(shown).not.toContain(SECRET);
    }
    expect(inspect(clients[0], { depth: Number.POSITIVE_INFINITY })).not.toContain(SECRET);
  });

  test.each(["", ".", ".."])("is not sent if the path cannot carry its parameter (%j)", async (key) => {
    await using api = await startApi(() => ({}));
    const error = await failure(
      createClient({ baseUrl: api.url }).request("POST /feature-flags/{key}/evaluate", {
        ...evaluate,
        params: { key },
      }),
    );
    expect(error).toMatchObject({ status: 0, code: "VALIDATION", detail: `key cannot be "${key}"` });
    expect(api.seen).toHaveLength(0);
  });
});

test("rejects an invalid header without repeating its value", async () => {
  const broken = `${SECRET}\n${SECRET}`;
  const refusal = { status: 0, code: "VALIDATION", detail: "headers cannot be sent" };
  for (const client of [createClient({ apiKey: broken }), createClient({ headers: { "x-team": broken } })]) {
    const error = await failure(client.request("GET /auth/me"));
    expect(error).toMatchObject(refusal);
    expect(inspect(error, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toContain(SECRET);
  }
  const call = createClient().request("GET /auth/me", { headers: { "x trace": "1" } });
  expect(await failure(call)).toMatchObject(refusal);
});

test.each(["localhost:4400", "ftp://host", "not a url"])("rejects the address %j", (baseUrl) => {
  expect(() => createClient({ baseUrl })).toThrow(TypeError);
});

test("recognizes an error of another copy of the package by its name", () => {
  const foreign = Object.assign(new Error("[GET /auth/me] 404"), { name: "AssayError", code: "NOT_FOUND" });
  expect(isAssayError(foreign)).toBe(true);
  expect(isAssayError(new Error("AssayError"))).toBe(false);
  expect(isAssayError({ name: "AssayError" })).toBe(false);
});

test("returns server-sent events as a stream that outlives the timeout", async () => {
  const encoder = new TextEncoder();
  const client = createClient({
    timeout: 20,
    fetch: () => {
      const body = new ReadableStream({
        start: (controller) => {
          setTimeout(() => {
            controller.enqueue(encoder.encode("event: audit\n\n"));
            controller.close();
          }, 60);
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });
  const { data } = await client.raw("GET /auth/me");
  expect(await new Response(data as unknown as ReadableStream).text()).toBe("event: audit\n\n");
});

test("a stream ends when its caller aborts, also after the headers", async () => {
  const abort = new AbortController();
  let isEnded = false;
  const client = createClient({
    fetch: (request) => {
      request.signal.addEventListener("abort", () => (isEnded = true));
      return new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });
    },
  });
  await client.raw("GET /auth/me", { signal: abort.signal });
  abort.abort();
  expect(isEnded).toBe(true);
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { createTestServer, refusal, type TestServer } from "../testing.fixture.ts";
import { createNameSpace } from "./name-space.ts";
import { sendFrom, signInFrom } from "./request.fixture.ts";

let server: TestServer;
afterEach(async () => {
  vi.useRealTimers();
  await server?.assay.close();
});

const statuses = async (requests: Promise<Response>[]) => (await Promise.all(requests)).map(({ status }) => status);

describe("sign-in", () => {
  test("allows five attempts a minute per address and username, and then answers with Retry-After", async () => {
    server = await createTestServer({ rateLimit: {} });
    for (let attempt = 0; attempt < 5; attempt++) {
      const response = await signInFrom(server, "192.0.2.1", "someone");
      expect(response.status).toBe(401);
      expect(response.headers.get("ratelimit-remaining")).toBe(String(4 - attempt));
    }
    const refused = await signInFrom(server, "192.0.2.1", "SOMEONE");
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({ detail: "Rate limit exceeded. Please retry after 60 seconds." });
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "ratelimit-limit": "5",
      "ratelimit-remaining": "0",
      "x-ratelimit-limit": "5",
      "x-ratelimit-remaining": "0",
      "x-ratelimit-reset": refused.headers.get("ratelimit-reset"),
      "retry-after": refused.headers.get("ratelimit-reset"),
    });
  });

  test("works for another username or another address", async () => {
    server = await createTestServer({ rateLimit: { auth: 1 } });
    expect(
      await statuses([
        signInFrom(server, "192.0.2.1", "someone"),
        signInFrom(server, "192.0.2.1", "someone"),
        signInFrom(server, "192.0.2.1", "another"),
        signInFrom(server, "192.0.2.2", "someone"),
      ]),
    ).toEqual([401, 429, 401, 401]);
  });

  test("with changing usernames reaches the higher limit of its address", async () => {
    server = await createTestServer({ rateLimit: { authPerAddress: 3 } });
    const attempts = Array.from({ length: 5 }, (_, index) => signInFrom(server, "192.0.2.1", `user-${index}`));
    expect(await statuses(attempts)).toEqual([401, 401, 401, 429, 429]);
  });

  test("that renew a session, and so name no user, reach only the limit of their address", async () => {
    server = await createTestServer({ rateLimit: { auth: 1, authPerAddress: 2 } });
    const renew = () =>
      sendFrom(server, "192.0.2.1", "/api/v1/auth/refresh", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ refresh_token: "unknown" }),
      });
    const answers = [await renew(), await renew(), await renew()];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(answers[0]!.headers.get("ratelimit-limit")).toBe("2");
  });

  test("counts a whole /64 of IPv6 as one address", async () => {
    server = await createTestServer({ rateLimit: { auth: 1 } });
    expect(
      await statuses([
        signInFrom(server, "2001:db8:1:2::1", "someone"),
        signInFrom(server, "2001:db8:1:2:ffff::9", "someone"),
        signInFrom(server, "2001:db8:1:3::1", "someone"),
      ]),
    ).toEqual([401, 429, 401]);
  });

  test("works again after a minute", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    server = await createTestServer({ rateLimit: { auth: 1 } });
    expect((await signInFrom(server, "192.0.2.1", "someone")).status).toBe(401);
    expect((await signInFrom(server, "192.0.2.1", "someone")).status).toBe(429);
    vi.advanceTimersByTime(60_000);
    expect((await signInFrom(server, "192.0.2.1", "someone")).status).toBe(401);
  });
});

describe("a client address", () => {
  const attempts = (forwarded: string[], ip: string | undefined = "10.0.0.1") =>
    statuses(forwarded.map((value) => signInFrom(server, ip, "someone", { "x-forwarded-for": value })));

  test("is never read from a header without a trusted proxy", async () => {
    server = await createTestServer({ rateLimit: { auth: 1 } });
    expect(await attempts(["192.0.2.1", "192.0.2.2"])).toEqual([401, 429]);
  });

  test("is the one that the last of the trusted hops reported, regardless of values left of it", async () => {
    server = await createTestServer({ rateLimit: { auth: 1 }, trustProxy: 1 });
    expect(await attempts(["192.0.2.1", "192.0.2.2", "198.51.100.7, 192.0.2.1"])).toEqual([401, 401, 429]);
  });

  test("is found behind the configured number of hops", async () => {
    server = await createTestServer({ rateLimit: { auth: 1 }, trustProxy: 2 });
    expect(await attempts(["192.0.2.1, 10.0.0.2", "192.0.2.2, 10.0.0.2", "1.1.1.1, 192.0.2.1, 10.0.0.3"])).toEqual([
      401, 401, 429,
    ]);
  });

  test("is the first from the right outside of the trusted networks", async () => {
    server = await createTestServer({ rateLimit: { auth: 1 }, trustProxy: ["10.0.0.0/8", "::1"] });
    expect(await attempts(["192.0.2.1, 10.0.0.2", "192.0.2.2", "6.6.6.6, 192.0.2.1, 10.9.9.9"])).toEqual([
      401, 401, 429,
    ]);
    expect(await attempts(["192.0.2.9"], "203.0.113.5")).toEqual([401]);
    expect(await attempts(["192.0.2.10"], "203.0.113.5")).toEqual([429]);
    expect(await attempts(["192.0.2.2"], "::ffff:10.0.0.1")).toEqual([429]);
  });

  test("that is invalid is skipped; the nearest valid one is used", async () => {
    server = await createTestServer({ rateLimit: { auth: 1 }, trustProxy: 3 });
    expect(await attempts(["unknown", "1, 2, 3", "<script>"])).toEqual([401, 429, 429]);
    expect(await attempts(["192.0.2.1:4711", "[2001:db8::1]:4711", "192.0.2.1"])).toEqual([401, 401, 429]);
  });

  test.each([-1, 1.5, "10.0.0.0/33", "proxy.internal", ["10.0.0.0/8", ""]])(
    "rejects trustProxy %j",
    async (trustProxy) => {
      await expect(createTestServer({ trustProxy })).rejects.toThrow(/trustProxy must be/);
    },
  );
});

describe("keys and users", () => {
  test("have separate limits per key and per user", async () => {
    server = await createTestServer({ rateLimit: { api: 3, admin: 2 } });
    const one = await server.withKey(["read"]);
    await one.request("GET /feature-flags/");
    await one.request("GET /feature-flags/");
    await one.request("GET /feature-flags/");
    expect(await refusal(one.request("GET /feature-flags/"))).toMatchObject({ status: 429 });
    const other = await server.withKey(["read"]);
    await other.request("GET /feature-flags/");
  });

  test("of ADMIN routes are counted separately", async () => {
    server = await createTestServer({ rateLimit: { api: 100, admin: 2 } });
    await server.admin.request("GET /admin/users");
    await server.admin.request("GET /admin/users");
    expect(await refusal(server.admin.request("GET /admin/users"))).toMatchObject({ status: 429 });
    await server.admin.request("GET /feature-flags/");
  });

  test("a CLIENT key has the limit of its class per visitor, and its own for all of them", async () => {
    server = await createTestServer({ rateLimit: { api: 5 } });
    const evaluate = (key: string, ip: string) =>
      sendFrom(server, ip, "/api/v1/feature-flags/user/u", { headers: { "x-api-key": key } });
    const open = await server.withKey(["read"], { kind: "CLIENT" });
    const visits = ["192.0.2.1", "192.0.2.1", "192.0.2.2"];
    for (let round = 0; round < 2; round++) {
      expect(await statuses(visits.map((ip) => evaluate(open.key, ip)))).toEqual([200, 200, 200]);
    }
    expect(await statuses([evaluate(open.key, "192.0.2.1"), evaluate(open.key, "192.0.2.1")])).toEqual([200, 429]);
    const capped = await server.withKey(["read"], { kind: "CLIENT", rate_limit_per_minute: 2 });
    expect(await statuses(visits.map((ip) => evaluate(capped.key, ip)))).toEqual([200, 200, 429]);
  });

  test("that are invalid count for the sending address", async () => {
    server = await createTestServer({ rateLimit: { authPerAddress: 2 } });
    const knock = (ip: string, headers: Record<string, string>) =>
      sendFrom(server, ip, "/api/v1/feature-flags/", { headers });
    expect((await knock("192.0.2.1", { "x-api-key": "asy_x_y" })).status).toBe(401);
    expect((await knock("192.0.2.1", { authorization: "Bearer x" })).status).toBe(401);
    expect((await knock("192.0.2.1", {})).status).toBe(429);
    expect((await knock("192.0.2.2", {})).status).toBe(401);
    const key = await server.withKey(["read"]);
    expect((await knock("192.0.2.1", { "x-api-key": key.key })).status).toBe(200);
  });
});

describe("limits", () => {
  test("can be disabled one by one or all at once", async () => {
    server = await createTestServer({ rateLimit: { api: 1, admin: false } });
    for (let index = 0; index < 3; index++) await server.admin.request("GET /admin/users");
    await server.assay.close();
    server = await createTestServer({ rateLimit: false });
    const { headers } = await server.send("GET", "/feature-flags/");
    expect([...headers.keys()].filter((name) => name.includes("ratelimit"))).toEqual([]);
  });

  test.each([0, -5, Number.NaN])("of %d are rejected at start", async (api) => {
    await expect(createTestServer({ rateLimit: { api } })).rejects.toThrow("rateLimit.api must be at least 1");
  });

  test("are in every response of a limited route, also without content", async () => {
    server = await createTestServer({ rateLimit: {} });
    const { key, id } = await server.withKey(["read"]);
    const read = await server.send("GET", "/feature-flags/", { headers: { "x-api-key": key } });
    expect(read.headers.get("ratelimit-limit")).toBe("100");
    const answer = await server.admin.raw("DELETE /api-keys/{id}", { params: { id } });
    expect(answer.headers.get("x-ratelimit-limit")).toBe("100");
  });
});

test("a flood of names shares a bounded number of counters, and known names keep theirs", () => {
  const names = createNameSpace(60_000, 1000);
  expect(names.admit("regular")).toBe("regular");
  const admitted = new Set(Array.from({ length: 100_000 }, (_, index) => names.admit(`10.0.0.${index}`)));
  expect(admitted.size).toBeLessThanOrEqual(999 + 1024);
  expect(names.admit("regular")).toBe("regular");
  expect(names.admit("10.0.0.99999")).toBe(names.admit("10.0.0.99999"));
});

test("reads of a signed-in user have their own limit, also by POST; writes and keys count as before", async () => {
  server = await createTestServer({ rateLimit: { auth: false, api: 2, reads: 4 } });
  const user = await server.as("DEVELOPER");
  const list = async () => user.request("GET /feature-flags/");
  const explain = () => user.request("POST /feature-flags/explain", { body: { user_id: "u" } });
  for (const read of [list, explain, list, explain]) await read();
  expect(await refusal(list())).toMatchObject({ status: 429 });
  const create = (key: string) => user.request("POST /feature-flags/", { body: { key, name: key } });
  await create("a");
  await create("b");
  expect(await refusal(create("c"))).toMatchObject({ status: 429 });
  const key = await server.withKey(["read"]);
  await key.request("GET /feature-flags/");
  await key.request("GET /feature-flags/");
  expect(await refusal(key.request("GET /feature-flags/"))).toMatchObject({ status: 429 });
});

test("by default, a signed-in user sends hundreds of reads a minute", async () => {
  server = await createTestServer({ rateLimit: {} });
  const { username } = await server.as("VIEWER");
  const { json } = await server.send("POST", "/auth/login", { body: { username, password: "a-password-of-tests" } });
  const headers = { authorization: `Bearer ${json.access_token}` };
  const answers = await statuses(
    Array.from({ length: 300 }, () => sendFrom(server, "192.0.2.9", "/api/v1/feature-flags/", { headers })),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
});

import { describe, expect, test } from "vitest";
import { type Answer, createTestClock, type Seen, startApi } from "./api.fixture.ts";
import { type ClientOptions, createTransport } from "./transport.ts";

/** Issues tokens `access-1`, `refresh-1`, … and accepts only the newest of each, as the API does. */
async function startSignIn() {
  let issued = 0;
  let validAccess = "";
  const issue = (): Answer => {
    issued++;
    validAccess = `access-${issued}`;
    return {
      body: { access_token: validAccess, refresh_token: `refresh-${issued}`, token_type: "bearer", expires_in: 1800 },
    };
  };
  const answer = async (seen: Seen): Promise<Answer> => {
    // A delay that lets parallel requests overlap.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const body = seen.body ? (JSON.parse(seen.body) as Record<string, string>) : {};
    if (seen.path === "/auth/login") {
      const known = body.username === "ada" && body.password === "correct horse";
      return known ? issue() : { status: 401, body: { detail: "Incorrect username or password" } };
    }
    if (seen.path === "/auth/refresh") {
      const current = issued > 0 && body.refresh_token === `refresh-${issued}`;
      return current ? issue() : { status: 401, body: { detail: "Could not validate credentials" } };
    }
    const signedIn = validAccess !== "" && seen.headers.authorization === `Bearer ${validAccess}`;
    return signedIn ? { body: { username: "ada" } } : { status: 401, body: { detail: "Token has expired" } };
  };
  const api = await startApi(answer);
  return {
    api,
    expire: () => {
      validAccess = "";
    },
    spend: () => {
      issued++;
    },
    paths: () => api.seen.map((seen) => seen.path),
    connect: (options: ClientOptions) => createTransport({ baseUrl: api.url, ...options }, createTestClock()),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

const credentials = { username: "ada", password: "correct horse" };

describe("signing in", () => {
  test("happens once for concurrent requests, when the first one needs it", async () => {
    await using server = await startSignIn();
    const send = server.connect(credentials);
    expect(server.paths()).toEqual([]);
    const replies = await Promise.all(Array.from({ length: 5 }, () => send("GET /auth/me")));
    expect(replies.map((reply) => reply.data)).toEqual(Array(5).fill({ username: "ada" }));
    expect(server.paths().filter((path) => path === "/auth/login")).toHaveLength(1);
  });

  test("rejects the request with the login's error for a wrong password", async () => {
    await using server = await startSignIn();
    const send = server.connect({ ...credentials, password: "wrong" });
    await expect(send("GET /auth/me")).rejects.toMatchObject({
      code: "NOT_AUTHENTICATED",
      route: "POST /auth/login",
      detail: "Incorrect username or password",
    });
    expect(server.paths()).toEqual(["/auth/login"]);
  });

  test("is skipped for the routes that issue tokens", async () => {
    await using server = await startSignIn();
    const send = server.connect(credentials);
    await send("POST /auth/login", { body: credentials });
    expect(server.paths()).toEqual(["/auth/login"]);
  });
});

describe("a rejected token", () => {
  test("is refreshed once for all requests that meet it, and each continues", async () => {
    await using server = await startSignIn();
    const send = server.connect(credentials);
    await send("GET /auth/me");
    server.expire();
    const replies = await Promise.all(Array.from({ length: 5 }, () => send("GET /auth/me")));
    expect(replies).toHaveLength(5);
    expect(server.paths().filter((path) => path === "/auth/refresh")).toHaveLength(1);
    expect(server.paths().filter((path) => path === "/auth/login")).toHaveLength(1);
  });

  test("leads to a new login if the refresh token is used up and the password is known", async () => {
    await using server = await startSignIn();
    const send = server.connect(credentials);
    await send("GET /auth/me");
    server.expire();
    server.spend();
    expect((await send("GET /auth/me")).data).toEqual({ username: "ada" });
    expect(server.paths()).toEqual(["/auth/login", "/auth/me", "/auth/me", "/auth/refresh", "/auth/login", "/auth/me"]);
  });

  test("is refreshed with the newest refresh token each time", async () => {
    await using server = await startSignIn();
    const send = server.connect(credentials);
    await send("GET /auth/me");
    for (let round = 0; round < 2; round++) {
      server.expire();
      await send("GET /auth/me");
    }
    expect(server.paths().filter((path) => path === "/auth/login")).toHaveLength(1);
  });

  test.each([400, 401, 422])("leads to a new login if the refresh is answered %d", async (status) => {
    await using api = await startApi(({ path, headers }) => {
      if (path === "/auth/refresh") return { status, body: { detail: "No" } };
      if (path === "/auth/login") return { body: { access_token: "new", refresh_token: "next", expires_in: 1 } };
      return headers.authorization === "Bearer new" ? { body: {} } : { status: 401, body: { detail: "No" } };
    });
    const options = { baseUrl: api.url, ...credentials, accessToken: "old", refreshToken: "spent" };
    const send = createTransport(options, createTestClock());
    expect((await send("GET /auth/me")).status).toBe(200);
    expect(api.seen.map(({ path }) => path)).toEqual(["/auth/me", "/auth/refresh", "/auth/login", "/auth/me"]);
  });

  test("is kept, with its refresh token, while the refresh fails for another reason", async () => {
    await using api = await startApi(({ path }) => ({ status: path === "/auth/refresh" ? 503 : 401 }));
    const options = { baseUrl: api.url, ...credentials, accessToken: "old", refreshToken: "kept", retries: 0 };
    const send = createTransport(options, createTestClock());
    for (let round = 0; round < 2; round++) {
      await expect(send("GET /auth/me")).rejects.toMatchObject({ route: "POST /auth/refresh", status: 503 });
    }
    expect(api.seen.map(({ path }) => path)).not.toContain("/auth/login");
  });

  test("is the caller's error if it cannot be replaced", async () => {
    await using server = await startSignIn();
    const send = server.connect({ accessToken: "old", refreshToken: "spent" });
    await expect(send("GET /auth/me")).rejects.toMatchObject({ code: "NOT_AUTHENTICATED", route: "GET /auth/me" });
    await expect(send("GET /auth/me")).rejects.toMatchObject({ detail: "Token has expired" });
    expect(server.paths()).toEqual(["/auth/me", "/auth/refresh", "/auth/me"]);
  });

  test("is reported through onTokens before the request continues", async () => {
    await using server = await startSignIn();
    const kept: unknown[] = [];
    const send = server.connect({
      ...credentials,
      onTokens: async (tokens) => void kept.push(tokens, server.paths().length),
    });
    await send("GET /auth/me");
    expect(kept).toEqual([{ accessToken: "access-1", refreshToken: "refresh-1", expiresIn: 1800 }, 1]);
  });
});

test("does not replace a rejected API key by a token", async () => {
  await using api = await startApi(() => ({ status: 401, body: { detail: "Invalid API key" } }));
  const send = createTransport(
    { baseUrl: api.url, apiKey: "k", accessToken: "a", refreshToken: "r" },
    createTestClock(),
  );
  await expect(send("POST /tracking/track", { body: {} })).rejects.toMatchObject({ code: "INVALID_API_KEY" });
  expect(api.seen).toHaveLength(1);
  expect(api.seen[0]!.headers).toMatchObject({ "x-api-key": "k", authorization: "Bearer a" });
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { ADMIN, createTestServer, type TestServer } from "../testing.fixture.ts";
import { toResource } from "./parameter.fixture.ts";
import { createPool } from "./pool.fixture.ts";
import { toRequests } from "./requests.fixture.ts";
import { world } from "./world.fixture.ts";

/** More rounds find more: `FUZZ_ROUNDS=200 npx vitest run --project server packages/server/src/fuzz`. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 6);
const REQUESTS = 500;

async function signIn(server: TestServer): Promise<{ authorization: string } | undefined> {
  const { status, json } = await server.send("POST", "/auth/login", { body: ADMIN });
  return status === 200 ? { authorization: `Bearer ${json.access_token}` } : undefined;
}

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  "answers every request in the API's format and never with a 5xx, in any state (round %i)",
  { timeout: 120_000 },
  async (round) => {
    const logged: unknown[] = [];
    const ignore = () => {};
    const logger = {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (...entry: unknown[]) => void logged.push(entry),
    };
    const server = await createTestServer({ logger });
    const { key } = await server.withKey(["read", "write", "admin"]);
    let credentials = { "x-api-key": key, ...(await signIn(server)) };
    const pool = createPool();
    const requests = toRequests(pool);
    const failures: string[] = [];

    for (let at = 0; at < REQUESTS; at++) {
      if (at % (REQUESTS / 2) === 0) {
        for (const [path, body] of world(at)) {
          const { status, json } = await server.send("POST", path, { body, headers: credentials });
          // Later rounds may fail, because requests may have deleted resources or locked the administrator.
          if (at === 0) expect([path, status, json]).toEqual([path, expect.toSatisfy((code) => code < 300), json]);
          pool.learn(json, toResource(path));
        }
      }
      const { method, path, route, body } = fc.sample(requests, { seed: round * REQUESTS + at, numRuns: 1 })[0]!;
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const { status, json, text } = await server.send(method, path, { ...sent, headers: credentials });
      const fail = (why: string) => failures.push(`${why}: ${method} ${path} ${sent.body} -> ${status} ${text}`);
      if (status >= 500) fail(`${JSON.stringify(logged)}`);
      else if (logged.length > 0) fail(`logged ${JSON.stringify(logged)}`);
      else if (status >= 400 && Object.keys(Object(json)).join() !== "detail") fail("not the shape of an error");
      else if (status < 400 && route.response?.safeParse(json).success === false) fail("not the shape of the answer");
      logged.length = 0;
      if (status < 300) pool.learn(json, toResource(path));
      if (status === 401 && !path.startsWith("/auth/")) {
        const again = await signIn(server);
        // The administrator changed the password, or was blocked.
        if (!again) break;
        credentials = { ...credentials, ...again };
      }
      server.advance(1_000);
    }
    await server.assay.close();
    expect(failures).toEqual([]);
  },
);

import fc from "fast-check";
import { expect, test } from "vitest";
import { toResource } from "../fuzz/parameter.fixture.ts";
import { createPool } from "../fuzz/pool.fixture.ts";
import { type FuzzedRequest, toRequests } from "../fuzz/requests.fixture.ts";
import { world } from "../fuzz/world.fixture.ts";
import { MAX_BLOCKED_MS } from "./expectation.fixture.ts";
import { type Credentials, type HostileServer, type Sent, startServer } from "./server.fixture.ts";
import { twists } from "./twist.fixture.ts";
import { succeed } from "./world.fixture.ts";

/** `pnpm torture` sends 20,000 requests. */
const ROUNDS = process.env.TORTURE ? 20 : 1;
const REQUESTS = process.env.TORTURE ? 1_000 : 400;
/** The callers are created again after this many requests, because requests change passwords and delete users. */
const CALLERS_LAST = 200;
/** Requests of a batch are generated together, from names of earlier batches. */
const BATCH = 50;
const ROLES = ["VIEWER", "ANALYST", "DEVELOPER", "ADMIN"];

/** Creates one caller of each kind. */
async function createCallers(server: HostileServer): Promise<Credentials[]> {
  const admin = await server.admin();
  const users: Credentials[] = [];
  for (const role of ROLES) users.push(await server.as(role, admin));
  const keys: Credentials[] = [];
  for (const kind of ["SERVER", "CLIENT"]) {
    const body = { name: kind, kind, scopes: ["read", "write"] };
    const made = await succeed<{ key: string }>(server, { method: "POST", path: "/api-keys", body, headers: admin });
    keys.push({ "x-api-key": made.key });
  }
  return [{}, ...users, admin, ...keys];
}

test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
  `no request of any role gets a 5xx or blocks the server (${REQUESTS} requests, round %i)`,
  { timeout: 600_000 },
  async (round) => {
    const server = await startServer();
    const failures: string[] = [];
    let longest = 0;
    try {
      const pool = createPool();
      const requests = fc.tuple(toRequests(pool), twists, fc.nat());
      let callers: Credentials[] = [];
      let batch: [FuzzedRequest, (sent: Sent) => Sent, number][] = [];
      for (let at = 0; at < REQUESTS; at++) {
        if (at % CALLERS_LAST === 0) {
          // A request may have removed the administrator: then the callers stay as they are.
          callers = await createCallers(server).catch(() => callers);
          for (const [path, body] of world(at)) {
            const answer = await server.send({ method: "POST", path, body, headers: { ...callers[5], ...callers[6] } });
            if (at === 0) expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text]);
            pool.learn(parse(answer.text), toResource(path));
          }
          await server.blocked();
        }
        if (at % BATCH === 0) batch = fc.sample(requests, { seed: 1_000_000 + round * REQUESTS + at, numRuns: BATCH });
        const [{ method, path, body }, twist, who] = batch[at % BATCH]!;
        const headers = callers[who % callers.length]!;
        const plain = { method, path, headers, ...(body === undefined ? {} : { body: body as object }) };
        const twisted = twist(plain);
        const sent = method === "GET" ? { ...twisted, body: undefined } : twisted;
        const answer = await server.send(sent);
        const blocked = await server.blocked();
        longest = Math.max(longest, blocked);
        if (answer.status >= 500) failures.push(describe(sent, `${answer.status} ${answer.text}`));
        if (blocked > MAX_BLOCKED_MS) failures.push(describe(sent, `blocked ${blocked} ms`));
        if (answer.status < 300) pool.learn(parse(answer.text), toResource(path));
      }
    } finally {
      await server.close();
    }
    expect(failures).toEqual([]);
    console.log(`${REQUESTS} requests; the longest blocked for ${longest.toFixed(0)} ms`);
  },
);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function describe({ method, path, body }: Sent, answer: string): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return `${method} ${path.slice(0, 300)} ${text?.slice(0, 1_000)} -> ${answer.slice(0, 500)}`;
}

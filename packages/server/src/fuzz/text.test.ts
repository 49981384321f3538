import { type Area, contract, parseRouteKey, pathParams, type Route, type RouteKey } from "@assay/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { needsCredentials } from "../identity/guard.ts";
import { ADMIN, createTestServer, type TestServer } from "../testing.fixture.ts";
import { toArbitrary } from "./arbitrary.fixture.ts";
import { toParameter, toResource } from "./parameter.fixture.ts";
import { createPool } from "./pool.fixture.ts";
import { world } from "./world.fixture.ts";

/** Lone surrogates, and characters that end a string in some libraries. */
const ODD = ["a\ud800", "\udc00\u0000b\r\n"];
const SAMPLES = 2;

const routes = (Object.entries(contract as Area) as [RouteKey, Route][]).filter(
  ([key, { produces }]) => key !== "POST /auth/logout" && !produces,
);

/** One copy of the value for each text and name in it, with that one replaced by an odd text. */
function* withOddTexts(value: unknown, odd: string): Generator<unknown> {
  if (typeof value === "string") yield odd;
  else if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, 2).entries()) {
      for (const other of withOddTexts(item, odd)) yield value.with(index, other);
    }
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, [odd]: odd };
    for (const [name, item] of Object.entries(value)) {
      for (const other of withOddTexts(item, odd)) yield { ...value, [name]: other };
    }
  }
}

const logged: unknown[] = [];
const ignore = () => {};
const logger = { debug: ignore, info: ignore, warn: ignore, error: (...entry: unknown[]) => void logged.push(entry) };
const pool = createPool();
let server: TestServer;
let credentials: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer({ logger });
  const { json } = await server.send("POST", "/auth/login", { body: ADMIN });
  const { key } = await server.withKey(["read", "write", "admin"]);
  credentials = { "x-api-key": key, authorization: `Bearer ${json.access_token}` };
  for (const [path, body] of world(0)) {
    pool.learn((await server.send("POST", path, { body, headers: credentials })).json, toResource(path));
  }
});
afterAll(() => server.assay.close());

test.each(routes)("%s accepts any text in each of its fields", { timeout: 60_000 }, async (key, route) => {
  const [method, path] = parseRouteKey(key);
  const names = pathParams(path);
  // A removed resource would be missing for later routes.
  const params = names.map((name) =>
    method === "DELETE" ? "nothing" : fc.sample(toParameter(name, path, route, pool), { seed: 1, numRuns: 1 })[0]!,
  );
  const headers = needsCredentials(route.auth) ? credentials : {};
  const failures: string[] = [];

  async function send(segments: string[], query: string, body: unknown) {
    const filled = names.reduce((text, name, index) => text.replace(`{${name}}`, segments[index]!), path);
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const { status, text } = await server.send(method, `${filled}${query}`, { ...init, headers });
    if (status >= 500 || logged.length > 0) {
      failures.push(`${method} ${filled}${query} ${init.body} -> ${status} ${text} ${JSON.stringify(logged)}`);
    }
    logged.length = 0;
  }

  const schema = method === "GET" ? undefined : (route.documentedBody ?? route.body);
  const bodies = schema ? fc.sample(toArbitrary(schema, pool), { seed: 1, numRuns: SAMPLES }) : [];
  for (const odd of ODD) {
    // Paths and queries cannot encode a lone surrogate.
    const text = encodeURIComponent(Buffer.from(odd).toString());
    for (const index of names.keys()) await send(params.with(index, text), "", bodies[0]);
    for (const name of [...Object.keys(route.query?.shape ?? {}), text]) {
      await send(params, `?${name}=${text}`, bodies[0]);
    }
    for (const body of bodies) for (const other of withOddTexts(body, odd)) await send(params, "", other);
  }
  expect(failures).toEqual([]);
});

import { type Area, contract, parseRouteKey, type Route, type RouteKey } from "@assay/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needsCredentials } from "./identity/guard.ts";
import { createTestServer, type TestServer } from "./testing.fixture.ts";

/** The routes of the contract. The tests therefore cover a new route automatically. */
const routes = Object.entries(contract as Area) as [RouteKey, Route][];

let server: TestServer;
let credentials: { authorization: string; "x-api-key": string };
beforeAll(async () => {
  server = await createTestServer();
  const { json } = await server.send("POST", "/auth/login", {
    body: { username: "admin", password: "correct horse battery" },
  });
  const { key } = await server.withKey(["read", "write", "admin"]);
  credentials = { authorization: `Bearer ${json.access_token}`, "x-api-key": key };
});
afterAll(() => server.assay.close());

/** Routes that the tests skip, because they end the session or the credentials of the others. */
const ENDS_SESSION: RouteKey[] = ["POST /auth/logout"];

/** Bodies for routes that require one. */
const VALID = {
  target_percentage: 1,
  trigger: "MANUAL",
  user_id: "u",
  experiment_id: "x",
  reason: "r",
  rollout_percentage: 1,
  resource: "*",
  actions: ["READ"],
  expires_at: "2026-03-02",
  counter: "events",
  increments: [{ variant_id: "a", counter: "events" }],
  weights: { a: 1 },
  connection_id: "018f0000-0000-7000-8000-000000000000",
  assignments_table: "a",
  events_table: "e",
};

/** Whether a text is empty, `.` or `..`. As a segment, it would change the path. */
function isDots(text: string): boolean {
  return /^\.{0,2}$/.test(text);
}

function fill(path: string, value: string): string {
  return path.replace(/\{\w+\}/g, encodeURIComponent(value));
}

/** Fills a path with any text, except for those that lead to another route, such as `/users/me` for a user. */
function fillAny(method: string, path: string, text: string): string {
  const filled = fill(path, text);
  return isDots(text) || `${method} ${filled}` in contract ? fill(path, "x") : filled;
}

describe("without credentials", () => {
  test.each(routes.filter(([, { auth }]) => needsCredentials(auth)))("%s is a 401", async (key) => {
    const [method, path] = parseRouteKey(key);
    const { status, json, headers } = await server.send(method, fill(path, "x"), method === "GET" ? {} : { body: {} });
    expect([status, json]).toEqual([401, { detail: "Not authenticated" }]);
    expect(headers.get("www-authenticate")).toBe("Bearer");
  });
});

describe("with the right credentials", () => {
  test.each(routes.filter(([key, { params }]) => params && !ENDS_SESSION.includes(key)))(
    "%s rejects an unknown id",
    async (key, { auth, refusesMisspelt }) => {
      const [method, path] = parseRouteKey(key);
      const isPublic = !needsCredentials(auth);
      // Flags and experiments reject it as a misspelling of `variants`.
      const valid = refusesMisspelt ? VALID : { ...VALID, variant_id: "a" };
      const body = method === "GET" ? {} : { body: valid };
      const unknown = fill(path, "018f0000-0000-7000-8000-000000000000");
      const { status } = await server.send(method, `${unknown}?user_id=u&dimension=d`, {
        ...body,
        headers: isPublic ? {} : credentials,
      });
      // An unknown user has no flags, assignments or data, which is a valid response.
      expect(status).toBe(
        path.includes("user/{user_id}") || path === "/holdout/check/{uid}" || path.startsWith("/tracking/")
          ? method === "DELETE"
            ? 202
            : 200
          : 404,
      );
    },
  );
});

/** JSON that is sometimes nearly right: field names of the contract with any values. */
const names = [
  ...new Set(JSON.stringify(Object.keys(contract)).match(/\w+/g)),
  "variants",
  "rules",
  "metrics",
  "events",
];
const fields = [
  "key",
  "name",
  "user_id",
  "status",
  "event_type",
  "value",
  "variants",
  "rules",
  "when",
  "weight",
  "flagKey",
  "targeting_rules",
];
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.constantFrom(...names),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...fields, "__proto__", "constructor", "id"), tie("value"), { maxKeys: 6 }),
  ),
})).value;

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("0", "-1", "1e9", "{}", "[]", "null"),
);

describe("with any input", () => {
  test.each(routes.filter(([key, { produces }]) => !ENDS_SESSION.includes(key) && !produces))(
    "%s answers in the API's format, and never with a 5xx",
    async (key, route) => {
      const [method, path] = parseRouteKey(key);
      const queries = Object.keys(route.query?.shape ?? { q: 0 });
      await fc.assert(
        fc.asyncProperty(
          json,
          text,
          fc.dictionary(fc.constantFrom(...queries), text),
          async (body, parameter, query) => {
            const search = new URLSearchParams(query as Record<string, string>).toString();
            const init = method === "GET" ? {} : { body: JSON.stringify(body) ?? "" };
            const target = `${fillAny(method, path, parameter)}?${search}`;
            const { status, json: answer } = await server.send(method, target, { ...init, headers: credentials });
            expect(status).toBeLessThan(500);
            if (status >= 400) expect(Object.keys(answer)).toEqual(["detail"]);
            else if (route.response && status !== 304) expect(route.response.safeParse(answer).success).toBe(true);
          },
        ),
        { numRuns: 25 },
      );
    },
  );
});

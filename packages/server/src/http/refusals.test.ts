import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, createTestServer } from "../testing.fixture.ts";

let server: Awaited<ReturnType<typeof createTestServer>>;
let signedIn: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer();
  const { json } = await server.send("POST", "/auth/login", { body: ADMIN });
  signedIn = { authorization: `Bearer ${json.access_token}` };
});
afterAll(() => server.assay.close());

describe("a value of an enumeration", () => {
  const create = (body: object) =>
    server.send("POST", "/experiments/", { headers: signedIn, body: { name: "E", variants: [], ...body } });

  test.each([
    ["REVENUE", "MEAN"],
    ["revenue", "MEAN"],
    ["BINARY", "CONVERSION"],
    ["MEDIAN", "QUANTILE"],
    // Misspelt.
    ["CONVERSON", "CONVERSION"],
    ["quantil", "QUANTILE"],
  ])("%s has a suggestion", async (kind, meant) => {
    const { status, json } = await create({ metrics: [{ name: "M", event_type: "m", kind }] });
    expect(status).toBe(422);
    expect(json.detail).toContainEqual({
      loc: ["body", "metrics", 0, "kind"],
      msg: `Invalid option; did you mean ${meant}? Expected one of CONVERSION, MEAN, COUNT, RATIO, QUANTILE`,
      type: "invalid_value",
    });
  });

  test.each(["SOMETHING", "constructor", "", "x".repeat(1_000)])("%s has none, only the list", async (kind) => {
    const { json } = await create({ metrics: [{ name: "M", event_type: "m", kind }] });
    expect(json.detail[0].msg).toBe('Invalid option: expected one of "CONVERSION"|"MEAN"|"COUNT"|"RATIO"|"QUANTILE"');
  });

  test("statuses of other products are known", async () => {
    const { json } = await create({ status: "RUNNING" });
    expect(json.detail[0].msg).toContain("did you mean ACTIVE?");
  });
});

describe("an error", () => {
  test.each([
    ["GET", "/users/me", {}, 401],
    ["GET", "/feature-flags/none", {}, 404],
    ["GET", "/nowhere", {}, 404],
    ["DELETE", "/auth/login", {}, 405],
    ["POST", "/experiments/", { body: {} }, 422],
    ["POST", "/experiments/", { body: {}, headers: { "idempotency-key": "help" } }, 422],
  ] as const)("of %s %s links to its help on the page of the API", async (method, path, options, expected) => {
    const { headers = {}, ...rest } = options as { headers?: Record<string, string>; body?: object };
    const credentials = expected === 401 ? {} : signedIn;
    const { status, headers: answered } = await server.send(method, path, {
      ...rest,
      headers: { ...credentials, ...headers },
    });
    expect([status, answered.get("link")]).toEqual([expected, `</docs#${expected}>; rel="help"`]);
    const page = await (await server.assay.fetch(new Request("http://assay.invalid/docs"))).text();
    expect(page).toContain(`<tr id="${expected}">`);
  });

  test("links below the base path, and an answer without an error has no link", async () => {
    const based = await createTestServer({ basePath: "/flags/" });
    const response = await based.assay.fetch(new Request("http://assay.invalid/flags/api/v1/users/me"));
    expect(response.headers.get("link")).toBe('</flags/docs#401>; rel="help"');
    await based.assay.close();
    const found = await server.send("GET", "/users/me", { headers: signedIn });
    expect([found.status, found.headers.get("link")]).toEqual([200, null]);
  });
});

describe("credentials of the other kind", () => {
  test("are named where an API key is needed", async () => {
    const { status, json } = await server.send("POST", "/tracking/track", { headers: signedIn, body: {} });
    expect([status, json]).toEqual([
      401,
      { detail: "Not authenticated: an API key is needed here (X-API-Key), and the request has a user's token" },
    ]);
  });

  test("are named where a user's token is needed", async () => {
    const { key } = await server.withKey(["read"]);
    const { status, json } = await server.send("GET", "/users/me", { headers: { "x-api-key": key } });
    expect([status, json]).toEqual([
      401,
      {
        detail:
          "Not authenticated: a user's token is needed here (Authorization: Bearer), and the request has an API key",
      },
    ]);
  });
});

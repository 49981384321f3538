import { createHash, createHmac } from "node:crypto";
import canonicalize from "canonicalize";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ADMIN, createTestServer, ORIGIN, refusal, type TestServer } from "../../testing.fixture.ts";

const KEY = "a secret of the operations team, 32+";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer({ audit: { key: KEY } });
});
afterEach(() => server.assay.close());

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (text: string) => createHmac("sha256", KEY).update(text).digest("hex");
const createFlag = (key: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key, name: key, ...body } });

async function get(path: string) {
  const body = { username: ADMIN.username, password: ADMIN.password };
  const { access_token } = (await server.send("POST", "/auth/login", { body })).json;
  const headers = { authorization: `Bearer ${access_token}` };
  const response = await server.assay.fetch(new Request(ORIGIN + path, { headers }));
  return { status: response.status, headers: response.headers, text: await response.text() };
}

describe("audit events", () => {
  test("contain outcome, hash and signature, oldest first, in numbered pages", async () => {
    await createFlag("f");
    await refusal(server.connect({ username: "admin", password: "wrong wrong" }).request("GET /users/me"));
    const all = await server.admin.request("GET /compliance/audit-events", { query: { page_size: 500 } });
    const sequences = all.items.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(all).toMatchObject({ page: 1, page_size: 500, total: all.items.length });
    expect(all.items.find(({ action }) => action === "auth.login_failed")).toMatchObject({ outcome: "FAILURE" });
    expect(all.items.find(({ action }) => action === "feature_flag.create")).toMatchObject({ outcome: "SUCCESS" });
    const pages = [];
    for (let page = 1; page <= Math.ceil(all.total / 2); page++) {
      pages.push(
        ...(await server.admin.request("GET /compliance/audit-events", { query: { page, page_size: 2 } })).items,
      );
    }
    expect(pages.slice(0, all.items.length)).toEqual(all.items);
  });

  test("can be verified with the documented steps", async () => {
    await createFlag("f", { description: 'é €   "quoted"' });
    const { items } = await server.admin.request("GET /compliance/audit-events", { query: { page_size: 500 } });
    let previous = "0".repeat(64);
    for (const event of items) {
      const pick = (...fields: (keyof typeof event)[]) =>
        sha256(canonicalize(Object.fromEntries(fields.map((field) => [field, event[field]])))!);
      const lines = [
        previous,
        pick("sequence", "id", "timestamp", "action", "resource_type"),
        pick("actor_type", "actor_id", "ip", "user_agent", "request_id"),
        pick("resource_id", "resource_name"),
        pick("old_value", "new_value", "reason"),
      ];
      expect(event.previous_hash).toBe(previous);
      expect(event.hash).toBe(sha256(lines.join("\n")));
      expect(event.signature).toBe(hmac(event.hash!));
      previous = event.hash!;
    }
  });

  test("have the filters of the audit log", async () => {
    await createFlag("f");
    const query = { action: "feature_flag.create", start_date: "2026-01-01", resource_type: "feature_flag" };
    expect((await server.admin.request("GET /compliance/audit-events", { query })).total).toBe(1);
    const none = { ...query, end_date: "2026-01-02" };
    expect((await server.admin.request("GET /compliance/audit-events", { query: none })).items).toEqual([]);
  });

  test.each([{ page: 0 }, { page_size: 501 }, { page_size: 0 }, { end_date: "soon" }])("reject %j", async (query) => {
    expect(await refusal(server.admin.request("GET /compliance/audit-events", { query }))).toMatchObject({
      status: 422,
    });
  });
});

test.each([
  "/api/v1/compliance/audit-events",
  "/api/v1/compliance/reports/soc2",
  "/api/v1/compliance/reports/iso27001",
  "/api/v1/compliance/export",
  "/api/v1/compliance/export?format=csv",
])("%s has a signed body and is not cached", async (path) => {
  const { status, headers, text } = await get(path);
  expect(status).toBe(200);
  expect(headers.get("x-audit-signature")).toBe(`sha256=${hmac(text)}`);
  expect(headers.get("cache-control")).toBe("no-store");
});

describe("reports", () => {
  test("count the evidence of the rolling period, and verify the chain", async () => {
    await createFlag("old");
    server.advance(400 * 24 * 3600 * 1000);
    await createFlag("new");
    const soc2 = await server.admin.request("GET /compliance/reports/soc2");
    expect(soc2.period).toEqual({
      start: new Date(server.now() - 365 * 24 * 3600 * 1000).toISOString(),
      end: new Date(server.now()).toISOString(),
      days: 365,
    });
    const change = soc2.controls.find(({ id }) => id === "CC8.1");
    expect(change).toMatchObject({ evidence_count: 1, evidence: { "feature_flag.create": 1 }, status: "EVIDENCED" });
    expect(soc2.integrity).toMatchObject({ valid: true, unsealed: 0, problems: [] });
    const iso = await server.admin.request("GET /compliance/reports/iso27001");
    expect(iso.period.days).toBe(730);
    expect(iso.controls.find(({ id }) => id === "A.8.32")).toMatchObject({ evidence_count: 2 });
  });

  test("report missing evidence", async () => {
    const { controls } = await server.admin.request("GET /compliance/reports/soc2");
    expect(controls.find(({ id }) => id === "P4.3")).toMatchObject({ evidence_count: 0, status: "NO_EVIDENCE" });
  });
});

describe("the export", () => {
  test("as JSON contains the whole trail, including itself", async () => {
    await createFlag("f");
    const { items, through } = JSON.parse((await get("/api/v1/compliance/export")).text);
    expect(items.at(-1).sequence).toBe(through);
    const { items: entries } = await server.admin.request("GET /audit-logs", {
      query: { action: "compliance.export" },
    });
    expect(entries[0]).toMatchObject({ new_value: { format: "json", entries: items.length } });
  });

  test("as CSV neutralizes cells that a spreadsheet would run", async () => {
    for (const [index, sign] of ["=", "+", "-", "@", "\t"].entries()) {
      await createFlag(`f${index}`, { name: `${sign}cmd|'/c calc'!A1` });
    }
    const reason = '=HYPERLINK("http://x","y")\nsecond line, "quoted"';
    await server.send("GET", "/users/me", {
      headers: { "user-agent": reason.split("\n")[0]!, authorization: "Bearer x" },
    });
    const { text, headers } = await get("/api/v1/compliance/export?format=csv");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const rows: Record<string, string>[] = parseCsv(text);
    for (const row of rows) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
    expect(rows.some(({ user_agent }) => user_agent?.startsWith("'=HYPERLINK"))).toBe(true);
  });

  test("is split into signed parts of at most 10 MB with links", async () => {
    const users = (round: number) => Array.from({ length: 900 }, (_, index) => `${round}-${index}`.padEnd(500, "x"));
    await createFlag("f");
    for (let round = 0; round < 15; round++) {
      const body = { targeting_rules: { included_users: users(round) } };
      await server.admin.request("PUT /feature-flags/{id}", { params: { id: "f" }, body });
    }
    for (const format of ["json", "csv"]) {
      const sequences: number[] = [];
      let parts = 0;
      for (let next: string | undefined = `/api/v1/compliance/export?format=${format}`; next; parts++) {
        const { text, headers } = await get(next);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10 * 1_048_576);
        expect(headers.get("x-audit-signature")).toBe(`sha256=${hmac(text)}`);
        const rows: { sequence?: number | string }[] = format === "json" ? JSON.parse(text).items : parseCsv(text);
        sequences.push(...rows.map(({ sequence }) => Number(sequence)));
        next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
      }
      expect(parts).toBeGreaterThan(1);
      expect(sequences).toEqual(Array.from({ length: sequences.length }, (_, index) => index + 1));
    }
  });

  test.each(["xml", "JSON", ""])("rejects the format %j", async (format) => {
    expect((await get(`/api/v1/compliance/export?format=${format}`)).status).toBe(422);
  });
});

test("ANALYST reads events; reports and exports are for ADMIN", async () => {
  const paths = ["/compliance/reports/soc2", "/compliance/reports/iso27001", "/compliance/export"] as const;
  const analyst = await server.as("ANALYST");
  await analyst.request("GET /compliance/audit-events");
  const viewer = await server.as("VIEWER");
  expect(await refusal(viewer.request("GET /compliance/audit-events"))).toMatchObject({ status: 403 });
  const admin = await server.as("ADMIN");
  const developer = await server.as("DEVELOPER");
  for (const path of paths) {
    await admin.request(`GET ${path}`);
    for (const client of [viewer, analyst, developer]) {
      expect(await refusal(client.request(`GET ${path}`))).toMatchObject({ status: 403 });
    }
    expect(await refusal((await server.withKey(["admin"])).request(`GET ${path}`))).toMatchObject({ status: 401 });
  }
});

test("the trail contains no secret of any area", async () => {
  const { username } = await server.as("DEVELOPER");
  const login = await server.send("POST", "/auth/login", { body: { username, password: "a-password-of-tests" } });
  const { access_token, refresh_token } = login.json;
  const refreshed = await server.send("POST", "/auth/refresh", { body: { refresh_token } });
  const { key } = await server.withKey(["read", "write", "admin"]);
  await server.connect({ apiKey: key }).request("GET /feature-flags/");
  await server.send("GET", "/users/me", { headers: { authorization: `Bearer ${access_token}x` } });
  await server.send("GET", "/feature-flags/", { headers: { "x-api-key": `${key}x` } });
  const signup = { username: "newcomer", password: "a secret nobody knows", email: "new@example.org" };
  await server.send("POST", "/auth/signup", { body: { ...signup, given_name: "New", family_name: "Comer" } });
  const config = { base_url: "https://tracker.example", username: "bot", api_token: "a token of the tracker" };
  const integration = { name: "Tracker", integration_type: "TRACKER" as const, description: "" };
  const { id } = await server.admin.request("POST /integrations", {
    body: { ...integration, config: { ...config, webhook_token: "a-token-of-webhooks" } },
  });
  const params = { id };
  await server.admin.request("PUT /integrations/{id}", {
    params,
    body: { config: { webhook_secret: "a new secret" } },
  });
  await server.send("POST", `/integrations/${id}/webhook/tracker?token=a-wrong-token`, { body: {} });
  const { text } = await get("/api/v1/compliance/export");
  const secrets = [
    config.api_token,
    "a-token-of-webhooks",
    "a new secret",
    "a-wrong-token",
    ADMIN.password,
    "a-password-of-tests",
    signup.password,
    access_token,
    refresh_token.split(".").at(-1),
    refreshed.json.access_token,
    key.split("_").slice(2).join("_"),
    sha256(key.split("_").slice(2).join("_")),
    KEY,
  ];
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/password_hash|secret_hash|spent_hashes|scrypt\$|code_hash|s1\.[\w-]{8}\./);
});

/** Parses CSV (RFC 4180) with a header line. */
function parseCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    const row = rows.at(-1) ?? rows[rows.push([]) - 1]!;
    row.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === "\r\n") rows.push([]);
  }
  const [header = [], ...lines] = rows.slice(0, -1);
  return lines.map((line) => {
    expect(line).toHaveLength(header.length);
    return Object.fromEntries(header.map((name, column) => [name, line[column]!]));
  });
}

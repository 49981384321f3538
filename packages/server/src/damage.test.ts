import { type Area, contract, parseRouteKey, type Route, type RouteKey } from "@assay/contract";
import { createStorage, type Storage } from "unstorage";
import { beforeAll, expect, test } from "vitest";
import { silentLogger } from "./ground/runtime.ts";
import { ADMIN, createTestServer, ORIGIN, type TestServer } from "./testing.fixture.ts";

/** The items of a storage by name, after a server has stored something of every kind. */
const items = new Map<string, string>();

beforeAll(async () => {
  const storage = createStorage();
  await fill(await createTestServer({ storage }));
  for (const key of await storage.getKeys()) items.set(key, String(await storage.getItem(key)));
});

async function fill(server: TestServer): Promise<void> {
  const { admin } = server;
  for (const key of ["one", "two"]) {
    await admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE" } });
    const variants = [{ key: "control", is_control: true }, { key: "treatment" }];
    await admin.request("POST /experiments/", { body: { key, name: key, status: "ACTIVE", variants } });
    const conditions = { attribute: "plan", operator: "EQUALS" as const, value: "pro" };
    await admin.request("POST /segments", { body: { name: key, conditions } });
  }
  await admin.request("POST /mutual-exclusion-groups", { body: { name: "group" } });
  await server.as("DEVELOPER", "ada");
  const key = await server.withKey(["read", "write", "admin"]);
  const exposures = ["control", "treatment"].map((variant_id) => ({
    ...{ event_type: "exposure", user_id: variant_id, experiment_id: "one", variant_id },
  }));
  await key.request("POST /tracking/events", { body: { events: exposures } });
  await server.runJob("results-snapshot");
  await server.assay.close();
}

/**
 * Returns the kind of an item, such as `feature-flags/doc` for a flag. Journals, heads and leases are kinds by name.
 */
function kindOf(key: string): string {
  const [, kind = "", ...parts] = key.split(/[:,@]+/);
  return kind === "entries" ? parts.slice(0, 2).join("/") : `${kind} ${parts[0]}`;
}

/** Returns the last item of each kind. The first one may be the account or session of the administrator. */
const kinds = () => new Map([...items.keys()].sort().map((key) => [kindOf(key), key]));

async function damagedCopy(damaged: readonly string[]): Promise<Storage> {
  const storage = createStorage();
  for (const [key, text] of items) await storage.setItem(key, text);
  for (const key of damaged) {
    const text = items.get(key)!.trimEnd();
    await storage.setItem(key, `${text.slice(0, -1)}${text.endsWith("x") ? "y" : "x"}\n`);
  }
  return storage;
}

const reads = (Object.entries(contract as Area) as [RouteKey, Route][]).filter(
  ([key, { produces }]) => key.startsWith("GET ") && !produces,
);

/** Requests every route that reads, with `one` for each parameter. Returns the statuses by route. */
async function readAll(server: TestServer): Promise<Map<string, number>> {
  const { access_token } = await server.anonymous.request("POST /auth/login", { body: ADMIN });
  const headers = { authorization: `Bearer ${access_token}` };
  const statuses = new Map<string, number>();
  for (const [key] of reads) {
    const [, path] = parseRouteKey(key);
    const { status } = await server.send("GET", path.replace(/\{\w+\}/g, "one"), { headers });
    statuses.set(key, status);
  }
  return statuses;
}

/** Starts a server on a filled store with these items damaged, and collects its error log. */
async function startDamaged(damaged: readonly string[]) {
  const logged: { text: string; key?: string }[] = [];
  const logger = { ...silentLogger, error: (text: string, fields?: object) => logged.push({ text, ...fields }) };
  const server = await createTestServer({ storage: await damagedCopy(damaged), logger });
  const evaluate = (key: string) => server.assay.engine.evaluate(key, { targetingKey: "u" }, null);
  const readyz = async () => {
    const answer = await server.assay.fetch(new Request(`${ORIGIN}/readyz`));
    const { quarantined } = (await answer.json()) as { quarantined: { key: string }[] };
    return { status: answer.status, quarantined: quarantined.map(({ key }) => key) };
  };
  return { server, logged, evaluate, readyz };
}

test("damage to a record of any kind is isolated: the server starts, reports it and answers", async () => {
  const damaged = kinds();
  expect(damaged.size).toBeGreaterThan(25);
  const { server, logged, evaluate, readyz } = await startDamaged([...damaged.values()]);
  const statuses = await readAll(server);
  expect([...statuses].filter(([, status]) => status >= 500)).toEqual([]);
  // One of two items of a kind is damaged. The other is unchanged.
  expect(evaluate("one")).toMatchObject({ value: true });
  expect(evaluate("two")).toMatchObject({ error_code: "FLAG_NOT_FOUND" });
  const lost = ["feature-flags/doc", "experiments/doc", "segments/doc", "users/doc", "events#1"];
  const { status, quarantined } = await readyz();
  expect(status).toBe(200);
  for (const kind of lost) {
    expect(quarantined).toContainEqual(expect.stringContaining(kind));
    const text = "A damaged record was set aside";
    expect(logged.filter((line) => line.text === text && line.key?.includes(kind))).toHaveLength(1);
  }
  await server.assay.close();
});

test("reports a damaged flag until it is created again", async () => {
  const flag = kinds().get("feature-flags/doc")!;
  const { server, readyz } = await startDamaged([flag]);
  expect(await readyz()).toMatchObject({ status: 200, quarantined: [expect.stringContaining("feature-flags/doc")] });
  await server.admin.request("POST /feature-flags/", { body: { key: "three", name: "Three", status: "ACTIVE" } });
  expect((await readyz()).quarantined).toHaveLength(1);
  await server.assay.close();
});

test("a damaged record of the only administrator is created again at the start", async () => {
  // The other user is a DEVELOPER.
  const users = [...items.keys()].filter((key) => kindOf(key) === "users/doc");
  const [administrator] = users.filter((key) => items.get(key)!.includes('"username":"admin"'));
  const { server, readyz } = await startDamaged([administrator!]);
  expect(await server.admin.request("GET /users/me")).toMatchObject({ username: "admin", role: "admin" });
  expect((await server.admin.request("GET /users/")).total).toBe(users.length);
  expect((await readyz()).quarantined).toEqual([expect.stringContaining("users/doc")]);
  await server.assay.close();
});

test("results report damaged events, only for experiments that may have had them", async () => {
  const { server } = await startDamaged([kinds().get("journals events")!]);
  const key = await server.withKey(["write"]);
  const track = (experiment_id: string) =>
    key.request("POST /tracking/events", {
      body: { events: [{ event_type: "purchase", user_id: "control", experiment_id, value: 1 }] },
    });
  server.advance(60_000);
  await track("one");
  server.advance(60_000);
  const variants = [{ key: "control", is_control: true }, { key: "treatment" }];
  await server.admin.request("POST /experiments/", { body: { key: "later", name: "L", status: "ACTIVE", variants } });
  await track("later");
  const warningsOf = async (experiment_id: string) =>
    (await server.admin.request("GET /results/{experiment_id}", { params: { experiment_id } })).analysis_warnings;
  expect(await warningsOf("one")).toContain("EVENTS_DAMAGED");
  expect(await warningsOf("later")).not.toContain("EVENTS_DAMAGED");
  await server.assay.close();
});

test("the chain of the audit trail continues after its last seal if its head is damaged", async () => {
  const { server } = await startDamaged([kinds().get("audit/head")!]);
  const integrity = async () => (await server.admin.request("GET /compliance/reports/soc2")).integrity;
  const before = await integrity();
  await server.admin.request("POST /feature-flags/", { body: { key: "three", name: "Three" } });
  expect(await integrity()).toMatchObject({ valid: true, problems: [], unsealed: 0 });
  expect((await integrity()).checked).toBeGreaterThan(before.checked);
  await server.assay.close();
});

test("seals the last entry again if its seal and the head are damaged", async () => {
  const { server } = await startDamaged([kinds().get("audit/head")!, kinds().get("journals audit-seals")!]);
  for (const key of ["three", "four"]) {
    await server.admin.request("POST /feature-flags/", { body: { key, name: key } });
    const { integrity } = await server.admin.request("GET /compliance/reports/soc2");
    expect(integrity).toMatchObject({ valid: true, problems: [], unsealed: 0 });
  }
  await server.assay.close();
});

test("verification reports a damaged seal in the chain", async () => {
  const { server } = await startDamaged([kinds().get("journals audit-seals")!]);
  await server.admin.request("POST /feature-flags/", { body: { key: "three", name: "Three" } });
  const { integrity } = await server.admin.request("GET /compliance/reports/soc2");
  expect(integrity.valid).toBe(false);
  expect(integrity.problems).toContainEqual(
    expect.objectContaining({ kind: "REMOVED", detail: "The seal is missing" }),
  );
  await server.assay.close();
});

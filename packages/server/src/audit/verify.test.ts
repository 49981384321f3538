import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../testing.fixture.ts";
import type { AuditHead } from "./chain.ts";
import { redactAudit } from "./redact.ts";
import { HEAD_KEY } from "./sealer.ts";
import { verifyAudit } from "./verify.ts";

let storage: Store;
let server: TestServer;
let anchored: AuditHead[];

beforeEach(async () => {
  storage = { ...memoryStore(), close: async () => {} };
  anchored = [];
  server = await createTestServer({
    storage,
    audit: {
      anchor: (head) => {
        anchored.push(head);
      },
    },
  });
  for (let index = 0; index < 20; index++) {
    await server.admin.request("POST /feature-flags/", { body: { key: `f${index}`, name: "F" } });
  }
  await server.assay.close();
});
afterEach(() => server.assay.close());

const rewrite = (position: number, record: Uint8Array, journal = "audit") =>
  storage.batch([{ type: "rewrite", journal, position, record }]);
const recordAt = async (position: number, journal = "audit") =>
  (await storage.read(journal, position - 1, 1))[0]!.record;
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const decode = (record: Uint8Array) => JSON.parse(new TextDecoder().decode(record));
const kinds = async (store: Store = storage, options = {}) =>
  (await verifyAudit(store, options)).problems.map(({ sequence, kind }) => `${sequence} ${kind}`);

/** Copies a store as if someone had tampered with its files: some records of its journals are missing. */
async function copyWithout(gone: { audit?: (position: number) => boolean; seals?: (position: number) => boolean }) {
  const copy = memoryStore();
  for (const [journal, isGone] of [
    ["audit", gone.audit],
    ["audit-seals", gone.seals],
  ] as const) {
    const records = (await storage.read(journal, 0, 1000)).filter(({ position }) => !isGone?.(position));
    await copy.batch([{ type: "append", journal, records: records.map(({ record }) => record) }]);
  }
  for (const { key, value } of await storage.list("audit/")) await copy.batch([{ type: "put", key, value }]);
  return copy;
}

test("an intact trail is valid, and completely sealed when the server has closed", async () => {
  const integrity = await verifyAudit(storage);
  const head = await storage.head("audit");
  expect(integrity).toMatchObject({ valid: true, checked: head, unsealed: 0, redacted: 0, problems: [] });
  expect(integrity.head).toMatchObject({ sequence: head });
});

test("the chain continues after a restart", async () => {
  server = await createTestServer({ storage });
  await server.admin.request("POST /feature-flags/", { body: { key: "later", name: "Later" } });
  await server.assay.close();
  expect(await verifyAudit(storage)).toMatchObject({ valid: true, checked: await storage.head("audit") });
});

describe("verification finds", () => {
  test.each([
    ["who did it", { actor_id: "somebody else" }, "actor"],
    ["what was done", { action: "feature_flag.delete" }, "event"],
    ["when", { timestamp: "2020-01-01T00:00:00.000Z" }, "event"],
    ["to what", { resource_id: "another" }, "resource"],
    ["with what value", { new_value: { name: "Forged" } }, "values"],
  ])("an entry changed in %s", async (_what, change, part) => {
    await rewrite(10, encode({ ...decode(await recordAt(10)), ...change }));
    expect((await verifyAudit(storage)).problems).toEqual([
      { sequence: 10, kind: "CHANGED", detail: `Changed: ${part}` },
    ]);
  });

  test("entries in a changed order", async () => {
    const [one, other] = [await recordAt(10), await recordAt(12)];
    await rewrite(10, other);
    await rewrite(12, one);
    expect(await kinds()).toEqual(["10 REORDERED", "12 REORDERED"]);
  });

  test("a replaced entry", async () => {
    await rewrite(10, await recordAt(11));
    expect(await kinds()).toEqual(["10 REMOVED"]);
  });

  test("a removed entry", async () => {
    const found = await kinds(await copyWithout({ audit: (position) => position === 10 }));
    expect(found[0]).toBe("10 REMOVED");
    const rest = await kinds(await copyWithout({ audit: (position) => position === 10, seals: (at) => at === 10 }));
    expect(rest).toContain("11 FORGED");
  });

  test("a trimmed beginning", async () => {
    await storage.batch([{ type: "trim", journal: "audit", through: 3 }]);
    expect(await kinds()).toEqual(["1 REMOVED", "2 REMOVED", "3 REMOVED"]);
  });

  test("a removed end, with its seals", async () => {
    const head = await storage.head("audit");
    const isTail = (position: number) => position > head - 2;
    expect(await kinds(await copyWithout({ audit: isTail }))).toEqual([`${head - 1} CUT_OFF`, `${head} CUT_OFF`]);
    expect(await kinds(await copyWithout({ audit: isTail, seals: isTail }))).toEqual([`${head} CUT_OFF`]);
  });

  test("a removed seal", async () => {
    const copy = await copyWithout({ seals: (position) => position === 10 });
    expect((await verifyAudit(copy)).problems).toContainEqual({
      sequence: 10,
      kind: "REMOVED",
      detail: "The seal is missing",
    });
  });

  test("a removed head", async () => {
    const head = await storage.head("audit");
    await storage.batch([{ type: "delete", key: HEAD_KEY }]);
    expect((await verifyAudit(storage)).problems).toEqual([
      { sequence: head, kind: "CUT_OFF", detail: "The head is missing" },
    ]);
  });

  test("a head that names another seal", async () => {
    const head = decode((await storage.get(HEAD_KEY))!.value);
    await storage.batch([{ type: "put", key: HEAD_KEY, value: encode({ ...head, hash: "0".repeat(64) }) }]);
    expect((await verifyAudit(storage)).problems).toEqual([
      { sequence: head.sequence, kind: "FORGED", detail: "The last seal is not the one that the head names" },
    ]);
  });

  test("a removed end together with the head, by the anchor", async () => {
    const head = await storage.head("audit");
    const isTail = (position: number) => position > head - 2;
    const copy = await copyWithout({ audit: isTail, seals: isTail });
    const last = decode((await copy.read("audit-seals", head - 3, 1))[0]!.record);
    await copy.batch([{ type: "put", key: "audit/head", value: encode({ ...last, parts: undefined, id: undefined }) }]);
    expect(await kinds(copy)).toEqual([]);
    const anchor = anchored.at(-1)!;
    expect(anchor.sequence).toBe(head);
    expect(await kinds(copy, { anchor })).toEqual([`${head} CUT_OFF`]);
    expect(await kinds(storage, { anchor })).toEqual([]);
    expect(await kinds(storage, { anchor: { sequence: 5, hash: "0".repeat(64) } })).toEqual(["5 FORGED"]);
  });

  test("a seal without the key", async () => {
    const seal = decode(await recordAt(10, "audit-seals"));
    await rewrite(10, encode({ ...seal, signature: "0".repeat(64) }), "audit-seals");
    expect(await kinds()).toEqual(["10 FORGED"]);
    await rewrite(10, encode({ ...seal, hash: "0".repeat(64) }), "audit-seals");
    expect(new Set(await kinds())).toEqual(new Set(["10 FORGED", "11 FORGED"]));
  });
});

test("a redacted part leaves the trail valid and is reported", async () => {
  const redaction = { sequence: 10, parts: ["actor", "values"] as const, reason: "Erasure request", now: 0, id: "r" };
  await redactAudit(storage, { ...redaction, parts: [...redaction.parts] });
  expect(await verifyAudit(storage)).toMatchObject({ valid: true, redacted: 1, unsealed: 1 });
  server = await createTestServer({ storage });
  const { items } = await server.admin.request("GET /compliance/audit-events", { query: { page_size: 500 } });
  const entry = items.find(({ sequence }) => sequence === 10)!;
  expect(entry).toMatchObject({ actor_id: null, new_value: null, redacted: ["actor", "values"] });
  expect(entry.part_hashes).toEqual({
    actor: expect.stringMatching(/^[0-9a-f]{64}$/),
    values: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(items.find(({ action }) => action === "audit.redact")).toMatchObject({ reason: "Erasure request" });
  await rewrite(10, encode({ ...decode(await recordAt(10)), action: "nothing.happened" }));
  expect(await kinds()).toEqual(["10 CHANGED"]);
  await expect(redactAudit(storage, { ...redaction, parts: ["actor"], sequence: 9999 })).rejects.toThrow(
    "Entry 9999 does not exist",
  );
});

test("a second redaction of an entry keeps the first one", async () => {
  for (const part of ["actor", "values"] as const) {
    await redactAudit(storage, { sequence: 10, parts: [part], reason: "Asked", now: 0, id: part });
  }
  const { redacted, actor_id, new_value } = decode(await recordAt(10));
  expect({ redacted, actor_id, new_value }).toEqual({ redacted: ["actor", "values"], actor_id: null, new_value: null });
  expect(await kinds()).toEqual([]);
});

test("refuses to redact an entry that is not sealed yet", async () => {
  await storage.batch([{ type: "append", journal: "audit", records: [await recordAt(10)] }]);
  const redaction = { sequence: await storage.head("audit"), reason: "Asked", now: 0, id: "r" };
  await expect(redactAudit(storage, { ...redaction, parts: ["values"] })).rejects.toThrow("is not sealed yet");
  expect(decode(await recordAt(redaction.sequence))).toEqual(decode(await recordAt(10)));
});

test("an entry that cannot be read when it is sealed gets a seal, so later ones keep their positions", async () => {
  const hidden = (await storage.head("audit")) + 2;
  const read: Store["read"] = async (journal, ...rest) =>
    (await storage.read(journal, ...rest)).filter(({ position }) => journal !== "audit" || position !== hidden);
  server = await createTestServer({ storage: { ...storage, read } });
  for (const key of ["one", "two", "three"]) {
    await server.admin.request("POST /feature-flags/", { body: { key, name: "F" } });
  }
  await server.assay.close();
  const integrity = await verifyAudit({ ...storage, read });
  expect(integrity).toMatchObject({ valid: true, unsealed: 0, checked: integrity.head!.sequence - 1 });
});

test.each<[string, (inner: Store) => Partial<Store>]>([
  [
    "has lost its lease",
    (inner) => ({
      async lease(name, holder, ttlMs) {
        const lease = await inner.lease(name, holder, ttlMs);
        if (name === "audit-sealer") await inner.release(name, holder);
        return lease;
      },
    }),
  ],
  [
    "has read a head that another node has replaced",
    (inner) => ({
      async get(key) {
        const entry = await inner.get(key);
        return entry && key === HEAD_KEY ? { ...entry, version: entry.version - 1 } : entry;
      },
    }),
  ],
])("a node that %s seals nothing", async (_, changed) => {
  const before = await storage.head("audit-seals");
  server = await createTestServer({ storage: { ...storage, ...changed(storage) } });
  await server.admin.request("POST /feature-flags/", { body: { key: "later", name: "Later" } });
  await server.assay.close();
  expect(await storage.head("audit")).toBeGreaterThan(before);
  expect(await storage.head("audit-seals")).toBe(before);
});

test("a server's own key is required to check its signatures", async () => {
  const key = "a secret of the operations team, 32+";
  const other = { ...memoryStore(), close: async () => {} };
  server = await createTestServer({ storage: other, audit: { key } });
  await server.assay.close();
  expect(await verifyAudit(other, { key })).toMatchObject({ valid: true });
  expect((await verifyAudit(other)).problems[0]).toMatchObject({ kind: "UNKNOWN_KEY" });
  expect((await verifyAudit(other, { key: `${key}!` })).valid).toBe(false);
});

test("rejects a key of less than 32 characters", async () => {
  await expect(createTestServer({ audit: { key: "x".repeat(31) } })).rejects.toThrow("at least 32 characters");
  server = await createTestServer({ audit: { key: "x".repeat(32) } });
});

test("a failing anchor adds a log line and fails no request", async () => {
  const errors: string[] = [];
  const logger = { info() {}, warn() {}, error: (message: string) => errors.push(message) };
  server = await createTestServer({
    logger,
    audit: {
      anchor() {
        throw new Error("no network");
      },
    },
  });
  await server.admin.request("GET /compliance/audit-events");
  expect(errors).toContain("The audit head could not be anchored");
});

test("two nodes on one store write one chain", async () => {
  const nodes = await Promise.all([createTestServer({ storage }), createTestServer({ storage })]);
  await Promise.all(
    nodes.flatMap((node, at) =>
      Array.from({ length: 20 }, (_, index) =>
        node.admin.request("POST /feature-flags/", { body: { key: `n${at}-${index}`, name: "N" } }),
      ),
    ),
  );
  await Promise.all(nodes.map((node) => node.admin.request("GET /compliance/audit-events")));
  for (const node of nodes) await node.assay.close();
  expect(await verifyAudit(storage)).toMatchObject({ valid: true, unsealed: 0 });
});

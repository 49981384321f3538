import { expect, test } from "vitest";
import { createTestServer } from "../../testing.fixture.ts";

const metadata = { team: "checkout", cost: 1.5, reviewed: true };

test("the metadata of a flag is in its definition, its program and OFREP, beside that of the evaluation", async () => {
  const { admin, assay } = await createTestServer();
  const body = { key: "banner", name: "Banner", status: "ACTIVE", metadata } as const;
  expect(await admin.request("POST /feature-flags/", { body })).toMatchObject({ metadata });
  const { key } = await admin.request("POST /api-keys", { body: { name: "server" } });
  const headers = { "x-api-key": key!, "content-type": "application/json" };
  const ask = async (path: string, init: RequestInit = {}) =>
    (
      await assay.fetch(new Request(`http://assay.test${path}`, { ...init, headers: { ...headers, ...init.headers } }))
    ).json();
  const accept = "application/vnd.assay.program+json";
  expect(await ask("/api/v1/openfeature/flags")).toMatchObject({ flags: [{ metadata }] });
  expect(await ask("/api/v1/openfeature/flags", { headers: { accept } })).toMatchObject({ flags: [{ metadata }] });
  const question = { method: "POST", body: JSON.stringify({ context: { targetingKey: "ada" } }) };
  const answer = { key: "banner", metadata: { ...metadata, evaluationReason: "STATIC", version: 1 } };
  expect(await ask("/ofrep/v1/evaluate/flags/banner", question)).toMatchObject(answer);
  expect(await ask("/ofrep/v1/evaluate/flags", question)).toMatchObject({ flags: [answer] });
  const cleared = await admin.request("PUT /feature-flags/{id}", {
    params: { id: "banner" },
    body: { metadata: null },
  });
  expect(cleared.metadata).toEqual({});
  const { flags } = (await ask("/api/v1/openfeature/flags")) as { flags: object[] };
  expect(flags[0]).not.toHaveProperty("metadata");
  await assay.close();
});

const entries = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index]));

test.each<[string, Record<string, unknown>, number]>([
  ["50 entries", entries(50), 201],
  ["51 entries", entries(51), 422],
  ["a name of 100 characters", { ["m".repeat(100)]: 1 }, 201],
  ["a name of 101 characters", { ["m".repeat(101)]: 1 }, 422],
  ["an empty name", { "": 1 }, 422],
  ["a text of 1,000 characters", { team: "x".repeat(1_000) }, 201],
  ["a text of 1,001 characters", { team: "x".repeat(1_001) }, 422],
  ["an object", { team: {} }, 422],
  ["null", { team: null }, 422],
  ...["cacheReason", "evaluationReason", "flagSetId", "forced", "ruleId", "version"].map(
    (name): [string, Record<string, unknown>, number] => [`the reserved name ${name}`, { [name]: "mine" }, 422],
  ),
])("metadata with %s", async (_, given, status) => {
  const { admin, assay } = await createTestServer();
  const body = { key: "banner", name: "Banner", metadata: given as typeof metadata };
  const creating = admin.request("POST /feature-flags/", { body }).then(
    () => 201,
    ({ status }) => status,
  );
  expect(await creating).toBe(status);
  await assay.close();
});

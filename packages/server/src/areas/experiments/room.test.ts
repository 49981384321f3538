import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

test("rejects the start of a draft that would make all definitions together too large", async () => {
  const variants = Array.from({ length: 50 }, (_, index) => ({ key: `v${index}`, configuration: "x".repeat(20_000) }));
  const body = { key: "first", name: "First", variants };
  await server.admin.request("POST /experiments/", { body });
  const keys = Array.from({ length: 11 }, (_, index) => `copy-${index}`);
  for (const key of keys) {
    const params = { experiment_id: "first" };
    await server.admin.request("POST /experiments/{experiment_id}/clone", { params, body: { key, name: key } });
  }
  const start = (experiment_id: string) =>
    server.admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id } });
  for (const key of keys.slice(0, 10)) await start(key);
  expect(await refusal(start(keys[10]!))).toMatchObject({
    status: 413,
    detail: expect.stringContaining("All definitions together"),
  });
  const reader = await server.withKey(["read"]);
  const { experiments } = (await reader.request("GET /openfeature/flags")) as { experiments: unknown[] };
  expect(experiments).toHaveLength(10);
  // Running experiments may pause and continue.
  const params = { experiment_id: keys[0]! };
  await server.admin.request("POST /experiments/{experiment_id}/pause", { params });
  expect(await start(keys[0]!)).toMatchObject({ status: "ACTIVE" });
}, 30_000);

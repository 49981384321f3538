import { createClient } from "@assay/client";
import { afterEach, describe, expect, test, vi } from "vitest";
import { hasClickHouse, startClickHouse } from "../../../server/src/areas/warehouse/clickhouse.fixture.ts";
import { run, serve, stopAll } from "../cli.fixture.ts";

afterEach(stopAll);

const EXPERIMENT = { key: "checkout", name: "Checkout", variants: [{ key: "a" }, { key: "b" }] };

describe.runIf(hasClickHouse)("assay serve --events clickhouse://…", () => {
  test("answers results from ClickHouse", async () => {
    const clickhouse = await startClickHouse();
    const address = `clickhouse://reader:hunter2@127.0.0.1:${clickhouse.connection.port}/default`;
    const node = await serve(["--storage", "memory"], { ASSAY_EVENTS: address });
    const { admin } = node;
    await admin.request("POST /experiments/", { body: { ...EXPERIMENT, status: "ACTIVE" } });
    const { key } = await admin.request("POST /api-keys", { body: { name: "app", scopes: ["write"] } });
    const writer = createClient({ baseUrl: node.url, apiKey: key! });
    const exposure = { event_type: "exposure", experiment_id: "checkout", variant_id: "b", user_id: "ada" };
    await writer.request("POST /tracking/track", { body: exposure });
    const params = { experiment_id: "checkout" };
    const { sample_size } = await admin.request("GET /results/{experiment_id}", { params });
    expect(sample_size).toEqual({ control: 0, treatment: 1 });
    const rows = await clickhouse.client.query({
      query: "SELECT user_id FROM assay_events WHERE kind = 'event'",
      format: "JSONEachRow",
    });
    expect(await rows.json()).toEqual([{ user_id: "ada" }]);
    expect(node.output()).not.toContain("hunter2");
    await clickhouse.stop();
  });

  test("does not start with a wrong password, which it does not show", async () => {
    const clickhouse = await startClickHouse();
    const address = `clickhouse://reader:opensesame@127.0.0.1:${clickhouse.connection.port}/default`;
    const { code, output } = await run(["serve", "--storage", "memory", "--port", "0", "--events", address]);
    expect(code).not.toBe(0);
    expect(output).toContain("Cannot start: ClickHouse refuses the username or password");
    expect(output).not.toContain("opensesame");
    await clickhouse.stop();
  });
});

test("a server starts while ClickHouse is away, and says so without the password", async () => {
  const node = await serve(["--storage", "memory"], { ASSAY_EVENTS: "clickhouse://user:opensesame@127.0.0.1:9/assay" });
  await vi.waitFor(() => expect(node.output()).toContain("ClickHouse is not available; results wait for it"));
  const { events } = (await (await fetch(`${node.url}/readyz`)).json()) as { events: object };
  expect(events).toMatchObject({ engine: "ClickHouse", reason: "ClickHouse does not answer (ECONNREFUSED)" });
  expect(node.output()).not.toContain("opensesame");
});

test.each([
  ["mysql://user:opensesame@host/db", "--events must be clickhouse://USER:PASSWORD@HOST:PORT/DATABASE"],
  ["clickhouse://user:opensesame@[", "--events must be clickhouse://USER:PASSWORD@HOST:PORT/DATABASE"],
  ["clickhouse://user:opensesame@host", "--events must be clickhouse://USER:PASSWORD@HOST:PORT/DATABASE"],
  ["clickhouse://user:opensesame@host/db?replica=1", 'cluster and replicated, not "replica"'],
  ["clickhouse://user:opensesame@host/db?replicated=yes", 'replicated in --events must be true or false, not "yes"'],
  ["clickhouse://user:opensesame%zz@host/db", "write %25 for a %"],
])("the address %s is refused with a sentence, without the password", async (address, sentence) => {
  const { code, output } = await run(["serve", "--storage", "memory", "--port", "0", "--events", address]);
  expect(output).toContain(sentence);
  expect(output).not.toContain("opensesame");
  expect(code).not.toBe(0);
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient as createAssayClient } from "@assay/client";
import { lmdbStore } from "@assay/lmdb";
import { createAssay } from "@assay/server";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { describe, expect, test } from "vitest";
import { hasClickHouse, startClickHouse } from "../../server/src/areas/warehouse/clickhouse.fixture.ts";
import { RUN_TYPESCRIPT } from "../../workspace/src/typescript.fixture.ts";
import { clickhouseEvents } from "./clickhouse-events.ts";
import { startProxy } from "./proxy.fixture.ts";

const CHILD = fileURLToPath(new URL("./shipping.child.ts", import.meta.url));
const ROUNDS = 20;
const ADMIN = { username: "admin", password: "correct horse battery" };

describe.runIf(hasClickHouse)("a server that copies events to ClickHouse", () => {
  test(`loses none and counts none twice, killed ${ROUNDS} times before, within and after an insert`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-shipping-"));
    const clickhouse = await startClickHouse();
    const proxy = await startProxy(clickhouse.connection.port);
    const acknowledged = new Set<number>();
    let next = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const args = [...RUN_TYPESCRIPT, CHILD, folder, proxy.url, String(next)];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      let printed = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
      });
      // Of the inserts, the first is of events, the next of the position reached, and so on.
      const fatal = 1 + (round % 7);
      let inserts = 0;
      proxy.decide((sql) => {
        if (!/^INSERT INTO .assay_events/.test(sql) || ++inserts < fatal) return "PASS";
        const isBefore = round % 3 === 0;
        if (isBefore) child.kill("SIGKILL");
        else setTimeout(() => child.kill("SIGKILL"), round % 3);
        return isBefore ? "DOWN" : "LOST";
      });
      await once(child, "close");
      // A number whose line was cut off was not acknowledged to anyone.
      for (const line of printed.split("\n").slice(0, -1)) acknowledged.add(Number(line));
      // Clients send what was not acknowledged again, and some that was.
      next = Math.max(0, Math.max(0, ...acknowledged) - 3);
    }
    proxy.decide(() => "PASS");
    const client = createClient({
      url: proxy.url,
      username: "reader",
      password: "hunter2",
      log: { level: ClickHouseLogLevel.OFF },
    });
    const storage = lmdbStore({ path: folder });
    const silent = { info() {}, warn() {}, error() {} };
    const assay = createAssay({ storage, events: clickhouseEvents({ client }), rateLimit: false, logger: silent });
    const fetch: typeof globalThis.fetch = (input, init) => assay.fetch(new Request(input, init));
    const admin = createAssayClient({ baseUrl: "http://assay.test", fetch, ...ADMIN });
    const { sample_size } = await admin.request("GET /results/{experiment_id}", { params: { experiment_id: "crash" } });
    const answer = await clickhouse.client.query({
      query: "SELECT event_id FROM assay_events FINAL WHERE kind = 'event'",
      format: "JSONEachRow",
    });
    const ids = (await answer.json<{ event_id: string }>()).map(({ event_id }) => event_id);
    await assay.close();
    await proxy.stop();
    await clickhouse.stop();
    await rm(folder, { recursive: true });
    expect(new Set(ids).size).toBe(ids.length);
    expect(acknowledged.size).toBeGreaterThan(ROUNDS);
    for (const number of acknowledged) expect(ids).toContain(`event-${number}`);
    expect(sample_size.control + sample_size.treatment).toBe(ids.length);
  }, 600_000);
});

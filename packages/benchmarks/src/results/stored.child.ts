/**
 * Assay on LMDB with many events, in a separate process: `fill FOLDER EVENTS EXPERIMENTS` stores them and stops cleanly;
 * `serve FOLDER` starts again, asks for the results of the first experiment once and serves.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@assay/client";
import { lmdbStore } from "@assay/lmdb";
import { createAssay } from "@assay/server";
import { ADMIN, EXPERIMENT, RESULTS } from "../http/cases.ts";
import { serve } from "../http/serve.ts";

const BATCH = 1_000;
const WRITERS = 8;
const [mode, folder = "", count = "0", experiments = "1"] = process.argv.slice(2);
const keyFile = join(folder, "key");

const start = performance.now();
await mkdir(join(folder, "store"), { recursive: true, mode: 0o700 });
const storage = lmdbStore({ path: join(folder, "store") });
const assay = createAssay({ admin: ADMIN, rateLimit: false, storage });
await assay.ready;
const readyMs = performance.now() - start;
const fetch = ((input: RequestInfo, init?: RequestInit) => assay.fetch(new Request(input, init))) as never;

/** The first experiment has the key that other benchmarks use. */
const keyOf = (number: number) => (number === 0 ? EXPERIMENT : `${EXPERIMENT}-${number}`);

async function fill(events: number, of: number): Promise<void> {
  const admin = createClient({ baseUrl: "http://assay.test", fetch, ...ADMIN });
  for (let number = 0; number < of; number++) {
    await admin.request("POST /experiments/", {
      body: {
        key: keyOf(number),
        name: "Checkout",
        status: "ACTIVE",
        variants: [{ key: "control" }, { key: "treatment" }],
        metrics: [{ name: "purchase", event_type: "purchase", role: "PRIMARY" }],
      },
    });
  }
  const { key } = await admin.request("POST /api-keys", { body: { name: "bench", scopes: ["read", "write"] } });
  await writeFile(keyFile, key!);
  const users = Math.max(1, Math.floor(events / 10));
  const writer = createClient({ baseUrl: "http://assay.test", fetch, apiKey: key! });
  let next = 0;
  const write = async () => {
    while (next < events) {
      const from = next;
      next += BATCH;
      const batch = Array.from({ length: Math.min(BATCH, events - from) }, (_, index) => {
        const number = from + index;
        const user_id = `user-${number % users}`;
        if (number >= users) return { event_type: number % 3 ? "visit" : "purchase", user_id, value: number % 100 };
        const variant_id = Math.floor(number / of) % 2 ? "treatment" : "control";
        return { event_type: "exposure", user_id, experiment_id: keyOf(number % of), variant_id };
      });
      const { accepted } = await writer.request("POST /tracking/events", { body: { events: batch } });
      if (accepted !== batch.length) throw new Error("Events were refused");
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await assay.close();
}

if (mode === "fill") {
  await fill(Number(count), Number(experiments));
  process.exit(0);
}
const headers = { "x-api-key": await readFile(keyFile, "utf8") };
const answer = await assay.fetch(new Request(`http://assay.test${RESULTS.path}`, { headers }));
if (!answer.ok) throw new Error(`The results were answered with ${answer.status}`);
process.once("disconnect", () => assay.close().finally(() => process.exit(0)));
serve(assay.node, headers, { readyMs, resultsMs: performance.now() - start });

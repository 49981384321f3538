/**
 * Assay in a separate process: `CHECKOUT memory|lmdb EXPERIMENTS` serves what is built in a checkout, with 100 flags and so many
 * experiments.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ADMIN, COUNTRIES, experimentKey, FLAGS } from "./cases.ts";
import { serve } from "./serve.ts";

const [checkout = "", store, experiments] = process.argv.slice(2);
const built = (name: string) => import(pathToFileURL(`${checkout}/packages/${name}/dist/index.js`).href);

const folder = store === "lmdb" ? mkdtempSync(join(tmpdir(), "assay-bench-")) : undefined;
process.once("disconnect", () => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
const [{ createAssay }, { createClient }] = [await built("server"), await built("client")];
const storage = folder !== undefined && { storage: (await built("lmdb")).lmdbStore({ path: folder }) };
const assay = createAssay({ admin: ADMIN, rateLimit: false, jobs: false, ...storage });
await assay.ready;
const fetch = (input: RequestInfo, init?: RequestInit) => assay.fetch(new Request(input, init));
const admin = createClient({ baseUrl: "http://assay.test", fetch, ...ADMIN });
for (let number = 1; number <= FLAGS; number++) {
  const body = {
    key: `flag-${number}`,
    name: `Flag ${number}`,
    status: "ACTIVE",
    rollout_percentage: 50,
    targeting_rules: { countries: COUNTRIES },
  };
  await admin.request("POST /feature-flags/", { body });
}
for (let number = 1; number <= Number(experiments); number++) {
  const body = {
    key: experimentKey(number),
    name: `Checkout ${number}`,
    status: "ACTIVE",
    variants: [{ key: "control" }, { key: "treatment" }],
    metrics: [{ name: "purchase", event_type: "purchase", role: "PRIMARY" }],
  };
  await admin.request("POST /experiments/", { body });
}
const { key } = await admin.request("POST /api-keys", { body: { name: "bench", scopes: ["read", "write"] } });
serve(assay.node, { "x-api-key": key });

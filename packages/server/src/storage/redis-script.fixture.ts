import { createClient } from "@assay/client";
import { createStorage } from "unstorage";
import redisDriver from "unstorage/drivers/redis";
import { createAssay } from "../index.ts";

// Runs a server on Redis, counts the runs, and closes the server. The script must then end: no open handle may prevent
// it.
const { REDIS_URL = "", BASE = "" } = process.env;

const administrator = { username: "admin", password: "a-password-of-tests" };
const storage = createStorage({ driver: redisDriver({ url: REDIS_URL, base: BASE, maxRetriesPerRequest: 1 }) });
const assay = createAssay({ storage, admin: administrator });
const admin = createClient({ fetch: assay.fetch, ...administrator });
const { length } = await admin.request("GET /feature-flags/");
await admin.request("POST /feature-flags/", { body: { key: `run-${length}`, name: "A run" } });
await assay.close();
console.log(`${length} flags; closed`);

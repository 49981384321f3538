import { createClient } from "@assay/client";
import { createStorage } from "unstorage";
import redisDriver from "unstorage/drivers/redis";
import { createAssay } from "../index.ts";

// A script with a server over a Redis: it counts its runs, closes the server and ends, which nothing open may prevent.
const { REDIS_URL = "", BASE = "" } = process.env;

const administrator = { username: "admin", password: "a-password-of-tests" };
const storage = createStorage({ driver: redisDriver({ url: REDIS_URL, base: BASE, maxRetriesPerRequest: 1 }) });
const assay = createAssay({ storage, admin: administrator });
const admin = createClient({ fetch: assay.fetch, ...administrator });
const { length } = await admin.request("GET /feature-flags/");
await admin.request("POST /feature-flags/", { body: { key: `run-${length}`, name: "A run" } });
await assay.close();
console.log(`${length} flags; closed`);

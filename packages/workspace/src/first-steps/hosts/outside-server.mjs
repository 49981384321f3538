// Serves what a worker asks for, from the packages installed beside this file.
import { createServer } from "node:http";
import { createClient } from "@assay/client";
import { createAssay } from "@assay/server";

const administrator = { username: "admin", password: process.env.ADMIN_PASSWORD };
const assay = createAssay({ admin: administrator });
const admin = createClient({ fetch: assay.fetch, ...administrator });
await admin.request("POST /feature-flags/", {
  body: { key: "new-checkout", name: "New checkout", status: "ACTIVE", rollout_percentage: 50 },
});
const variants = [
  { key: "old", url: "/", weight: 50 },
  { key: "new", url: "/new", weight: 50 },
];
await admin.request("POST /experiments/", {
  body: {
    key: "landing",
    name: "A new landing page",
    experiment_type: "SPLIT_URL",
    status: "ACTIVE",
    split_url_config: { variants },
  },
});
const { key } = await admin.request("POST /api-keys", { body: { name: "worker", scopes: ["read"] } });

const server = createServer(assay.node);
server.listen(0, "127.0.0.1", () => {
  console.log(`--var ASSAY_URL:http://127.0.0.1:${server.address().port} --var ASSAY_API_KEY:${key}\n`);
});

import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { createClient } from "@assay/client";
import { createAssay } from "@assay/server";
import { build, preview } from "vite";

const root = fileURLToPath(new URL(".", import.meta.url));
const port = Number(process.env.PORT ?? 4173);
const administrator = { username: "admin", password: process.env.ADMIN_PASSWORD ?? "change me soon" };

// The page, built as for production and served from an origin of its own.
// The condition takes Assay's packages from their sources; outside of this repository leave it out.
const resolve = { conditions: ["@assay/source", "module", "browser", "production"] };
await build({ root, resolve, logLevel: "warn", build: { target: "es2022" } });
const page = await preview({ root, preview: { port, host: "127.0.0.1", strictPort: port !== 0 }, logLevel: "warn" });
const origin = new URL(page.resolvedUrls!.local[0]!).origin;

// A server to talk to; yours runs elsewhere already, and names the page's origin among those that may call.
const assay = createAssay({ admin: administrator, cors: { origins: [origin] } });
const server = createServer(assay.node);
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const address = server.address();
const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;

// What an administrator does once: a key for browsers, two flags for them, and an experiment over one of them.
const admin = createClient({ baseUrl, ...administrator });
const key = await admin.request("POST /api-keys", {
  body: { name: "shop page", kind: "CLIENT", scopes: ["read", "write"], allowed_origins: [origin] },
});
await admin.request("POST /feature-flags/", { body: { key: "sale-banner", name: "Sale banner", client_side: true } });
await admin.request("POST /feature-flags/", {
  body: {
    key: "checkout-button",
    name: "Checkout button",
    status: "ACTIVE",
    client_side: true,
    value_type: "STRING",
    default_value: "Buy",
    variants: [
      { key: "control", value: "Buy" },
      { key: "treatment", value: "Buy now, pay later" },
    ],
  },
});
const experiment = await admin.request("POST /experiments/", {
  body: {
    name: "Checkout button",
    feature_flag_key: "checkout-button",
    metrics: [{ name: "Purchase", event_type: "purchase", role: "PRIMARY" }],
  },
});
await admin.request("POST /experiments/{experiment_id}/start", { params: { experiment_id: experiment.id } });

await writeFile(`${root}/dist/config.json`, JSON.stringify({ apiKey: key.key, baseUrl }));
console.log(`The API is at ${baseUrl}, the page is ready at ${origin}`);

process.once("SIGTERM", async () => {
  assay.endStreams();
  await page.close();
  server.close();
  await assay.close();
});

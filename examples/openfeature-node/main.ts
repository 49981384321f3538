import { createServer } from "node:http";
import { createClient } from "@assay/client";
import { AssayServerProvider } from "@assay/openfeature-server";
import { createAssay } from "@assay/server";
import { OpenFeature } from "@openfeature/server-sdk";

// A server to talk to; yours runs elsewhere already.
const administrator = { username: "admin", password: "change me soon" };
const assay = createAssay({ admin: administrator });
const server = createServer(assay.node);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = server.address();
const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;

// What an administrator does once: a key for the application, and a flag.
const admin = createClient({ baseUrl, ...administrator });
const { key: apiKey = "" } = await admin.request("POST /api-keys", { body: { name: "shop", scopes: ["read"] } });
await admin.request("POST /feature-flags/", {
  body: {
    key: "new-checkout",
    name: "New checkout",
    status: "ACTIVE",
    rollout_percentage: 50,
    targeting_rules: { countries: ["DE", "FR"] },
  },
});

// The application: definitions are fetched once, and every evaluation is a function call in this process.
await OpenFeature.setProviderAndWait(new AssayServerProvider({ apiKey, baseUrl }));
const client = OpenFeature.getClient();
for (const [targetingKey, country] of [
  ["ada", "DE"],
  ["grace", "FR"],
  ["edsger", "NL"],
] as const) {
  const details = await client.getBooleanDetails("new-checkout", false, { targetingKey, country });
  console.log(targetingKey, country, details.value, details.flagMetadata.evaluationReason);
}

await OpenFeature.close();
await new Promise((resolve) => server.close(resolve));
await assay.close();

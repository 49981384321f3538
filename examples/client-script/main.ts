import { createClient, isAssayError } from "@assay/client";
import { createAssay } from "@assay/server";

// In one process there is no port: the client calls the server's `fetch`. For a server elsewhere, give `baseUrl`.
const administrator = { username: "admin", password: "change me soon" };
const assay = createAssay({ admin: administrator });
const admin = createClient({ fetch: assay.fetch, ...administrator });

const { key: apiKey } = await admin.request("POST /api-keys", { body: { name: "shop", scopes: ["read", "write"] } });
const shop = createClient({ fetch: assay.fetch, apiKey });

await admin.request("POST /feature-flags/", {
  body: { key: "new-checkout", name: "New checkout", status: "ACTIVE", rollout_percentage: 50 },
});
const { value, reason } = await shop.request("POST /feature-flags/{key}/evaluate", {
  params: { key: "new-checkout" },
  body: { user_id: "ada" },
});
console.log("new-checkout for ada:", value, reason);

await admin.request("POST /experiments/", {
  body: {
    key: "price-page",
    name: "A shorter price page",
    status: "ACTIVE",
    variants: [{ key: "control" }, { key: "short" }],
    metrics: [{ name: "Bought", event_type: "purchase", role: "PRIMARY" }],
  },
});
for (let user = 0; user < 60; user++) {
  const user_id = `user-${user}`;
  const { variant_key } = await shop.request("POST /tracking/assign", {
    body: { experiment_key: "price-page", user_id },
  });
  const buys = user % (variant_key === "short" ? 2 : 4) === 0;
  if (buys) await shop.request("POST /tracking/track", { body: { user_id, event_type: "purchase", value: 9.9 } });
}
const { metrics, sample_size } = await shop.request("GET /results/{experiment_id}", {
  params: { experiment_id: "price-page" },
});
for (const { name, control_value, treatment_value, p_value } of metrics) {
  console.log(name, control_value.toFixed(3), treatment_value.toFixed(3), `p = ${p_value.toFixed(3)}`, sample_size);
}

try {
  await shop.request("POST /experiments/", { body: { name: "Not for keys without the scope admin" } });
} catch (error) {
  if (isAssayError(error)) console.log(error.code, error.message);
}
await assay.close();

// Makes a flag on a server and evaluates it, through the client as it is installed beside this file.
import { createClient } from "@assay/client";

const [, , baseUrl, password] = process.argv;
const admin = createClient({ baseUrl, username: "admin", password });
const { key: apiKey } = await admin.request("POST /api-keys", { body: { name: "first steps", scopes: ["read"] } });
await admin.request("POST /feature-flags/", {
  body: { key: "new-checkout", name: "New checkout", status: "ACTIVE", rollout_percentage: 50 },
});
const app = createClient({ baseUrl, apiKey });
for (const user_id of ["grace", "ada"]) {
  const { value, reason } = await app.request("POST /feature-flags/{key}/evaluate", {
    params: { key: "new-checkout" },
    body: { user_id },
  });
  console.log(user_id, value, reason);
}

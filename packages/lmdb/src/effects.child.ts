import { createAssay } from "@assay/server";
import type { Store } from "@assay/server/store";
import { lmdbStore } from "./lmdb-store.ts";

const [path = "", key = "", batches = "0"] = process.argv.slice(2);
const admin = { username: "admin", password: "correct horse battery" };
const logger = { info() {}, warn() {}, error() {} };

/** A store that ends its process as `kill -9` does, so many batches after the one that makes an experiment. */
function deadly(store: Store): Store {
  let left: number | null = null;
  return {
    ...store,
    async batch(operations) {
      const result = await store.batch(operations);
      if (operations.some((one) => one.type === "put" && one.key.startsWith("experiments/doc/")))
        left = Number(batches);
      if (left !== null && left-- <= 0) process.kill(process.pid, "SIGKILL");
      return result;
    },
  };
}

const assay = createAssay({
  storage: deadly(lmdbStore({ path })),
  admin,
  passwordCost: 16,
  logger,
  jobs: false,
  outbound: { allowPrivateNetworks: true },
});

async function post(target: string, body: object, token = ""): Promise<Response> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const init = { method: "POST", body: JSON.stringify(body), headers };
  return assay.fetch(new Request(`http://assay.test/api/v1${target}`, init));
}

const { access_token } = (await (await post("/auth/login", admin)).json()) as { access_token: string };
const variants = [{ key: "a" }, { key: "b" }];
await post("/experiments/", { key, name: key, status: "ACTIVE", variants, crm_campaign_id: key }, access_token);
// Whatever the change leaves to be done goes on until the store ends it.
setInterval(() => {}, 1000);

import { createAssay } from "@assay/server";
import { lmdbStore } from "./lmdb-store.ts";

const [path = "", rounds = "0"] = process.argv.slice(2);
const admin = { username: "admin", password: "correct horse battery" };
const logger = { info() {}, warn() {}, error() {} };
const assay = createAssay({ storage: lmdbStore({ path }), admin, passwordCost: 16, rateLimit: false, logger });

async function post(target: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  const init = {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
  return assay.fetch(new Request(`http://assay.test/api/v1${target}`, init));
}

// One of several processes on the same data. It reports when it is ready, counts on request, and reports the notices
// that it receives.
const { access_token } = (await (await post("/auth/login", admin)).json()) as { access_token: string };
process.on("message", async () => {
  const headers = { authorization: `Bearer ${access_token}` };
  const one = { variant_id: "a", counter: "events" };
  const statuses: number[] = [];
  for (let round = 0; round < Number(rounds); round++) {
    const answer =
      round % 5 === 0
        ? await post(
            "/counters/x/bulk",
            { increments: [one, { variant_id: "b", counter: "events", amount: 2 }] },
            headers,
          )
        : await post("/counters/x/increment", one, headers);
    statuses.push(answer.status);
  }
  await assay.close();
  process.send?.({ statuses }, () => process.disconnect());
});
process.send?.({ ready: true });

import { createClient, isAssayError } from "@assay/client";
import type { Serving } from "../cli.fixture.ts";

/** A server on a disk that may fail, and its acknowledged writes; `before` is the observer of the previous server. */
export async function createWitness(server: Serving, before?: { key: string; acknowledged: ReadonlySet<string> }) {
  const { admin, url, child, output } = server;
  const key = before?.key ?? (await prepare(server));
  const client = createClient({ baseUrl: url, apiKey: key, retries: 0 });
  const acknowledged = new Set(before?.acknowledged);

  return {
    key,
    acknowledged,
    /** Sends a write of each kind; returns the status of each. */
    async write(description = "") {
      const name = `n-${process.hrtime.bigint()}`;
      const headers = { "content-type": "application/json", "x-api-key": key };
      const event = { user_id: name, event_type: "seen", event_id: name, experiment_id: "e", variant_id: "a" };
      const flag = admin
        .request("POST /feature-flags/", { body: { key: name, name, description }, retries: 0 })
        .then(() => {
          acknowledged.add(name);
          return 201;
        })
        .catch((error: unknown) => {
          if (isAssayError(error)) return error.status;
          throw error;
        });
      const tracked = await fetch(`${url}/api/v1/tracking/track`, {
        method: "POST",
        headers,
        body: JSON.stringify({ ...event, event_metadata: { description } }),
      });
      if (tracked.ok) acknowledged.add(`event ${name}`);
      return { flag: await flag, event: tracked.status, retryAfter: tracked.headers.get("retry-after") };
    },
    async evaluate() {
      const params = { key: "live" };
      return (await client.request("POST /feature-flags/{key}/evaluate", { params, body: { user_id: "u" } })).value;
    },
    /** Returns the answer of the readiness probe; how the server ended, if it has. */
    async readyz() {
      const end = child.exitCode ?? child.signalCode;
      if (end !== null) return { status: 0, reason: `The server ended with ${end}:\n${output()}` };
      const response = await fetch(`${url}/readyz`);
      return { status: response.status, reason: (await response.json()).reason };
    },
  };
}

async function prepare({ admin }: Serving): Promise<string> {
  await admin.request("POST /feature-flags/", { body: { key: "live", name: "Live", status: "ACTIVE" } });
  const variants = [{ key: "a" }, { key: "b" }];
  await admin.request("POST /experiments/", { body: { name: "E", key: "e", status: "ACTIVE", variants } });
  const { key } = await admin.request("POST /api-keys", { body: { name: "app", scopes: ["read", "write"] } });
  return key!;
}

/** Returns the acknowledged writes that a server has lost. */
export async function missing(
  { url, admin }: Serving,
  { key, acknowledged }: { key: string; acknowledged: ReadonlySet<string> },
): Promise<string[]> {
  const lost: string[] = [];
  const app = createClient({ baseUrl: url, apiKey: key });
  for (const name of acknowledged) {
    if (name.startsWith("event ")) {
      const id = name.slice("event ".length);
      const body = { user_id: id, event_type: "seen", event_id: id, experiment_id: "e", variant_id: "a" };
      if (!(await app.request("POST /tracking/track", { body })).duplicate) lost.push(name);
    } else {
      const found = await admin.request("GET /feature-flags/{id}", { params: { id: name } }).catch(() => null);
      if (!found) lost.push(name);
    }
  }
  return lost;
}

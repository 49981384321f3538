import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "@assay/client";
import { createAssay } from "@assay/server";
import { listen } from "../serve/listener.ts";
import { openStore } from "../serve/storage.ts";

/** A temporary server: a free port, a temporary directory, and a client for its administrator. */
export interface TemporaryServer {
  url: string;
  admin: Client;
  /** Stops the server and removes its directory. */
  close(): Promise<void>;
}

/** Starts a temporary server. */
export async function startTemporaryServer(): Promise<TemporaryServer> {
  const directory = await mkdtemp(join(tmpdir(), "assay-demo-"));
  const listener = await listen(0, "127.0.0.1");
  const admin = { username: "admin", password: randomBytes(18).toString("base64url") };
  const assay = createAssay({
    storage: await openStore({ kind: "lmdb", path: directory }),
    admin,
    rateLimit: false,
  });
  await assay.ready;
  listener.answerWith(assay.node);
  return {
    url: listener.url,
    admin: createClient({ baseUrl: listener.url, ...admin }),
    async close() {
      await listener.drain(5_000);
      await assay.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

import { lmdbStore } from "@assay/lmdb";
import { type Assay, createAssay } from "@assay/server";
import { useNitroApp } from "nitro/runtime";

const { DATA = "./data", ADMIN_PASSWORD = "change me soon" } = process.env;

// Development loads this module again after a change; the server stays.
const shared = globalThis as typeof globalThis & { assay?: Assay };

/** The server of this process, made with the first request. */
export function getAssay(): Assay {
  shared.assay ??= start();
  return shared.assay;
}

function start(): Assay {
  const assay = createAssay({
    storage: lmdbStore({ path: DATA }),
    basePath: "/assay",
    admin: { username: "admin", password: ADMIN_PASSWORD },
  });
  // Event streams stay open until they are ended, and Nitro waits for them.
  process.once("SIGTERM", () => assay.endStreams());
  useNitroApp().hooks.hook("close", () => assay.close());
  return assay;
}

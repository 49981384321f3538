import { mkdtempSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { H3 } from "h3";
import { toNodeHandler } from "h3/node";
import { open } from "lmdb";
import { createChecks, type Framework } from "../http/frameworks.ts";

interface Identified {
  event_id: string;
}

/**
 * The least that a durable intake does, written by hand: h3 checks the key and the body, LMDB takes the ids that are new
 * and the events in one transaction, which requests share, and the answer leaves once that is on disk. It knows no
 * experiments, assigns no users, counts no events, and seals no record against damage.
 */
export const durableH3: Framework = (routes) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-floor-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Like Assay's: a transaction is done when it is on disk.
  const root = open({ path: folder, overlappingSync: false });
  const [ids, records] = [
    root.openDB<boolean, string>({ name: "ids" }),
    root.openDB<object[], number>({ name: "records" }),
  ];
  let position = 0;
  const app = new H3();
  const check = createChecks();
  for (const { method, path, answer } of routes) {
    app.on(method, path, async (event) => {
      check(event);
      const body = (await event.req.json()) as Identified & { events?: Identified[] };
      const text = answer(body);
      const events = body.events ?? [body];
      await root.transaction(() => {
        const fresh = events.filter(({ event_id }) => !ids.doesExist(event_id));
        for (const { event_id } of fresh) ids.put(event_id, true);
        if (fresh.length > 0) records.put(++position, fresh);
      });
      return text;
    });
  }
  return toNodeHandler(app) as RequestListener;
};

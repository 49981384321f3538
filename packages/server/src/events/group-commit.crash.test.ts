import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decodeRecord } from "@assay/analysis";
import { genericStore } from "@assay/store";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { expect, it } from "vitest";
import { RUN_TYPESCRIPT } from "../../../workspace/src/typescript.fixture.ts";
import { EVENTS_JOURNAL } from "./journal.ts";

const CHILD = fileURLToPath(new URL("./group-commit.child.ts", import.meta.url));

/** Lets a process write events from a number on, kills it after so many acknowledgements, answers the acknowledged. */
async function writeAndKill(base: string, first: number, after: number): Promise<number[]> {
  const child = spawn(process.execPath, [...RUN_TYPESCRIPT, CHILD, base, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    if (printed.split("\n").length > after) child.kill("SIGKILL");
  });
  await once(child, "close");
  // A number whose line was cut off was not acknowledged to anyone.
  return printed.split("\n").slice(0, -1).map(Number);
}

it("loses no acknowledged event and duplicates none when the process is killed repeatedly", async () => {
  const base = await mkdtemp(join(tmpdir(), "assay-events-"));
  const acknowledged = new Set<number>();
  let first = 0;
  for (const after of [20, 60, 110]) {
    for (const number of await writeAndKill(base, first, after)) acknowledged.add(number);
    // Clients send what was not acknowledged again, and some that was.
    first = Math.max(0, Math.max(...acknowledged) - 12);
  }
  const store = genericStore(createStorage({ driver: fsDriver({ base }) }));
  const records = await store.read(EVENTS_JOURNAL, 0, 100_000);
  const stored = records.flatMap(({ record }) => decodeRecord(record).events.map(({ id }) => id));
  await store.close();
  await rm(base, { recursive: true });
  expect(new Set(stored).size).toBe(stored.length);
  expect(acknowledged.size).toBeGreaterThan(40);
  for (const number of acknowledged) expect(stored).toContain(`event-${number}`);
});

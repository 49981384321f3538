import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lmdbStore } from "@assay/lmdb";
import { uuidv7 } from "uuidv7";
import type { Measurement } from "../measure/measurement.ts";

export const CLAIMS = "new ids claimed in the store";
const WRITERS = 64;
const IDS = 100;
const BATCHES = 20;

/** Measures how many ids the LMDB store claims in a second, durably. */
export async function measureClaims(rounds: number): Promise<Measurement> {
  const path = mkdtempSync(join(tmpdir(), "assay-bench-"));
  const store = lmdbStore({ path });
  const write = async () => {
    for (let batch = 0; batch < BATCHES; batch++) {
      const members = Array.from({ length: IDS }, () => uuidv7());
      const result = await store.batch([{ type: "claim", set: "ids", generation: 1, keep: 7, members }]);
      if (!result.ok) throw new Error("The store refused a claim");
    }
  };
  const rates: number[] = [];
  for (let round = 0; round < rounds + 1; round++) {
    const start = performance.now();
    await Promise.all(Array.from({ length: WRITERS }, write));
    rates.push((WRITERS * BATCHES * IDS * 1_000) / (performance.now() - start));
  }
  await store.close();
  rmSync(path, { recursive: true });
  // The first round compiles the code.
  return { case: CLAIMS, subject: "Assay on LMDB", unit: "events/s", rounds: rates.slice(1) };
}

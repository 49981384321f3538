import { listAll, prefixOf, type Store } from "@assay/store";
import { createSlices } from "../ground/slices.ts";
import { parseBytes } from "../storage/json.ts";

/** The area of the store with the answers to requests with an `Idempotency-Key`, kept for a day. */
export const KEPT_ANSWERS = "idempotency";

/** Counts the kept answers that contain one of these texts as a string. */
export async function countKeptAnswers(store: Store, texts: readonly string[]): Promise<number> {
  const quoted = texts.map((text) => JSON.stringify(text));
  let count = 0;
  const slices = createSlices();
  for await (const { value } of listAll(store, prefixOf(KEPT_ANSWERS), 500)) {
    if (slices.isOver()) await slices.next();
    const text = parseBytes<{ answer: { text: string } | null }>(value).answer?.text ?? "";
    if (quoted.some((one) => text.includes(one))) count++;
  }
  return count;
}

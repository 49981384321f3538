import { createEventDecoder, type KeptEvent } from "@assay/analysis";
import type { Store } from "@assay/store";
import { readLog } from "./event-reader.ts";

/** Reads every stored event, in order of receipt. */
export async function* readEvents(store: Store, signal = new AbortController().signal): AsyncGenerator<KeptEvent[]> {
  const decoder = createEventDecoder();
  for await (const { part } of readLog(store, signal)) {
    if ("records" in part) yield decoder.records(part.records);
    else yield* decoder.chunk(part.chunk, part.details, part.range);
  }
}

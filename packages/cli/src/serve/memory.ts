import { setFlagsFromString } from "node:v8";

/** How much a heap may grow, in percent of what was in use after a collection of garbage, before the next one. */
const GROWTH_PERCENT = 30;

/**
 * Keeps the memory of this process and its threads close to what they use: V8 collects garbage when a heap has grown by
 * a third since the last collection, instead of up to four times. Without it, an import of a million rows takes half as
 * much memory again, most of it garbage (`pnpm --filter @assay/cli bench:import`). Embedding applications choose this
 * themselves.
 */
export function limitGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

import type { Store } from "@assay/store";
import type { Runtime } from "../ground/runtime.ts";

/** Logs each damaged record that a store finds, once. */
export function logDamage(store: Store, { logger }: Pick<Runtime, "logger">): void {
  store.onQuarantine?.(({ key, reason }) => logger.error("A damaged record was set aside", { key, reason }));
}

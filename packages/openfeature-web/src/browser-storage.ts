import type { ItemStorage } from "@assay/sdk";

/** Returns the browser's own storage, if available and allowed. */
export function browserStorage(): ItemStorage | undefined {
  try {
    // Some servers have a localStorage too, which is not the visitor's.
    return globalThis.document && globalThis.localStorage;
  } catch {
    return undefined;
  }
}

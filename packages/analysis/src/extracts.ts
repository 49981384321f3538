import { createExtract, type Extract } from "./extract.ts";
import type { Selection } from "./selection.ts";

/** The extracts of the last questions. */
export interface Extracts {
  /** Returns the extract of a selection; an empty one if there is none. It becomes the last one used. */
  of(selection: Selection): Extract;
  /** Drops those used longest ago, beyond the bound; the last one stays. */
  drop(): void;
}

/** Creates the collection. @param keptBytes how many bytes of extracts stay */
export function createExtracts(keptBytes: number): Extracts {
  const extracts = new Map<string, Extract>();

  return {
    of(selection) {
      const extract = extracts.get(selection.name) ?? createExtract(selection);
      extracts.delete(selection.name);
      extracts.set(selection.name, extract);
      return extract;
    },
    drop() {
      let bytes = [...extracts.values()].reduce((sum, extract) => sum + extract.bytes, 0);
      for (const [name, extract] of extracts) {
        if (bytes <= keptBytes || extracts.size === 1) return;
        bytes -= extract.bytes;
        extracts.delete(name);
      }
    },
  };
}

import { bucket, createPicker, normalizeWeights } from "@assay/core";
import type { Draw, FlagBody } from "./mapping/migration.ts";

/** The number of generated ids of a sample. */
const SIZE = 10_000;

/** How many ids of a sample get another arm. */
export interface Moved {
  subject: string;
  moved: number;
  of: number;
}

/** Returns the ids of a sample that no file gives. */
export function generateIds(): string[] {
  return Array.from({ length: SIZE }, (_, index) => `user-${index + 1}`);
}

/** Counts for each draw of a flag how many ids get another arm in Assay than in the source. */
export function countMoved({ key, variants }: FlagBody, draws: readonly Draw[], ids: readonly string[]): Moved[] {
  return draws.map(({ subject, serve, armOf }) => {
    const arms = serve.variants ?? (variants.length > 0 ? variants : [{ key: "on", weight: 1 }]);
    const picker = createPicker(normalizeWeights(arms.map(({ weight }) => weight)), serve.rollout_percentage);
    const moved = ids.filter((id) => arms[picker.pick(bucket(id, key))]?.key !== armOf(id)).length;
    return { subject, moved, of: ids.length };
  });
}

import type { Serve } from "@assay/core";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { toAttribute } from "./clause.ts";
import { hash } from "./draw.ts";
import type { Serving } from "./payload.ts";

/** What a rule or the fallthrough serves. */
export interface Served {
  serve: Serve;
  /** The attribute that it draws by; undefined if everyone gets the same variation. */
  attribute?: string;
  armOf?: (id: string) => string | undefined;
  isExperiment: boolean;
}

/** Converts what a rule or the fallthrough serves. @throws {NoCounterpart} */
export function toServed(
  { variation, rollout }: Serving,
  keys: readonly string[],
  flag: { key: string; salt: string },
): Served {
  const keyOf = (index: number) => keys[index] ?? noCounterpart(`It has no variation ${index}`);
  if (typeof variation === "number") return { serve: { variant: keyOf(variation) }, isExperiment: false };
  const drawn = rollout?.variations ?? [];
  if (!rollout || drawn.length === 0) return noCounterpart("One of its rules serves neither a variation nor a rollout");
  const isExperiment = rollout.kind === "experiment" || Boolean(rollout.experimentAllocation);
  const weights = new Map<string, number>();
  let rest = 100;
  for (const { variation, weight } of drawn) {
    const share = Math.min(rest, weight / 1_000);
    weights.set(keyOf(variation), (weights.get(keyOf(variation)) ?? 0) + share);
    rest -= share;
  }
  // The last variation has what the weights leave.
  const last = keyOf(drawn.at(-1)!.variation);
  weights.set(last, weights.get(last)! + rest);
  const variants = [...weights].map(([key, weight]) => ({ key, weight }));
  const sole = variants.filter(({ weight }) => weight > 0);
  if (sole.length === 1) return { serve: { variant: sole[0]!.key }, isExperiment };
  const bucketBy = isExperiment ? "key" : rollout.bucketBy || "key";
  const prefix = rollout.seed ? String(rollout.seed) : `${flag.key}.${flag.salt}`;
  return {
    serve: { rollout_percentage: 100, variants },
    attribute: toAttribute(bucketBy, rollout.contextKind),
    armOf(id) {
      const hashed = hash(prefix, id);
      let sum = 0;
      for (const { variation, weight } of drawn) {
        sum += weight / 100_000;
        if (hashed < sum) return keyOf(variation);
      }
      return last;
    },
    isExperiment,
  };
}

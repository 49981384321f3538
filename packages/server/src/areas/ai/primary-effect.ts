import type { Overview, PrimaryEffect } from "@assay/contract";

/** Maximum number of experiments whose effect is kept. */
const MAX_KEPT = 10_000;

/** The effects that decide, of the last overviews. */
export interface PrimaryEffects {
  note(experimentId: string, overview: Overview): void;
  of(experimentId: string): PrimaryEffect | null;
}

/** Keeps the effects in memory, for lists. */
export function createPrimaryEffects(): PrimaryEffects {
  const kept = new Map<string, PrimaryEffect | null>();
  return {
    note(experimentId, overview) {
      kept.delete(experimentId);
      kept.set(experimentId, toPrimaryEffect(overview));
      const [oldest] = kept.keys();
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    },
    of: (experimentId) => kept.get(experimentId) ?? null,
  };
}

/** Returns the row that the series of the overview is about; null without one. */
function toPrimaryEffect({ metrics, timeseries, decision }: Overview): PrimaryEffect | null {
  const row = metrics.find(
    ({ metric_id, variant }) => metric_id === timeseries?.metric_id && variant === timeseries.variant,
  );
  if (!row) return null;
  const { name: metric, variant, lift, lift_interval: interval } = row;
  return { metric, variant, lift, interval, decision: decision.action };
}

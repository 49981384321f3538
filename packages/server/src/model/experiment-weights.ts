import type { ExperimentRecord } from "./experiment.ts";

/** Returns the current weight of a variant: from the bandit if it has set one, otherwise as configured. */
export function weightOf(
  { current_weights }: Pick<ExperimentRecord, "current_weights">,
  { key, weight }: { key: string; weight: number },
): number {
  return current_weights && Object.hasOwn(current_weights, key) ? current_weights[key]! : weight;
}

/** When the weights changed, milliseconds since 1970, in order. */
export function weightChanges({ weight_history = [] }: ExperimentRecord): number[] {
  return weight_history.map(({ at }) => Date.parse(at));
}

/** Returns the weights of some arms in each period: before the first change, and after each change. */
export function weightsByPeriod(
  { weight_history = [] }: ExperimentRecord,
  arms: ExperimentRecord["variants"],
): number[][] {
  const configured = arms.map(({ weight }) => weight);
  return [configured, ...weight_history.map(({ weights }) => arms.map(({ key }) => weights[key] ?? 0))];
}

/**
 * The most steps that one evaluation may take, those of the segments and flags that it asks included: some tens of
 * milliseconds at worst. What takes more answers an error, the same wherever it is evaluated: steps are counted by the
 * sizes of what is compared, not by what a platform does to compare it.
 */
export const MOST_STEPS = 1_000_000;

/** The steps that the evaluation under way has taken; whoever begins one sets them to zero. */
export const taken = /* @__PURE__ */ new Float64Array(1);

/** Counts steps before they are taken. @throws RangeError where they are too many */
export function work(steps: number): void {
  taken[0]! += steps;
  if (taken[0]! > MOST_STEPS) throw new RangeError(`Evaluation takes more than ${MOST_STEPS} steps`);
}

import { nameOf, type Step } from "@assay/client/definitions";

/** Returns a line for each step, and two for each field that changes. @param undone what is not done: `not promoted` */
export function describeSteps(steps: readonly Step[], undone: string): string[] {
  return steps.flatMap((step) => [
    `${nameOf(step)}: ${step.refusal === null ? step.action : `${undone}, because ${step.refusal}`}`,
    ...(step.action === "update" ? step.changes : []).flatMap(({ field, from, to }) => [
      `  - ${field}: ${JSON.stringify(from ?? null)}`,
      `  + ${field}: ${JSON.stringify(to)}`,
    ]),
  ]);
}

/** Returns the steps as a command prints them as JSON. */
export function shownSteps(steps: readonly Step[]): Omit<Step, "target">[] {
  return steps.map(({ target: _, ...step }) => step);
}

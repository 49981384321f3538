import type { Client } from "@assay/client";
import { apply } from "../definitions/apply.ts";
import type { Refuse, Step } from "../definitions/comparison.ts";

/** The definition of a running or finished experiment says what its results mean, so only a DRAFT changes. */
export const refuse: Refuse = ({ kind, status }) =>
  kind === "experiment" && status !== "DRAFT" ? `it is ${status} there, and only a DRAFT is changed` : null;

/**
 * Does the steps in the target. A new flag is off, and a new experiment is a DRAFT, because their status is not promoted.
 * @throws {CommandFailure} naming the step that the server refuses; those before it are done
 */
export async function promote(target: Client, steps: readonly Step[], from: string): Promise<void> {
  await apply(target, steps, `Promoted from ${from}`);
}

import type { Client } from "@assay/client";
import { failure } from "../failure.ts";
import type { Step } from "./comparison.ts";
import { nameOf } from "./definition.ts";
import { create, refusalOf, remove, update } from "./write.ts";

/**
 * Does the steps in the target, as the user of the client, except those that cannot be done.
 * @param reason of changes, for the history of flags
 * @throws {CommandFailure} naming the step that the server refuses; those before it are done
 */
export async function apply(target: Client, steps: readonly Step[], reason: string): Promise<void> {
  for (const step of steps) {
    if (step.refusal !== null) continue;
    try {
      await perform(target, step, reason);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === undefined) throw error;
      throw failure(`${nameOf(step)}: ${refusal}`, error);
    }
  }
}

function perform(client: Client, { kind, changes, action, target }: Step, reason: string): Promise<void> {
  const given = changes.map(({ field, to }): [string, unknown] => [field, to]);
  // Null is the value of an absent field; some fields take only values when they are created.
  if (!target) return create(client, kind, Object.fromEntries(given.filter(([, to]) => to !== null)));
  if (action === "delete") return remove(client, kind, target);
  return update(client, kind, target, Object.fromEntries(given), reason);
}

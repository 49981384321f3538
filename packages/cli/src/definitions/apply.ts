import type { Client } from "@assay/client";
import { failure } from "../failure.ts";
import type { Step } from "./comparison.ts";
import { nameOf } from "./definition.ts";
import { refusalOf, send, writeOf } from "./write.ts";

/**
 * Does the steps in the target, as the user of the client, except those that cannot be done.
 * @param reason of changes, for the history of flags
 * @throws {CommandFailure} naming the step that the server refuses; those before it are done
 */
export async function apply(target: Client, steps: readonly Step[], reason: string): Promise<void> {
  for (const step of steps) {
    if (step.refusal !== null) continue;
    const write = writeOf(step, reason);
    try {
      await send(target, write);
    } catch (error) {
      const refusal = refusalOf(error, write);
      if (refusal === undefined) throw error;
      throw failure(`${nameOf(step)}: ${refusal}`, error);
    }
  }
}

import type { Client } from "@assay/client";
import { nameOf, refusalOf, type Step, send, writeOf } from "@assay/client/definitions";
import { failure } from "../failure.ts";
import { WORDS } from "./propose.ts";

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
      const refusal = refusalOf(error, write, WORDS.isChanged);
      if (refusal === undefined) throw error;
      throw failure(`${nameOf(step)}: ${refusal}`, error);
    }
  }
}

import type { Client } from "@assay/client";
import { createPropose, nameOf, type Step, takeSteps, type Words } from "@assay/client/definitions";

/** Why a command does not do a step. */
export const WORDS: Words = {
  isChanged: "Someone changed or deleted it since it was read; run the command again to see what differs now",
  needs: (name, isProposed) =>
    isProposed
      ? `it needs ${name}, which is only proposed; run the command again when that is applied`
      : `it needs ${name}, which is not proposed`,
};

/**
 * Proposes the steps, as the user of the client. What cannot be proposed does not stop the others.
 * @throws AssayError if the server fails; a second call finds what is proposed
 */
export async function proposeSteps(client: Client, steps: readonly Step[], reason: string): Promise<Step[]> {
  return takeSteps(steps, { act: await createPropose(client, reason), reason, words: WORDS });
}

/** Returns a line for each step that was to be proposed, and one with their number. */
export function describeProposals(planned: readonly Step[], done: readonly Step[]): string[] {
  const lines = done.filter((_, index) => planned[index]!.refusal === null).map(describe);
  return [...lines, `Proposed ${done.filter(({ proposal }) => proposal?.is_new).length}`];
}

function describe(step: Step): string {
  const { proposal, refusal } = step;
  if (!proposal) return `${nameOf(step)}: not proposed, because ${refusal}`;
  return `${nameOf(step)}: proposal ${proposal.id}${proposal.is_new ? "" : ", which was open already"}`;
}

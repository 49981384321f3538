import type { Client } from "@assay/client";
import type { Step } from "./comparison.ts";
import { nameOf } from "./definition.ts";
import { createPropose } from "./proposals.ts";
import { listReferences } from "./references.ts";
import { refusalOf, writeOf } from "./write.ts";

/**
 * Proposes the steps, as the user of the client. What cannot be proposed does not stop the others.
 * @throws AssayError if the server fails; a second call finds what is proposed
 */
export async function proposeSteps(client: Client, steps: readonly Step[], reason: string): Promise<Step[]> {
  const propose = await createPropose(client, reason);
  const done: Step[] = [];
  for (const step of steps) {
    const refusal = step.refusal ?? waitsFor(step, done);
    if (refusal !== null) {
      done.push({ ...step, refusal, proposal: null });
      continue;
    }
    const write = writeOf(step, reason);
    try {
      done.push({ ...step, proposal: await propose(write) });
    } catch (error) {
      const refused = refusalOf(error, write);
      if (refused === undefined) throw error;
      done.push({ ...step, refusal: refused, proposal: null });
    }
  }
  return done;
}

/** Returns which new definition a step needs, if any. Steps come after those that they need. */
function waitsFor({ changes }: Step, before: readonly Step[]): string | null {
  const references = listReferences(Object.fromEntries(changes.map(({ field, to }) => [field, to])));
  const names = new Set(references.flatMap(({ kind, names }) => names.map((key) => nameOf({ kind, key }))));
  const needed = before.find((one) => one.action === "create" && names.has(nameOf(one)));
  if (!needed) return null;
  const name = nameOf(needed);
  return needed.proposal
    ? `it needs ${name}, which is only proposed; run the command again when that is applied`
    : `it needs ${name}, which is not proposed`;
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

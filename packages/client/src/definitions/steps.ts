import type { Proposed, Step } from "./comparison.ts";
import { nameOf } from "./definition.ts";
import { listReferences } from "./references.ts";
import { refusalOf, type Write, writeOf } from "./write.ts";

/** Why a step is not done, in the words of a command or a page. */
export interface Words {
  /** Someone changed or deleted the definition since it was read. */
  isChanged: string;
  /** It needs a new definition that is only proposed, or that is not even that. */
  needs(name: string, isProposed: boolean): string;
}

/** How steps are done. */
export interface StepOptions {
  /** Makes or proposes a change. Returns the proposal, if it is one. */
  act: (write: Write) => Promise<Proposed | undefined>;
  /** Of changes, for the history of flags. */
  reason: string;
  words: Words;
  /** Called with each step that is done or refused. */
  onStep?: (step: Step, index: number) => void;
}

/**
 * Does steps one after another. What cannot be done does not stop the others, except those that need it.
 * @returns the steps with their proposals, and why some are not done
 * @throws AssayError if the server fails; what is done stays
 */
export async function takeSteps(steps: readonly Step[], { act, reason, words, onStep }: StepOptions): Promise<Step[]> {
  const done: Step[] = [];
  async function take(step: Step): Promise<Step> {
    const refusal = step.refusal ?? waitsFor(step, done, words);
    if (refusal !== null) return { ...step, refusal, proposal: null };
    const write = writeOf(step, reason);
    try {
      const proposal = await act(write);
      return proposal ? { ...step, proposal } : step;
    } catch (error) {
      const refused = refusalOf(error, write, words.isChanged);
      if (refused === undefined) throw error;
      return { ...step, refusal: refused, proposal: null };
    }
  }
  for (const [index, step] of steps.entries()) {
    const taken = await take(step);
    done.push(taken);
    onStep?.(taken, index);
  }
  return done;
}

/** Returns the steps that create what another step refers to. */
export function neededBy({ changes }: Step, steps: readonly Step[]): Step[] {
  const references = listReferences(Object.fromEntries(changes.map(({ field, to }) => [field, to])));
  const names = new Set(references.flatMap(({ kind, names }) => names.map((key) => nameOf({ kind, key }))));
  return steps.filter((one) => one.action === "create" && names.has(nameOf(one)));
}

/** Returns why a step has to wait, if it does. Steps come after those that they need. */
function waitsFor(step: Step, before: readonly Step[], words: Words): string | null {
  const missing = neededBy(step, before).find(({ refusal, proposal }) => refusal !== null || proposal);
  return missing ? words.needs(nameOf(missing), Boolean(missing.proposal)) : null;
}

import type { Client } from "@assay/client";
import {
  createPropose,
  creation,
  nameOf,
  type Proposed,
  refusalOf,
  send,
  update,
  type Write,
} from "@assay/client/definitions";
import { WORDS } from "../definitions/propose.ts";
import { withMark } from "./mark.ts";
import type { PlanStep } from "./plan.ts";

/** What became of a step, if it is not simply done. */
export interface Outcome {
  kind: PlanStep["kind"];
  key: string;
  /** `waiting` if it needs what is only proposed. */
  action: "refused" | "proposed" | "waiting";
  /** Why it is not done; null if it is proposed. */
  reason: string | null;
  proposal: Proposed | null;
}

export interface ApplyOptions {
  /** Whether changes are proposed instead of made. */
  isProposed?: boolean;
  /** Reason of the changes. */
  reason?: string | undefined;
}

/**
 * Carries out a plan in its order. What the server refuses does not stop the rest, except what needs it.
 * @throws AssayError if the server fails
 */
export async function applyPlan(
  steps: readonly PlanStep[],
  product: string,
  client: Client,
  { isProposed = false, reason }: ApplyOptions = {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const missing = new Map<string, Outcome>();
  const change = isProposed
    ? await createPropose(client, reason ?? `Migrated from ${product}`)
    : async (write: Write) => send(client, write).then(() => null);
  const add = (step: PlanStep, result: Omit<Outcome, "kind" | "key">) => {
    const outcome = { kind: step.kind, key: step.key, ...result };
    outcomes.push(outcome);
    if (outcome.action !== "proposed" || step.action === "create") missing.set(nameOf(step), outcome);
  };
  for (const step of steps) {
    if (step.action !== "create" && step.action !== "update") continue;
    const needed = step.needs.find((name) => missing.has(name));
    if (needed !== undefined) {
      add(step, waitFor(needed, missing.get(needed)!));
      continue;
    }
    const write = writeOf(step, product, reason);
    try {
      const proposal = await change(write);
      if (proposal) add(step, { action: "proposed", reason: null, proposal });
    } catch (error) {
      const refusal = refusalOf(error, write, WORDS.isChanged);
      if (refusal === undefined) throw error;
      add(step, { action: "refused", reason: refusal, proposal: null });
    }
  }
  return outcomes;
}

function waitFor(name: string, { action }: Outcome): Omit<Outcome, "kind" | "key"> {
  if (action === "refused") {
    return { action, reason: `It needs the ${name}, which the server refuses`, proposal: null };
  }
  const why =
    action === "proposed" ? "is only proposed; run the command again when that is applied" : "is not proposed";
  return { action: "waiting", reason: `It needs the ${name}, which ${why}`, proposal: null };
}

function writeOf({ kind, body, target }: PlanStep, product: string, reason = `Migrated again from ${product}`): Write {
  const fields = { ...withMark<typeof body>(body, product), ...(kind === "segment" && { status: "ACTIVE" }) };
  return target ? update(kind, target, fields, reason) : creation(kind, fields);
}

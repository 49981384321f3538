import type { Client } from "@assay/client";
import { nameOf } from "../definitions/definition.ts";
import { creation, refusalOf, send, update, type Write } from "../definitions/write.ts";
import { withMark } from "./mark.ts";
import type { PlanStep } from "./plan.ts";

/** A step that the server refused. */
export interface Refusal {
  kind: PlanStep["kind"];
  key: string;
  reason: string;
}

/**
 * Carries out a plan in its order. What the server refuses does not stop the rest, except what needs it.
 * @throws AssayError if the server fails
 */
export async function applyPlan(steps: readonly PlanStep[], product: string, client: Client): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  const refused = new Set<string>();
  const refuse = (step: PlanStep, reason: string) => {
    refused.add(nameOf(step));
    refusals.push({ kind: step.kind, key: step.key, reason });
  };
  for (const step of steps) {
    if (step.action !== "create" && step.action !== "update") continue;
    const missing = step.needs.find((name) => refused.has(name));
    if (missing !== undefined) {
      refuse(step, `It needs the ${missing}, which the server refuses`);
      continue;
    }
    const write = writeOf(step, product);
    try {
      await send(client, write);
    } catch (error) {
      const refusal = refusalOf(error, write);
      if (refusal === undefined) throw error;
      refuse(step, refusal);
    }
  }
  return refusals;
}

function writeOf({ kind, body, target }: PlanStep, product: string): Write {
  const fields = { ...withMark<typeof body>(body, product), ...(kind === "segment" && { status: "ACTIVE" }) };
  return target ? update(kind, target, fields, `Migrated again from ${product}`) : creation(kind, fields);
}

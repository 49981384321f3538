import { type Client, type FeatureFlagCreate, isAssayError, type SegmentCreate } from "@assay/client";
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
  const refuse = ({ kind, key }: PlanStep, reason: string) => {
    refused.add(`${kind} ${key}`);
    refusals.push({ kind, key, reason });
  };
  for (const step of steps) {
    if (step.action !== "create" && step.action !== "update") continue;
    const missing = step.needs.find((name) => refused.has(name));
    if (missing !== undefined) {
      refuse(step, `It needs the ${missing}, which the server refuses`);
      continue;
    }
    try {
      await perform(step, product, client);
    } catch (error) {
      if (!isAssayError(error) || ![400, 403, 404, 409, 413, 422].includes(error.status)) throw error;
      const [issue] = error.issues;
      refuse(step, issue ? `${issue.loc.slice(1).join(".")}: ${issue.msg}` : error.detail);
    }
  }
  return refusals;
}

async function perform(step: PlanStep, product: string, client: Client): Promise<void> {
  const { kind, key, action } = step;
  if (kind === "experiment") {
    await client.request("POST /experiments/", { body: withMark(step.body, product) });
  } else if (kind === "segment") {
    const body = { ...withMark(step.body, product), status: "ACTIVE" } as SegmentCreate;
    if (action === "create") await client.request("POST /segments", { body });
    else await client.request("PUT /segments/{id}", { params: { id: key }, body });
  } else {
    const body = withMark(step.body, product) as FeatureFlagCreate;
    if (action === "create") await client.request("POST /feature-flags/", { body });
    else {
      const reason = `Migrated again from ${product}`;
      await client.request("PUT /feature-flags/{id}", { params: { id: key }, body: { ...body, reason } });
    }
  }
}

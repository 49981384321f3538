import {
  type Client,
  type ExperimentCreate,
  type FeatureFlagCreate,
  isAssayError,
  type SegmentCreate,
} from "@assay/client";
import { failure } from "../failure.ts";
import type { Step } from "./comparison.ts";

/**
 * Does the steps in the target, as the user of the client. A new flag is off, and a new experiment is a DRAFT.
 * @throws {CommandFailure} naming the step that the server refuses; those before it are done
 */
export async function promote(target: Client, steps: readonly Step[], from: string): Promise<void> {
  for (const step of steps) {
    if (step.refusal !== null) continue;
    try {
      await (step.action === "create" ? create(target, step) : update(target, step, from));
    } catch (error) {
      if (!isAssayError(error)) throw error;
      throw failure(`${step.kind} ${step.key}: ${error.detail}`, error);
    }
  }
}

function create(target: Client, { kind, changes }: Step): Promise<unknown> {
  // Null is the value of an absent field; some fields take only values when they are created.
  const body: unknown = Object.fromEntries(changes.filter(({ to }) => to !== null).map(({ field, to }) => [field, to]));
  if (kind === "segment") return target.request("POST /segments", { body: body as SegmentCreate });
  if (kind === "experiment") {
    return target.request("POST /experiments/", { body: body as ExperimentCreate });
  }
  return target.request("POST /feature-flags/", {
    body: { ...(body as FeatureFlagCreate), status: "INACTIVE" },
  });
}

/** Changes only the version that was compared, so that a change that someone made meanwhile stays. */
function update(target: Client, { kind, key, version, changes }: Step, from: string): Promise<unknown> {
  const headers = { "If-Match": `"v${version}"` };
  const body = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
  if (kind === "segment") return target.request("PUT /segments/{id}", { params: { id: key }, body, headers });
  if (kind === "experiment") {
    return target.request("PUT /experiments/{experiment_id}", { params: { experiment_id: key }, body, headers });
  }
  const reason = `Promoted from ${from}`;
  return target.request("PUT /feature-flags/{id}", { params: { id: key }, body: { ...body, reason }, headers });
}

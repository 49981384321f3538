import type { Client } from "@assay/client";
import type { Target } from "@assay/client/definitions";
import { segmentsOf } from "./mapping/complete.ts";
import type { ExperimentBody, FlagBody, MigratedFlag, Migration, SegmentBody } from "./mapping/migration.ts";
import { isSameJson, isUntouched, splitMark } from "./mark.ts";
import { findFlag, findOrNull, findSegment, type Stored } from "./stored.ts";

/**
 * What happens to a document: `create`, `update` (only what a migration made and nobody changed, or with consent), `none`
 * if it is equal already, `keep` if it stays as it is although it differs. Without a server, everything is `create`.
 */
export type Action = "create" | "update" | "none" | "keep";

interface Step<Kind extends string, Body> {
  kind: Kind;
  key: string;
  action: Action;
  /** Why it is kept. */
  reason?: string | undefined;
  /** What it refers to, such as `segment Staff`. */
  needs: readonly string[];
  body: Body;
  /** What an update changes, in the version that the plan compared. */
  target?: Target | undefined;
}

export type SegmentStep = Step<"segment", SegmentBody>;
export type FlagStep = Step<"flag", FlagBody> & { flag: MigratedFlag };
export type ExperimentStep = Step<"experiment", ExperimentBody>;
export type PlanStep = SegmentStep | FlagStep | ExperimentStep;

/** Compares a migration with a server, and decides what to do. */
export async function makePlan(
  { segments, flags, experiments }: Migration,
  product: string,
  client: Client | null,
  force: boolean,
): Promise<PlanStep[]> {
  const steps: PlanStep[] = [];
  const kept = new Set<string>();
  const add = (step: PlanStep) => {
    const missing = step.needs.find((name) => kept.has(name));
    const isBlocked = missing !== undefined && (step.action === "create" || step.action === "update");
    const final = isBlocked
      ? { ...step, action: "keep" as const, reason: `It needs the ${missing}, which differs` }
      : step;
    if (final.action === "keep") kept.add(`${final.kind} ${final.key}`);
    steps.push(final);
  };
  const decide = <T extends { description: string }>(stored: Stored<T> | null, body: T) => ({
    ...decideOn(stored?.body ?? null, body, product, force),
    target: stored?.target,
  });
  for (const body of segments) {
    const stored = client && (await findSegment(client, body.name));
    const needs = (body.conditions ? segmentsOf(body.conditions) : []).map((name) => `segment ${name}`);
    add({ kind: "segment", key: body.name, body, needs, ...decide(stored, body) });
  }
  for (const flag of flags) {
    const { body } = flag;
    const stored = client && (await findFlag(client, body.key));
    const needs = [
      ...body.rules.flatMap(({ when }) => segmentsOf(when)).map((name) => `segment ${name}`),
      ...body.prerequisites.map(({ flag_key }) => `flag ${flag_key}`),
    ];
    add({ kind: "flag", key: body.key, flag, body, needs, ...decide(stored, body) });
  }
  for (const body of experiments) {
    const path = { params: { experiment_id: body.key } };
    const stored = client && (await findOrNull(client.request("GET /experiments/{experiment_id}", path)));
    const action = stored ? "none" : "create";
    add({ kind: "experiment", key: body.key, action, body, needs: [`flag ${body.feature_flag_key}`] });
  }
  return steps;
}

function decideOn<T extends { description: string }>(
  found: T | null,
  body: T,
  product: string,
  force: boolean,
): { action: Action; reason?: string } {
  if (found === null) return { action: "create" };
  const stored = splitMark(found);
  if (stored.product === product && isSameJson(stored.body, body)) return { action: "none" };
  if (force) return { action: "update" };
  if (stored.product === undefined) return { action: "keep", reason: "It was in Assay before, and differs" };
  if (stored.product !== product) return { action: "keep", reason: `It was migrated from ${stored.product}` };
  if (isUntouched(stored.body, stored.fingerprint)) return { action: "update" };
  return { action: "keep", reason: "Someone changed it in Assay since it was migrated" };
}

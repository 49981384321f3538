import type { WireCondition } from "../targeting/condition.ts";
import type { Trace } from "../targeting/scope.ts";
import type { Prerequisite } from "./definition.ts";
import type { EvaluationResult, TraceStep } from "./result.ts";

/** Begins an explanation where one is wanted. */
export function startTrace(wanted: boolean | undefined): Trace {
  return wanted ? [] : null;
}

/** Adds a step to an explanation, where one was asked for. */
export function note(
  trace: Trace,
  step: TraceStep["step"],
  subject: string,
  matched: boolean,
  detail = matched ? "holds" : "does not hold",
): void {
  if (trace !== null) trace.push({ step, subject, matched, detail });
}

/** Adds what a condition without parts came to. */
export function noteCondition(trace: Trace, condition: WireCondition, matched: boolean): void {
  if (trace === null) return;
  const { attribute, operator, value } = condition;
  const parts = [attribute, operator, JSON.stringify(value)].filter((part) => part !== undefined);
  note(trace, "CONDITION", parts.join(" "), matched);
}

/** Adds whether another flag, which may be missing, answered as it has to. */
export function notePrerequisite(
  trace: Trace,
  { flag_key }: Prerequisite,
  matched: boolean,
  result: EvaluationResult | undefined,
): void {
  if (trace === null) return;
  const detail = result ? `served ${JSON.stringify(result.value)} (${result.reason})` : "no such flag";
  note(trace, "PREREQUISITE", flag_key, matched, detail);
}

/** Adds whether a hash is in the slots of the holdout or of a group, by the key of their hash line. */
export function noteBarrier(trace: Trace, key: string, isInside: boolean, bucket: number): void {
  if (trace === null) return;
  const isHoldout = key.startsWith("holdout:");
  const subject = isHoldout ? key.slice("holdout:".length) : key.replace(":", " ");
  note(trace, isHoldout ? "HOLDOUT" : "BLOCK", subject, isInside, `bucket ${bucket}`);
}

/** Adds a draw; `bucket` is negative where nothing was hashed, because the rollout is the same for everyone. */
export function noteDraw(trace: Trace, key: string, matched: boolean, bucket: number, rollout: number): void {
  if (trace === null) return;
  const detail = bucket < 0 ? `${rollout} % of everyone` : `bucket ${bucket.toFixed(6)} at ${rollout} %`;
  note(trace, "ROLLOUT", key, matched, detail);
}

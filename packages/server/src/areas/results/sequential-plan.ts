import { type GroupSequential, MAX_PLANNED_LOOKS, type SequentialQuery } from "@assay/contract";
import type { z } from "zod";
import { invalid } from "../../ground/errors.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { type ExperimentPlan, plannedUsers, planOf } from "../../model/experiment-plan.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { DEFAULT_EXPECTED_LIFT, type Expectation } from "./mixing.ts";

type Query = z.output<typeof SequentialQuery>;

/** The design if neither the request nor the experiment's group_sequential names one. */
const DEFAULT_DESIGN: GroupSequential = { looks: 5, spending_function: "obrien_fleming" };

/** @throws ApiError 422 for group_sequential without planned users, or with too many looks */
export function requirePlan(record: ExperimentRecord, query: Query): void {
  if (query.method !== "group_sequential") return;
  const plan = planFor(record, query);
  const refusal = (name: string, message: string) => invalid(["query", name], message, "no_plan");
  if (plan === null) {
    throw refusal("planned_users", "group_sequential needs planned_users, or the experiment's planned_sample_size");
  }
  if (plan.looks > MAX_PLANNED_LOOKS) {
    throw refusal("num_looks", `group_sequential takes at most ${MAX_PLANNED_LOOKS} looks`);
  }
}

/** Returns the plan of the experiment, overridden by the request, or null without one. */
export function planFor(record: ExperimentRecord, query: Query): ExperimentPlan | null {
  const users = query.planned_users ?? plannedUsers(record) ?? record.planned_sample_size;
  return users === null ? null : { ...designFor(record, query), users };
}

/** Returns the looks of the experiment's plan, overridden by the request. */
export function designFor(record: ExperimentRecord, { num_looks, spending_function }: Query): GroupSequential {
  const own = planOf(record);
  const design = own && own.looks > 1 ? own : DEFAULT_DESIGN;
  return { looks: num_looks ?? design.looks, spending_function: spending_function ?? design.spending_function };
}

/** Returns the effect to tune the test for: that of the request, otherwise of the plan, otherwise the default. */
export function expectationOf(record: ExperimentRecord, { expected_lift, alpha }: Query, arm: number): Expectation {
  const planned = plannedUsers(record);
  if (expected_lift !== undefined || planned === null) {
    return { kind: "LIFT", lift: expected_lift ?? DEFAULT_EXPECTED_LIFT };
  }
  const arms = armsOf(record);
  const total = arms.reduce((sum, { weight }) => sum + weight, 0);
  const users = (one: number) => Math.max(1, (planned * arms[one]!.weight) / total);
  return { kind: "PLAN", users: { control: users(0), treatment: users(arm) }, alpha };
}

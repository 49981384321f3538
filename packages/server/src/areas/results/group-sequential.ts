import type { Look } from "@assay/analysis";
import type { Adjustment, SequentialResults } from "@assay/contract";
import { type Interval, normalQuantile } from "@assay/core/stats";
import { groupSequentialPValue, type SpendingLook, spendingLooks, stagewiseEstimate } from "@assay/core/stats/planning";
import type { Steps } from "../../ground/slices.ts";
import type { ExperimentPlan } from "../../model/experiment-plan.ts";
import { comparePair } from "./comparison.ts";
import { marginPValueOf } from "./hypothesis.ts";
import { MIN_USERS } from "./looks.ts";

/** The looks of a plan so far, with the boundaries on their days. */
export interface TakenLooks {
  plan: ExperimentPlan;
  alpha: number;
  taken: { look: Look; users: number; boundary: SpendingLook }[];
  /** Whether the planned size was reached, so that no look is left. */
  isOver: boolean;
}

/** One metric of a treatment at one look. */
interface TakenLook {
  date: string;
  n: number;
  difference: number | null;
  /** p-value of this look alone. */
  pValue: number | null;
  /** Intervals of the difference and of the lift, at the boundary of the look. */
  confidenceInterval: Interval | null;
  relativeConfidenceInterval: Interval | null;
}

/** One metric of a treatment over the looks taken. */
export interface GroupSequentialTest {
  looks: TakenLook[];
  /** Over the looks: the smallest level whose boundary was crossed. */
  pValue: number | null;
  /** Likewise for the margin, one-sided; null without a margin. */
  marginPValue: number | null;
  standardError: number | null;
  /** The adjustment of the last look; absent if the experiment does not adjust metrics. */
  adjustment: Adjustment | undefined;
  stopped: SequentialResults["metrics"][number]["stopped"];
  status: string;
}

/** Looks that are closer than this share of the plan to each other, or to its end, count as one. */
const MIN_RISE = 0.001;
/** The z of a p-value that rounds to 0. */
const MAX_Z = 37;
/** The level of an interval at a boundary that cannot be crossed. */
const LEAST_LEVEL = 1e-300;

const usersOf = ({ users }: Look) => users.reduce((sum, n) => sum + n, 0);

/**
 * Finds the first day on which each share of the planned users was reached, and the boundaries for the actual users. A
 * day that reaches several shares is one look. Days after the planned size are no looks.
 */
export function* takeLooks(days: readonly Look[], plan: ExperimentPlan, alpha: number): Steps<TakenLooks> {
  const looks: Look[] = [];
  const fractions: number[] = [];
  const information: number[] = [];
  let next = 1 / plan.looks;
  for (const day of days) {
    const share = usersOf(day) / plan.users;
    const isLast = share >= 1 - MIN_RISE;
    if (!isLast && (share < next || share < (fractions.at(-1) ?? 0) + MIN_RISE)) continue;
    looks.push(day);
    fractions.push(isLast ? 1 : share);
    information.push(isLast ? Math.max(1, share) : share);
    if (isLast) break;
    next = (Math.floor(share * plan.looks) + 1) / plan.looks;
  }
  const boundaries: SpendingLook[] = [];
  for (const boundary of spendingLooks(plan.spending_function, fractions, { alpha, information })) {
    boundaries.push(boundary);
    yield;
  }
  const taken = looks.map((look, index) => ({ look, users: usersOf(look), boundary: boundaries[index]! }));
  return { plan, alpha, taken, isOver: fractions.at(-1) === 1 };
}

/** Tests metric number `metric` of an arm, counted from 1, at the looks taken. */
export function testTakenLooks(looks: TakenLooks, metric: number, arm: number): GroupSequentialTest {
  const seen = looks.taken.map(({ look, boundary }) => lookAt(look, boundary, looks.alpha, metric, arm));
  const last = seen.at(-1);
  const hasTest = seen.some(({ pValue }) => pValue !== null);
  const margins = seen.map(({ marginPValue }) => Math.max(0, scoreOf(marginPValue ?? 1)));
  const hasMargin = seen.some(({ marginPValue }) => marginPValue !== null);
  return {
    looks: seen,
    pValue: hasTest ? pValueOver(looks, seen.map(zOf)) : null,
    marginPValue: hasMargin ? pValueOver(looks, margins) / 2 : null,
    standardError: last?.standardError ?? null,
    adjustment: last?.adjustment,
    stopped: stopOf(looks, seen),
    status: last?.status ?? "INSUFFICIENT_DATA",
  };
}

function lookAt(look: Look, boundary: SpendingLook, alpha: number, metric: number, arm: number) {
  const statistics = look.metrics[metric]!;
  const { compared, control, treatment, adjustment } = comparePair(
    statistics,
    arm,
    boundary.nominalPValue || LEAST_LEVEL,
  );
  const counts = Math.min(control.n, treatment.n) >= MIN_USERS;
  return {
    date: look.date,
    n: (look.users[0] ?? 0) + (look.users[arm] ?? 0),
    difference: compared.difference,
    standardError: compared.standardError,
    adjustment,
    pValue: counts ? compared.pValue : null,
    marginPValue: counts ? marginPValueOf(statistics, arm, alpha) : null,
    confidenceInterval: counts ? compared.confidenceInterval : null,
    relativeConfidenceInterval: counts ? compared.relativeConfidenceInterval : null,
    status: compared.status === "OK" && !counts ? "INSUFFICIENT_DATA" : compared.status,
  };
}

/** Returns the first look beyond its boundary and its estimate of the effect, or null if there is none. */
function stopOf({ taken, alpha }: TakenLooks, seen: readonly TakenLook[]): GroupSequentialTest["stopped"] {
  const boundaries = taken.map(({ boundary }) => boundary);
  const look = seen.findIndex((one, index) => Math.abs(zOf(one)) > (boundaries[index]!.zBoundary ?? MAX_Z));
  const found = seen[look];
  if (!found) return null;
  const z = zOf(found);
  const { estimate, confidenceInterval, pValue } = stagewiseEstimate(
    boundaries.slice(0, look + 1),
    z,
    found.difference! / z,
    { alpha },
  );
  return { date: found.date, look: look + 1, estimate, confidence_interval: confidenceInterval, p_value: pValue };
}

/** Returns the z of a look with this two-sided p-value, or 0 without a test. */
function zOf({ difference, pValue }: Pick<TakenLook, "difference" | "pValue">): number {
  return pValue === null || difference === null ? 0 : Math.sign(difference) * scoreOf(pValue / 2);
}

/** Returns the z of a one-sided p-value. */
function scoreOf(pValue: number): number {
  if (pValue >= 1) return -MAX_Z;
  return pValue > 0 ? Math.min(MAX_Z, -normalQuantile(pValue)) : MAX_Z;
}

function pValueOver({ plan, taken }: TakenLooks, z: readonly number[]): number {
  const fractions = taken.map(({ boundary }) => boundary.informationFraction);
  const information = taken.map(({ boundary }) => boundary.information);
  return groupSequentialPValue(plan.spending_function, fractions, z, { information });
}

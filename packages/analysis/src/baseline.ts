import type { JointMoments } from "@assay/core/stats";
import { segmentsOf } from "./breakdown.ts";
import { type Contributions, contributionsOf } from "./cluster-adjustment.ts";
import { sumByCluster } from "./clusters.ts";
import type { EventLog } from "./event-log.ts";
import type { Participants } from "./exposure.ts";
import { type Grouping, groupedMomentsOf } from "./grouped-moments.ts";
import { ones, outcomeCells, planTallies, type SlotRange } from "./metric.ts";
import type { Metric } from "./metric-definition.ts";
import type { Span, Subject } from "./subject.ts";
import { createTallies } from "./tally.ts";
import type { TallyColumn } from "./tally-column.ts";

/** The maximum number of groups of an attribute; smaller groups are merged. */
const MAX_GROUPS = 20;

/** How the metrics of an experiment are adjusted by data about users before their first exposure. */
export interface BaselinePlan {
  /** CUPED adjusts by the metric's own earlier value, REGRESSION also by covariates and attributes. */
  method: "CUPED" | "REGRESSION";
  /** How long before a user's first exposure events count, in milliseconds. */
  lookbackMs: number;
  /** Ids of metrics whose earlier value is a covariate of every metric. */
  covariates: readonly string[];
  /** Names of attributes of users' first exposures. */
  attributes: readonly string[];
}

/** The outcomes of a metric with data about the same users before their exposure. */
export interface Baseline {
  method: BaselinePlan["method"];
  /** Ids of metrics and names of attributes that serve as covariates. */
  covariates: string[];
  /**
   * Per arm the moments of [outcome, covariates] per user; of a ratio of [numerator, denominator, covariates]; null for a
   * quantile, where only totals are known, where users were drawn in clusters, and of too many groups.
   */
  arms: JointMoments[] | null;
  /** Per arm what its clusters contribute, in place of `arms`, where users were drawn in clusters. */
  clusters?: Contributions[];
  /** Number of users whose covariate is not 0, by covariate and arm. */
  carriers: number[][];
}

/** Returns the baseline of a metric with its outcomes, for a range of participants. */
export type BaselineOf = (metric: Metric, outcomes: readonly TallyColumn[], range: SlotRange) => Baseline;

/** For some metrics, a pass over all events, what gives their baselines. */
export type Baselines = (some: readonly Metric[]) => BaselineOf;

/** Baselines of which nothing is known. */
export function withoutBaselines(plan: BaselinePlan): Baselines {
  return () => () => nothingKnown(plan);
}

/** The earlier behaviour of the participants by one metric. */
interface Earlier {
  metric: Metric;
  tallies: readonly TallyColumn[];
}

/**
 * What is known of participants before their exposure: values of metrics within the look-back, regardless of when the
 * events were received, and groups by attributes of first exposures. Users without earlier events have 0. Of stays, the
 * values are those before their person's first stay, which no arm can have changed.
 *
 * @returns null if the subject has no plan
 */
export function createBaselines(
  log: EventLog,
  subject: Subject,
  { spans, participants, metrics }: { spans: readonly Span[]; participants: Participants; metrics: readonly Metric[] },
): Baselines | null {
  const { baseline: plan } = subject;
  if (!plan) return null;
  const everything = [{ from: 0, to: log.rows.length, exposes: false }];

  const visitors = visitorsOf(log, participants);

  function earlierOf(some: readonly Metric[]): Earlier[] {
    const plans = some.map((metric) => planTallies(metric).map((one) => ({ ...one, windowMs: plan!.lookbackMs })));
    const tallies = createTallies(
      log,
      subject,
      visitors?.participants ?? participants,
      plans.flat(),
      "BEFORE_EXPOSURE",
    );
    tallies.add(everything);
    const columns = [...tallies.columns];
    return some.map((metric, index) => ({ metric, tallies: columns.splice(0, plans[index]!.length) }));
  }

  const named = (subject.metrics ?? metrics).filter(
    ({ id, kind }) => plan.covariates.includes(id) && kind !== "QUANTILE",
  );
  const shared = earlierOf(named);
  const groupings = plan.attributes.map((name) => groupingOf(log, subject, spans, participants, name));
  return (some) => {
    const missing = some.filter(({ id, kind }) => kind !== "QUANTILE" && !named.some((one) => one.id === id));
    const own = new Map([...shared, ...earlierOf(missing)].map((one) => [one.metric.id, one]));
    return (metric, outcomes, range) => {
      const first = own.get(metric.id);
      if (!first) return nothingKnown(plan);
      const earlier = [first, ...shared.filter((one) => one !== first)];
      const covariates = earlier.flatMap((one) => cellsBefore(one, visitors, range));
      const groups = groupings.map(({ count, codes }) => ({ count, codes: codes.subarray(range.from, range.to) }));
      const armOf = participants.arms.subarray(range.from, range.to);
      const arms = subject.variants.length;
      const values = outcomeCells(metric, outcomes, range);
      return {
        method: plan.method,
        covariates: [...earlier.map((one) => one.metric.id), ...plan.attributes],
        ...(participants.clusters
          ? { arms: null, clusters: clustersOf(participants, [values, covariates], groups, range, arms) }
          : { arms: groupedMomentsOf([...values, ...covariates], groups, armOf, arms) }),
        carriers: [
          ...covariates.map((column) => carriersOf(column, armOf, arms)),
          ...groups.flatMap((grouping) => membersOf(grouping, armOf, arms)),
        ],
      };
    };
  };
}

/** The persons of a switchback, each with a slot, and by stay the slot of its person. */
interface Visitors {
  participants: Participants;
  of: Int32Array;
}

/** Returns the persons behind the stays, since their first stay; null where participants are persons themselves. */
function visitorsOf({ persons, users }: EventLog, participants: Participants): Visitors | null {
  if (!persons) return null;
  const slots = new Int32Array(users.length).fill(-1);
  const of = new Int32Array(participants.length);
  const since: number[] = [];
  for (let stay = 0; stay < users.length; stay++) {
    const slot = participants.slots[stay]!;
    if (slot < 0) continue;
    const person = persons[stay]!;
    if (slots[person]! < 0) slots[person] = since.push(Number.POSITIVE_INFINITY) - 1;
    of[slot] = slots[person]!;
    since[of[slot]!] = Math.min(since[of[slot]!]!, participants.since[slot]!);
  }
  const { length } = since;
  return { participants: { ...participants, length, slots, since: Float64Array.from(since) }, of };
}

/** Returns the earlier values of participants; of stays, those of their persons before the first stay. */
function cellsBefore({ metric, tallies }: Earlier, visitors: Visitors | null, range: SlotRange): Float64Array[] {
  if (!visitors) return outcomeCells(metric, tallies, range);
  const own = outcomeCells(metric, tallies, { from: 0, to: visitors.participants.length });
  return own.map((cells) => Float64Array.from(visitors.of.subarray(range.from, range.to), (slot) => cells[slot]!));
}

/** Returns what clusters contribute to the outcome and its covariates. Slopes per user would take users for independent. */
function clustersOf(
  { arms: armOf, clusters }: Participants,
  [outcome, covariates]: readonly [outcome: Float64Array[], covariates: Float64Array[]],
  groups: readonly Grouping[],
  range: SlotRange,
  arms: number,
): Contributions[] {
  const { of, count } = clusters!;
  const { from, to } = range;
  function* columns() {
    const users = ones(range);
    yield* [outcome[0]!, outcome[1] ?? users, users, ...covariates];
    for (const { count: length, codes } of groups) {
      for (let group = 1; group < length; group++) yield Float64Array.from(codes, (code) => Number(code === group));
    }
  }
  return contributionsOf(
    sumByCluster(columns(), of.subarray(from, to), armOf.subarray(from, to), { count, arms }),
    arms,
  );
}

function nothingKnown({ method }: BaselinePlan): Baseline {
  return { method, covariates: [], arms: null, carriers: [] };
}

function carriersOf(column: ArrayLike<number>, armOf: Uint8Array, count: number): number[] {
  const carriers = new Array<number>(count).fill(0);
  for (let slot = 0; slot < armOf.length; slot++) if (column[slot] !== 0) carriers[armOf[slot]!]!++;
  return carriers;
}

/** Counts the participants per arm of each group except the largest. */
function membersOf({ count, codes }: Grouping, armOf: Uint8Array, arms: number): number[][] {
  const members = Array.from({ length: count }, () => new Array<number>(arms).fill(0));
  for (let slot = 0; slot < armOf.length; slot++) members[codes[slot]!]![armOf[slot]!]!++;
  return members.slice(1);
}

/** Groups the participants by an attribute of their first exposure, the largest group first. */
function groupingOf(
  log: EventLog,
  subject: Subject,
  spans: readonly Span[],
  participants: Participants,
  attribute: string,
): Grouping {
  const { names, groups } = segmentsOf(log, subject, spans, participants, attribute, MAX_GROUPS);
  return { count: names.length, codes: Uint8Array.from(groups) };
}

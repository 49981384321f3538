import {
  type AnswerTo,
  type Cells,
  type CellTally,
  defaultMetrics,
  type EngineMoment,
  groupsOfCells,
  type Metric,
  type Question,
  type Subject,
  statisticsOfCells,
  type TallyPlan,
  tallyPlans,
} from "@assay/analysis";
import type { Connection } from "./connection.ts";
import type { LogSource } from "./selection.ts";
import { cellsSql, joinsSql, typesSql } from "./sums-sql.ts";
import { fromText } from "./text.ts";

/** The questions whose participants ClickHouse sums up. */
type Summed = Extract<Question, { about: "statistics" | "periods" }>;

/** With more event types, the order in which the log has known them decides which become metrics. */
const MAX_TYPES = 100;

/** A row of `cellsSql`: flags, arm from 1, since, and a number or list per plan. */
type CellRow = [
  is_forced: unknown,
  is_crossed: unknown,
  is_explicit: unknown,
  arm: number,
  since: number,
  ...unknown[],
];

/**
 * Answers a question from one row per user, which ClickHouse sums up. Null for a question that needs more: about clusters,
 * joined ids, baselines, days or segments.
 */
export async function answerFromSums(
  connection: Connection,
  source: LogSource,
  subject: Subject,
  question: Question,
  moment: EngineMoment,
): Promise<AnswerTo<Summed> | null> {
  const { clusters, switchback, baseline } = subject;
  if (question.about !== "statistics" && question.about !== "periods") return null;
  if (clusters === "REQUIRED" || switchback || baseline) return null;
  const [found] = await connection.select<{ joins: number }>(joinsSql(source, subject, moment));
  if (Number(found?.joins ?? 0) > 0) return null;
  const all = await metricsOf(connection, source, subject, moment);
  if (all === null) return null;
  const name = question.about === "periods" ? question.options.metric : null;
  const metrics = name === null ? all : named(all, name);
  const plans = tallyPlans(metrics);
  const users = createUsers(subject, plans.length);
  for await (const rows of connection.rows<CellRow>(cellsSql(source, subject, moment, plans))) rows.forEach(users.add);
  if (question.about === "statistics") return statisticsOfCells(subject, metrics, users.cells(plans));
  const { changes } = question.options;
  const ends = users.sortBy((since) => changes.filter((change) => change <= since).length, changes.length + 1);
  return groupsOfCells(subject, metrics, users.cells(plans), ends);
}

/** Returns the metrics of an experiment; of one that names none, those of its event types; null if these are too many. */
async function metricsOf(
  connection: Connection,
  source: LogSource,
  subject: Subject,
  moment: EngineMoment,
): Promise<readonly Metric[] | null> {
  if (subject.metrics !== null) return subject.metrics;
  const rows = await connection.select<{ event_type: string; amounts: number }>(typesSql(source, subject, moment));
  if (rows.length > MAX_TYPES) return null;
  const types = rows.map(({ event_type, amounts }) => ({ type: fromText(event_type), hasValues: Number(amounts) > 0 }));
  return defaultMetrics(types.sort((a, b) => (a.type < b.type ? -1 : 1)));
}

/** Returns the metric with an id, otherwise with a name. */
function named(metrics: readonly Metric[], idOrName: string): Metric[] {
  const found = metrics.find(({ id }) => id === idOrName) ?? metrics.find(({ name }) => name === idOrName);
  return found ? [found] : [];
}

/** Gathers the users of an experiment, and who of them participates. */
function createUsers({ keepsFirstArm }: Subject, plans: number) {
  let arms: number[] = [];
  let since: number[] = [];
  let columns: unknown[][] = Array.from({ length: plans }, () => []);
  const counts = { crossover: 0, forced: 0, inferred: 0 };

  return {
    add([isForced, isCrossed, isExplicit, arm, time, ...cells]: CellRow): void {
      if (Number(isForced) === 1) {
        counts.forced++;
        return;
      }
      if (Number(isCrossed) === 1) {
        counts.crossover++;
        if (!keepsFirstArm) return;
      }
      if (Number(isExplicit) === 0) counts.inferred++;
      arms.push(Number(arm) - 1);
      since.push(Number(time));
      for (const [index, cell] of cells.entries()) columns[index]!.push(cell);
    },
    /** Sorts the participants by a group, below `count`. Returns where each group ends. */
    sortBy(groupOf: (since: number) => number, count: number): number[] {
      const groups = since.map(groupOf);
      const order = [...groups.keys()].sort((a, b) => groups[a]! - groups[b]!);
      arms = order.map((index) => arms[index]!);
      since = order.map((index) => since[index]!);
      columns = columns.map((column) => order.map((index) => column[index]));
      const ends = new Array<number>(count).fill(0);
      for (const group of groups) ends[group]!++;
      for (let group = 1; group < count; group++) ends[group]! += ends[group - 1]!;
      return ends;
    },
    cells(of: readonly TallyPlan[]): Cells {
      const tallies = columns.map((column, index) => toTally(of[index]!, column));
      return { arms: Uint8Array.from(arms), ...counts, tallies };
    },
  };
}

function toTally({ operation }: TallyPlan, column: readonly unknown[]): CellTally {
  if (operation !== "LIST")
    return { cells: Float64Array.from(column, (cell) => (cell === null ? Number.NaN : Number(cell))) };
  const values: number[] = [];
  const slots: number[] = [];
  for (const [slot, cell] of column.entries()) {
    for (const value of cell as number[]) {
      values.push(value);
      slots.push(slot);
    }
  }
  return { values, slots };
}

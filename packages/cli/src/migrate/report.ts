import type { Outcome } from "./apply.ts";
import type { MigratedFlag, Migration } from "./mapping/migration.ts";
import type { PlanStep } from "./plan.ts";
import { countMoved, type Moved } from "./sample.ts";

/** How a document answers compared with the source. */
export type Match = "exactly" | "nearly" | "not migrated";

/** One line of a report. */
export interface ReportLine {
  kind: PlanStep["kind"];
  key: string;
  match: Match;
  action: PlanStep["action"] | Outcome["action"];
  /** Why it differs, is kept or is not migrated. */
  reasons: string[];
  notes: string[];
  /** For each draw by hash, how many ids of the sample get another arm. */
  moved: Moved[];
  /** The proposal of a change that another user approves. */
  proposal?: Outcome["proposal"];
}

/** Describes a plan, or with outcomes what became of it. */
export function toReport(
  { skipped }: Migration,
  steps: readonly PlanStep[],
  outcomes: readonly Outcome[],
  ids: readonly string[],
): ReportLine[] {
  const lines = steps.map((step): ReportLine => {
    const { kind, key, action, reason } = step;
    const outcome = outcomes.find((one) => one.kind === kind && one.key === key);
    const about =
      kind === "flag" ? describeFlag(step.flag, ids) : { match: "exactly" as const, reasons: [], notes: [], moved: [] };
    const reasons = [...about.reasons, ...(reason ? [reason] : []), ...(outcome?.reason ? [outcome.reason] : [])];
    if (!outcome) return { kind, key, ...about, action, reasons };
    return { kind, key, ...about, action: outcome.action, reasons, proposal: outcome.proposal };
  });
  const none = { match: "not migrated", action: "none", notes: [], moved: [] } as const;
  return [
    ...lines,
    ...skipped.map(({ kind, key, reason }) => ({ ...none, kind, key, notes: [], moved: [], reasons: [reason] })),
  ];
}

function describeFlag({ body, differences, notes, draws }: MigratedFlag, ids: readonly string[]) {
  const isExact = differences.length === 0 && draws.length === 0;
  const match: Match = isExact ? "exactly" : "nearly";
  return { match, reasons: [...differences], notes, moved: countMoved(body, draws, ids) };
}

/** Formats a report, one document a paragraph, and a last line with their numbers. */
export function formatReport(lines: readonly ReportLine[], product: string, isApplied: boolean): string {
  const paragraphs = lines.map((line) => {
    const { kind, key, match, action, reasons, notes, moved, proposal } = line;
    const head = match === "not migrated" ? match : `${match}, ${verbOf(action, isApplied)}`;
    const shares = moved.map(
      (one) => `  ${one.subject}: ${count(one.moved)} of ${count(one.of)} sample users change arms (${percent(one)})`,
    );
    return [
      `${kind} ${key}: ${head}`,
      ...(proposal ? [`  Proposal ${proposal.id}${proposal.is_new ? "" : ", which was open already"}`] : []),
      ...reasons.map((one) => `  ${one}`),
      ...shares,
      ...notes.map((one) => `  Left out: ${one}`),
    ].join("\n");
  });
  const number = (wanted: Match) => lines.filter(({ match }) => match === wanted).length;
  const total = `${product}: ${number("exactly")} exactly, ${number("nearly")} nearly, ${number("not migrated")} not migrated`;
  return [...paragraphs, total].join("\n");
}

function verbOf(action: ReportLine["action"], isApplied: boolean): string {
  const verbs = { create: ["to create", "created"], update: ["to update", "updated"] } as const;
  if (action === "none") return "unchanged";
  if (action === "keep") return "kept as it is in Assay";
  if (action === "waiting") return "not proposed";
  if (action === "proposed") return action;
  return action === "refused" ? "refused by the server" : verbs[action][isApplied ? 1 : 0];
}

const count = (number: number) => number.toLocaleString("en");
const percent = ({ moved, of }: Moved) => `${((100 * moved) / Math.max(1, of)).toFixed(1)} %`;

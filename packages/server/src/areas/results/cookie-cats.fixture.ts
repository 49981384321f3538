import { readFileSync } from "node:fs";
import type { AnalysisOptions } from "../../analysis/analysis.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { createTracking } from "../tracking/tracking.fixture.ts";

const FILE = new URL("../../../../../examples/cookie-cats/cookie_cats.csv", import.meta.url);
const BATCH = 1500;

/** Converts a player's row to the events that an app would send. */
function toEvents(line: string): object[] {
  const [user_id, variant_id, rounds, day1, day7] = line.split(",");
  return [
    { event_type: "exposure", user_id, experiment_id: "gate", variant_id, event_metadata: { digit: user_id!.at(-1) } },
    { event_type: "rounds", user_id, value: Number(rounds) },
    ...(day1 === "TRUE" ? [{ event_type: "retention_1", user_id }] : []),
    ...(day7 === "TRUE" ? [{ event_type: "retention_7", user_id }] : []),
  ];
}

/**
 * Sends the real experiment through the tracking service. Players have the last digit of their id as an attribute, for
 * breakdowns. `before` returns the events to send before those of a player.
 */
export async function playedCookieCats(
  changes: Partial<ExperimentRecord> = {},
  options: AnalysisOptions & { before?: (line: string) => object[] } = {},
) {
  const { before, ...analysis } = options;
  const app = await createTracking({ chunkRows: 50_000, ...analysis });
  const metric = { direction: "INCREASE", role: "PRIMARY" } as const;
  await app.addExperiment({
    key: "gate",
    variants: ["gate_30", "gate_40"].map((key) => ({
      id: key,
      key,
      name: key,
      weight: 50,
      is_control: key === "gate_30",
    })),
    metrics: [
      { ...metric, id: "retention_1", name: "retention_1", event_type: "retention_1", kind: "CONVERSION" },
      { ...metric, id: "retention_7", name: "retention_7", event_type: "retention_7", kind: "CONVERSION" },
      { ...metric, id: "rounds", name: "rounds", event_type: "rounds", kind: "MEAN" },
      { ...metric, id: "trimmed", name: "trimmed", event_type: "rounds", kind: "MEAN", winsorize_pct: 0.001 },
    ],
    ...changes,
  });
  const lines = readFileSync(FILE, "utf8").trim().split(/\r?\n/).slice(1);
  for (let from = 0; from < lines.length; from += BATCH) {
    const some = lines.slice(from, from + BATCH);
    if (before) await app.tracking.events(some.flatMap(before));
    await app.tracking.events(some.flatMap(toEvents));
  }
  return app;
}

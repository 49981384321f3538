import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ANALYST, createTracking } from "../tracking/tracking.fixture.ts";

const FILE = new URL("../../../../../examples/cookie-cats/cookie_cats.csv", import.meta.url);
const BATCH = 1500;

/** A player's row as the events an app would send. */
function toEvents(line: string): object[] {
  const [user_id, variant_id, rounds, day1, day7] = line.split(",");
  return [
    { event_type: "exposure", user_id, experiment_id: "gate", variant_id },
    { event_type: "rounds", user_id, value: Number(rounds) },
    ...(day1 === "TRUE" ? [{ event_type: "retention_1", user_id }] : []),
    ...(day7 === "TRUE" ? [{ event_type: "retention_7", user_id }] : []),
  ];
}

async function played() {
  const app = await createTracking({ segmentRows: 50_000 });
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
  });
  const lines = readFileSync(FILE, "utf8").trim().split(/\r?\n/).slice(1);
  for (let from = 0; from < lines.length; from += BATCH) {
    await app.tracking.events(lines.slice(from, from + BATCH).flatMap(toEvents));
  }
  return app;
}

describe("the Cookie Cats experiment", () => {
  it("comes out as everyone finds it, before and after compaction", async () => {
    const app = await played();
    const results = await app.results.get("gate", ANALYST);
    expect(results.sample_size).toEqual({ control: 44_700, treatment: 45_489 });
    expect(results).toMatchObject({ crossover: 0, forced: 0, analysis_warnings: [], srm: { warning: false } });
    expect(results.srm.p_value).toBeCloseTo(0.0086, 4);
    const [day1, day7, rounds, trimmed] = results.metrics;
    expect(day1!.control_value).toBeCloseTo(0.448188, 6);
    expect(day1!.treatment_value).toBeCloseTo(0.442283, 6);
    expect(day1!.p_value).toBeCloseTo(0.0744, 4);
    expect(day1!.is_significant).toBe(false);
    expect(day7!.control_value).toBeCloseTo(0.190201, 6);
    expect(day7!.treatment_value).toBeCloseTo(0.182, 6);
    expect(day7!.p_value).toBeCloseTo(0.001556, 6);
    expect(day7!.is_significant).toBe(true);
    expect(rounds!.control_value).toBeCloseTo(52.456264, 6);
    expect(rounds!.treatment_value).toBeCloseTo(51.298776, 6);
    // One player of 49,854 rounds makes half of the standard error.
    expect(trimmed!.standard_error).toBeLessThan(0.8 * rounds!.standard_error!);

    await app.analysis.compact();
    await app.experiments.update("id-of-gate", (record) => ({ ...record, name: "Gate" }), {
      actor: ANALYST.actor,
      action: "test",
    });
    expect((await app.results.get("gate", ANALYST)).metrics).toEqual(results.metrics);
    await app.close();
  });
});

import { describe, expect, it } from "vitest";
import { ANALYST } from "../tracking/tracking.fixture.ts";
import { playedCookieCats } from "./cookie-cats.fixture.ts";

describe("the Cookie Cats experiment", () => {
  it("comes out as everyone finds it, before and after compaction", async () => {
    const app = await playedCookieCats();
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

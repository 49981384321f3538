import { BreakdownQuery, CupedQuery, SequentialQuery, TimeseriesQuery } from "@assay/contract";
import { describe, expect, it } from "vitest";
import { purgeEvents } from "../../analysis/retention.ts";
import { isApiError } from "../../ground/errors.ts";
import { ANALYST, createTracking, HOUR, NOON, VIEWER } from "../tracking/tracking.fixture.ts";

/** Returns the events of `n` users per arm, exposed at noon. Some of them convert with a value. */
function eventsOf(n: number, converted: { control: number; treatment: number }) {
  return (["control", "treatment"] as const).flatMap((arm) =>
    Array.from({ length: n }, (_, index) => [
      { event_type: "exposure", user_id: `${arm}-${index}`, experiment_id: "checkout", variant_id: arm },
      ...(index < converted[arm] ? [{ event_type: "purchase", user_id: `${arm}-${index}`, value: 10 + index }] : []),
    ]).flat(),
  );
}

describe("results", () => {
  it("contain a conversion and a mean of every event type if the experiment names no metrics", async () => {
    const app = await createTracking();
    await app.addExperiment();
    await app.tracking.events(eventsOf(100, { control: 20, treatment: 40 }));
    const results = await app.results.get("checkout", ANALYST);
    expect(results.sample_size).toEqual({ control: 100, treatment: 100 });
    expect(results.metrics.map(({ name, kind, test }) => [name, kind, test])).toEqual([
      ["purchase", "CONVERSION", "TWO_PROPORTION_SCORE"],
      ["purchase_value", "MEAN", "WELCH_AND_POOLED_T"],
    ]);
    const [conversion] = results.metrics;
    expect(conversion).toMatchObject({ control_value: 0.2, treatment_value: 0.4, is_significant: true, status: "OK" });
    expect(conversion!.difference).toBeCloseTo(0.2, 12);
    expect(conversion!.p_value).toBeCloseTo(0.003450931666438, 12);
    // Holm: the smaller of two is doubled.
    const smaller = results.metrics.toSorted((a, b) => a.p_value - b.p_value)[0]!;
    expect(smaller.adjusted_p_value).toBeCloseTo(2 * smaller.p_value, 12);
    expect(results.srm).toMatchObject({ p_value: 1, warning: false, observed: { control: 100, treatment: 100 } });
    expect(results.analysis_warnings).toEqual([]);
  });

  it("contain empty numbers, not errors, without events", async () => {
    const app = await createTracking();
    await app.addExperiment();
    const results = await app.results.get("id-of-checkout", ANALYST);
    expect(results).toMatchObject({ metrics: [], sample_size: { control: 0, treatment: 0 }, srm: { p_value: null } });
  });

  it("report why a number is missing and stay valid numbers", async () => {
    const app = await createTracking();
    const metric = { event_type: "purchase", direction: "INCREASE", role: "PRIMARY" } as const;
    await app.addExperiment({
      metrics: [
        { ...metric, id: "m", name: "m", kind: "MEAN" },
        { ...metric, id: "r", name: "r", kind: "RATIO", denominator_event_type: "visit" },
        { ...metric, id: "q", name: "q", kind: "QUANTILE", quantile: 0.5 },
        { ...metric, id: "c", name: "c", kind: "CONVERSION" },
      ],
    });
    await app.tracking.events(eventsOf(1, { control: 0, treatment: 0 }));
    const { metrics } = await app.results.get("checkout", ANALYST);
    for (const row of metrics) {
      expect(row).toMatchObject({ difference: 0, p_value: 1, is_significant: false, adjusted_p_value: null });
      expect(row.status).not.toBe("OK");
    }
    expect(JSON.stringify(metrics)).not.toMatch(/NaN|Infinity/);
  });

  it("warn if winsorising makes all values equal", async () => {
    const app = await createTracking();
    const metric = { event_type: "purchase", direction: "INCREASE", role: "PRIMARY", kind: "MEAN" } as const;
    const warningsOf = async (winsorize_pct: number | null) => {
      await app.experiments.update(
        "id-of-checkout",
        (one) => ({ ...one, metrics: [{ ...metric, id: "m", name: "m", winsorize_pct }] }),
        {
          actor: ANALYST.actor,
          action: "test",
        },
      );
      return (await app.results.get("checkout", ANALYST)).analysis_warnings;
    };
    await app.addExperiment();
    await app.tracking.events(eventsOf(100, { control: 2, treatment: 3 }));
    expect(await warningsOf(0.1)).toEqual(["WINSORISED_TO_ONE_VALUE"]);
    expect(await warningsOf(0.01)).toEqual([]);
    expect(await warningsOf(null)).toEqual([]);
  });

  it("compare every treatment with control and adjust over all rows as configured", async () => {
    const app = await createTracking();
    const arms = ["control", "a", "b"].map((key) => ({
      id: key,
      key,
      name: key,
      weight: 1 / 3,
      is_control: key === "control",
    }));
    await app.addExperiment({ variants: arms, correction: "BONFERRONI" });
    const events = arms.flatMap(({ key }, arm) =>
      Array.from({ length: 90 }, (_, index) => ({
        event_type: index < 20 + 10 * arm ? "signup" : "exposure",
        user_id: `${key}-${index}`,
        experiment_id: "checkout",
        variant_id: key,
      })),
    );
    await app.tracking.events(events);
    const { metrics, sample_size, analysis_warnings } = await app.results.get("checkout", ANALYST);
    expect(metrics.map(({ variant }) => variant)).toEqual(["a", "b"]);
    for (const row of metrics) expect(row.adjusted_p_value).toBeCloseTo(Math.min(1, 2 * row.p_value), 12);
    expect(sample_size).toEqual({ control: 90, treatment: 180 });
    // No exposure was reported for the users who signed up.
    expect(analysis_warnings).toEqual(["EXPOSURES_INFERRED"]);
  });

  it("report events removed by age for experiments that had started by then", async () => {
    const app = await createTracking();
    await app.addExperiment();
    await app.tracking.events(eventsOf(10, { control: 1, treatment: 1 }));
    const purge = (before: number) =>
      purgeEvents(app.store, app.analysis, { before, holder: "test", signal: new AbortController().signal });
    const warningsOf = async (id: string) => {
      const answers = await Promise.all([
        app.results.get(id, ANALYST),
        app.results.sequential(id, SequentialQuery.parse({}), ANALYST),
        app.results.cuped(id, CupedQuery.parse({}), ANALYST),
        app.results.breakdown(id, BreakdownQuery.parse({ dimension: "country" }), ANALYST),
        app.results.timeseries(id, TimeseriesQuery.parse({}), ANALYST),
      ]);
      return answers.map(({ analysis_warnings }) => analysis_warnings.filter((one) => one === "EVENTS_REMOVED").length);
    };
    expect(await purge(NOON)).toBe(0);
    expect(await warningsOf("checkout")).toEqual([0, 0, 0, 0, 0]);

    app.clock.now += 2 * HOUR;
    await app.addExperiment({ key: "later", started_at: new Date(app.clock.now).toISOString() });
    expect(await purge(NOON + HOUR)).toBeGreaterThan(0);
    // A later purge with an earlier limit, as after an extended retention period, restores nothing.
    expect(await purge(NOON - 2 * HOUR)).toBe(0);
    expect(await warningsOf("checkout")).toEqual([1, 1, 1, 1, 1]);
    expect(await warningsOf("later")).toEqual([0, 0, 0, 0, 0]);
  });

  it("hide a DRAFT from roles that see approved experiments only", async () => {
    const app = await createTracking();
    await app.addExperiment({ status: "DRAFT", status_history: [] });
    await expect(app.results.get("checkout", VIEWER)).rejects.toSatisfy(
      (error) => isApiError(error) && error.status === 404,
    );
    await expect(app.results.get("checkout", ANALYST)).resolves.toMatchObject({ status: "DRAFT" });
  });

  it("contain every acknowledged event, and are the same object until there is a new one", async () => {
    const app = await createTracking();
    await app.addExperiment();
    await app.tracking.events(eventsOf(10, { control: 1, treatment: 1 }));
    const first = await app.results.get("checkout", ANALYST);
    app.clock.now = NOON + HOUR;
    expect(await app.results.get("checkout", ANALYST)).toBe(first);
    await app.tracking.track({ event_type: "purchase", user_id: "control-9" });
    const second = await app.results.get("checkout", ANALYST);
    expect(second.metrics[0]!.control_value).toBeCloseTo(0.2, 12);
  });
});

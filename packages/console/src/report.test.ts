import type { ConsoleAssets } from "@assay/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestConsole } from "./console.fixture.ts";
import { createClock, designCookieCats, playCookieCats } from "./cookie-cats.fixture.ts";
import { type ReportInput, toCharts, toCsv, toHtml, toSummary } from "./report.ts";

const HOSTILE = `<img src=x onerror="alert(1)"> & 'co'`;
const params = { experiment_id: "gate-level-40" };

let server: TestConsole;
let input: ReportInput;
beforeAll(async () => {
  const clock = createClock(Date.parse("2026-03-02T10:00:00Z"));
  server = await startServer(new Map() as ConsoleAssets, { now: clock.now, console: undefined });
  const metrics = [
    { name: "retention_7", event_type: "retention_7", role: "PRIMARY" },
    { name: '=1+1, "so"', id: "formula", event_type: "retention_1" },
    { name: "rounds", event_type: "rounds", kind: "MEAN", role: "GUARDRAIL" },
  ];
  await designCookieCats(server, { name: HOSTILE, metrics, planned_sample_size: 5000 });
  await playCookieCats(server, clock, { days: 4, every: 30 });
  const { admin } = server;
  const [experiment, overview, results] = await Promise.all([
    admin.request("GET /experiments/{experiment_id}", { params }),
    admin.request("GET /results/{experiment_id}/overview", { params }),
    admin.request("GET /results/{experiment_id}", { params }),
  ]);
  input = { experiment, overview, results };
});
afterAll(() => server?.close());

test("a summary has the decision, the users and the effects of the overview", () => {
  const { overview } = input;
  const summary = toSummary(input);
  expect(summary).toMatchObject({ key: "gate-level-40", state: "Running", sentence: overview.decision.sentence });
  expect(summary.facts[0]).toEqual({ label: "Users", value: "3,007 of 5,000 planned" });
  expect(summary.facts.at(-1)?.value).toBe("2026-03-05 10:00 UTC");
  const [row] = overview.metrics;
  const pp = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value * 100).toFixed(2)} pp`;
  expect(summary.rows[0]).toEqual({
    metric: "retention_7",
    role: "primary",
    treatment: "gate_40",
    controlValue: `${(row!.control_value * 100).toFixed(2)} %`,
    treatmentValue: `${(row!.treatment_value * 100).toFixed(2)} %`,
    difference: pp(row!.difference!),
    interval: `${pp(row!.interval![0])} to ${pp(row!.interval![1])}`,
    reading: "Inconclusive",
  });
});

test("CSV has the numbers of the overview in full, and no formula that a spreadsheet runs", () => {
  const [header, first, second, ...rest] = toCsv(input).split("\r\n");
  expect(rest).toHaveLength(2);
  const names = header!.split(",");
  const values = Object.fromEntries(first!.split(",").map((value, index) => [names[index], value]));
  const row = input.overview.metrics[0]!;
  expect(values).toMatchObject({
    experiment: "gate-level-40",
    metric: "retention_7",
    control: "gate_30",
    treatment: "gate_40",
    control_users: String(row.n.control),
    difference: String(row.difference),
    interval_low: String(row.interval![0]),
    interval_high: String(row.interval![1]),
    level: String(row.level),
    reading: row.reading,
  });
  expect(second).toContain(`,"'=1+1, ""so""",formula,`);
});

test("HTML has every number of the summary, no script, and escapes names", () => {
  const html = toHtml(input);
  for (const row of toSummary(input).rows.filter(({ metric }) => metric !== '=1+1, "so"')) {
    for (const cell of Object.values(row)) expect(html).toContain(`>${cell}<`);
  }
  expect(html).not.toMatch(/<script|<img|<link|javascript:|@import|url\(/i);
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;co&#39;");
  const addresses = [...html.matchAll(/https?:\/\/[^"\s<]+/g)].map(([address]) => address);
  expect(new Set(addresses)).toEqual(new Set(["http://www.w3.org/2000/svg"]));
});

test("charts are the effects by unit and the days, with their numbers", () => {
  const charts = toCharts(input);
  expect(charts.map(({ name }) => name)).toEqual(["effects", "effects-2", "days"]);
  // A name that is too long for its place is cut there.
  const overview = { ...input.overview, metrics: [{ ...input.overview.metrics[0]!, name: "n".repeat(255) }] };
  expect(toCharts({ ...input, overview })[0]!.svg).toContain(`>${"n".repeat(27)}…<`);
  const { interval, difference } = toSummary(input).rows[0]!;
  expect(charts[0]!.svg).toContain(interval);
  expect(charts[0]!.svg).toContain(`${difference} Inconclusive`);
  // The bar ends where the interval does, measured from the zero line.
  const bar = /data-part="interval" x1="([\d.]+)" x2="([\d.]+)"/.exec(charts[0]!.svg)!;
  const zero = Number(/x1="([\d.]+)" x2="[\d.]+" y1="72" y2="\d+" stroke="#1b1d1f"/.exec(charts[0]!.svg)![1]);
  const [low, high] = input.overview.metrics[0]!.interval!;
  expect((Number(bar[1]) - zero) / (Number(bar[2]) - zero)).toBeCloseTo(low / high, 1);
});

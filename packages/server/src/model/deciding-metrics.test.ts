import { expect, test } from "vitest";
import { decidingPValues, decidingRows, type Tested } from "./deciding-metrics.ts";

const row = (role: string, metric_id: string, pValue: number | null = null): Tested => ({
  role,
  metric_id,
  pValue,
  hypothesis: "SUPERIORITY",
  marginPValue: null,
});
const margin = (role: string, metric_id: string, pValue: number, marginPValue: number | null): Tested => ({
  ...row(role, metric_id, pValue),
  hypothesis: "NON_INFERIORITY",
  marginPValue,
});
const differences = (rows: Tested[]) => decidingPValues(rows).map(({ pValue }) => pValue);

test("PRIMARY metrics decide, and GUARDRAIL metrics are watched", () => {
  const rows = [row("SECONDARY", "a"), row("PRIMARY", "b"), row("GUARDRAIL", "c")];
  const { isPrimary, isWatched } = decidingRows(rows);
  expect(rows.map(isPrimary)).toEqual([false, true, false]);
  expect(rows.map(isWatched)).toEqual([false, true, true]);
});

test("the first metric decides without a PRIMARY one", () => {
  const rows = [row("SECONDARY", "a"), row("SECONDARY", "b"), row("GUARDRAIL", "c")];
  const { isPrimary, isWatched } = decidingRows(rows);
  expect(rows.map(isPrimary)).toEqual([true, false, false]);
  expect(rows.map(isWatched)).toEqual([true, false, true]);
});

test("p-values are adjusted over the primary rows, and over the guardrails, by Holm", () => {
  const rows = [
    row("PRIMARY", "a", 0.01),
    row("PRIMARY", "b", 0.02),
    row("SECONDARY", "c", 0.001),
    row("GUARDRAIL", "d", 0.03),
  ];
  expect(differences(rows)).toEqual([0.02, 0.02, null, 0.03]);
});

test("a row without a p-value counts as one of 1", () => {
  expect(differences([row("PRIMARY", "a", 0.01), row("PRIMARY", "b", null)])).toEqual([0.02, 1]);
  expect(decidingPValues([])).toEqual([]);
});

test("margins of primary metrics are adjusted with all that primary metrics claim, by Holm", () => {
  // The claims' two-sided p-values are 0.03 and 2 x 0.004; by Holm 0.03 and 0.016. The differences' are 0.03 and 0.8.
  const rows = [row("PRIMARY", "a", 0.03), margin("PRIMARY", "b", 0.8, 0.004), margin("SECONDARY", "c", 0.1, 0.001)];
  expect(decidingPValues(rows)).toEqual([
    { pValue: 0.06, marginPValue: null },
    { pValue: 0.8, marginPValue: 0.008 },
    { pValue: null, marginPValue: null },
  ]);
});

test("margins of guardrails are adjusted over the treatments, not over the guardrails", () => {
  const rows = [
    row("PRIMARY", "a", 0.01),
    row("PRIMARY", "a", 0.01),
    margin("GUARDRAIL", "b", 0.5, 0.01),
    margin("GUARDRAIL", "b", 0.5, 0.6),
    margin("GUARDRAIL", "c", 0.5, null),
  ];
  expect(decidingPValues(rows).map(({ marginPValue }) => marginPValue)).toEqual([null, null, 0.02, 1, 1]);
});

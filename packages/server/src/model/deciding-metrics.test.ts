import { expect, test } from "vitest";
import { decidingPValues, decidingRows } from "./deciding-metrics.ts";

const row = (role: string, metric_id: string, pValue: number | null = null) => ({ role, metric_id, pValue });

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
  expect(decidingPValues(rows)).toEqual([0.02, 0.02, null, 0.03]);
});

test("a row without a p-value counts as one of 1", () => {
  expect(decidingPValues([row("PRIMARY", "a", 0.01), row("PRIMARY", "b", null)])).toEqual([0.02, 1]);
  expect(decidingPValues([])).toEqual([]);
});

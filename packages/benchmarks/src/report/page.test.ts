import { describe, expect, it } from "vitest";
import type { Group } from "../measure/group.ts";
import { written } from "../measure/number.ts";
import type { Target } from "../measure/target.ts";
import { toPage } from "./page.ts";
import type { StoredRun } from "./stored-run.ts";

const target = (fields: Partial<Target> = {}): Target => ({
  claim: "time, compared with the floor",
  bound: { kind: "atMost", value: 1.5 },
  reached: ({ ratio }) => ratio("one flag", "ours", "floor"),
  ...fields,
});
const groupOf = (...targets: Target[]): Group => ({
  name: "evaluation",
  title: "Evaluation",
  setting: "How it is measured.",
  chart: { axis: "nanoseconds", cases: ["one flag"] },
  targets,
  run: () => Promise.reject(new Error("Nothing runs here")),
});
const stored: StoredRun = {
  command: "pnpm bench --quick",
  date: "2026-11-23",
  machine: "a machine of 2 cores",
  versions: { "a-peer": "1.2.3" },
  measurements: [
    { case: "one flag", subject: "floor", unit: "ns", rounds: [100, 100, 100] },
    { case: "one flag", subject: "ours", unit: "ns", rounds: [120, 130, 1_400] },
  ],
};
const page = (...targets: Target[]) => toPage([groupOf(...targets)], new Map([["evaluation", stored]]));

describe("the page", () => {
  it("shows medians, quartiles, versions, the machine and the command", () => {
    const text = page(target());
    for (const part of ["| ours | 130 | 125 to 765 | 3 |", "| floor | 100 | 100 to 100 | 3 |", "a-peer 1.2.3"]) {
      expect(text).toContain(part);
    }
    expect(text).toContain("Measured by `pnpm bench --quick` on 2026-11-23: a machine of 2 cores.");
    expect(text).toContain("](benchmarks/evaluation.svg)");
  });

  it("shows each target beside what was reached", () => {
    expect(page(target())).toContain("| time, compared with the floor | ≤ 1.5 | 1.3 | reached |");
    const high = target({ bound: { kind: "atLeast", value: 2 }, miss: "The floor is near." });
    expect(page(high)).toContain("| time, compared with the floor | ≥ 2 | 1.3 | missed: The floor is near. |");
  });

  it("counts what is reached, explained and neither", () => {
    const missed = target({ bound: { kind: "atMost", value: 1 } });
    const absent = target({ reached: ({ ratio }) => ratio("one flag", "ours", "absent") });
    const text = page(target(), { ...missed, miss: "Known." }, missed, absent);
    expect(text).toContain("| Evaluation | 4 | 1 | 1 | 2 |");
    expect(text).toContain("| **unexplained** |");
    expect(text).toContain("| ≤ 1.5 |  | **not measured** |");
  });

  it("says so if a group has no measurements, and counts its targets as not measured", () => {
    const text = toPage([groupOf(target())], new Map());
    expect(text).toContain("Not measured yet.");
    expect(text).toContain("| Evaluation | 1 | 0 | 0 | 1 |");
  });
});

describe("figures", () => {
  it.each([
    [0.123456, "0.123"],
    [1, "1"],
    [12.345, "12.3"],
    [1234.5, "1,235"],
    [86_123.4, "86,123"],
    [0, "0"],
  ])("%d is written as %s", (value, text) => {
    expect(written(value)).toBe(text);
  });
});

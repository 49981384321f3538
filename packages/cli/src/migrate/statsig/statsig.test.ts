import { describe, expect, test } from "vitest";
import { idsOf, migrated } from "../mapping/equality.fixture.ts";
import { asked, drawing, drawn, exact, users } from "./generated.fixture.ts";
import { readStatsig } from "./read.ts";
import recorded from "./recorded.json" with { type: "json" };

type Answers = Record<string, string>;
const letterOf = (value: unknown) =>
  typeof value === "boolean" ? (value ? "1" : "0") : (value as { arm: string }).arm.slice(0, 1);

describe("the recorded answers", () => {
  test("are of the specs and users of these tests; `peers/migration/statsig.ts` records them", () => {
    expect(recorded.asked).toBe(asked);
  });
});

describe("exactly", () => {
  test("generated specs without a draw serve the same generated users the same as Statsig's own SDK", () => {
    const ours = migrated(readStatsig, exact);
    expect(ours.skipped).toEqual([]);
    expect(ours.flags).toHaveLength(251);
    expect(ours.segments.map(({ name }) => name)).toEqual(["staff"]);
    const answers: Answers = recorded.exact;
    const counts: Record<string, number> = {};
    for (const { body } of ours.flags) {
      const spec = [...exact.feature_gates, ...exact.dynamic_configs].find(({ name }) => name === body.key);
      for (const [index, { id, fields }] of users.entries()) {
        const actual = letterOf(ours.evaluate(body.key, { ...fields, targetingKey: id }).value);
        const expected = answers[body.key]![index]!;
        if (actual !== expected) expect({ rules: spec?.rules, id, fields, actual }).toEqual(expected);
        counts[expected] = (counts[expected] ?? 0) + 1;
      }
    }
    for (const letter of ["0", "1", "a", "b", "n"]) expect(counts[letter]).toBeGreaterThan(500);
    expect(ours.flags.filter(({ differences, draws }) => differences.length + draws.length > 0)).toEqual([]);
  });
});

describe("nearly", () => {
  test("draws are those of Statsig's own SDK, so that users who change arms are counted rightly", () => {
    const ours = migrated(readStatsig, drawing);
    const answers: Answers = recorded.drawing;
    for (const [key, letters] of [
      ["part", { on: "1" }],
      ["experiment", { control: "c", test: "t" }],
    ] as [string, Answers][]) {
      const [draw, ...others] = ours.flag(key).draws;
      expect(others).toEqual([]);
      const rest = key === "part" ? "0" : "n";
      expect(drawn.map(({ id }) => letters[draw!.armOf(id) ?? ""] ?? rest).join("")).toBe(answers[key]);
    }
  });

  test("shares stay, and an experiment on everyone becomes a draft", () => {
    const ours = migrated(readStatsig, drawing);
    const share = (key: string, letter: string) =>
      idsOf(4_000).filter((id) => letterOf(ours.evaluate(key, { targetingKey: id }).value) === letter).length / 4_000;
    expect(share("part", "1")).toBeCloseTo(0.333, 1);
    expect(share("experiment", "c")).toBeCloseTo(0.18, 1);
    expect(share("experiment", "t")).toBeCloseTo(0.42, 1);
    expect(ours.flag("experiment").body.variants.map(({ key }) => key)).toEqual(["control", "test"]);
    expect(ours.experiments).toEqual([
      { key: "experiment", name: "experiment", description: "", feature_flag_key: "experiment" },
    ]);
  });
});

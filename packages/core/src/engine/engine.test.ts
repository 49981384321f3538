import { describe, expect, it } from "vitest";
import type { Definitions, ExperimentDefinition, FlagDefinition } from "../format/definition.ts";
import { SchemaVersionError } from "../format/definition-error.ts";
import { createEngine } from "./engine.ts";
import type { DefinitionsChange } from "./observable-definitions.ts";

const flag = (key: string, fields: Partial<FlagDefinition> = {}): FlagDefinition => ({
  key,
  enabled: true,
  rollout_percentage: 100,
  variants: [],
  rules: [],
  ...fields,
});
const experiment = (key: string, fields: Partial<ExperimentDefinition> = {}): ExperimentDefinition => ({
  id: key,
  key,
  status: "ACTIVE",
  experiment_type: "AB_TEST",
  variants: [
    { key: "a", weight: 0.5 },
    { key: "b", weight: 0.5 },
  ],
  ...fields,
});
const inSegment = (value: string) => ({ operator: "IN_SEGMENT" as const, value });

const definitions: Definitions = {
  schema_version: 1,
  flags: [
    flag("plain"),
    flag("constructor"),
    flag("segmented", { targeting_rules: { user_segments: ["outer"] } }),
    flag("ruled", { rules: [{ id: "r", when: { not: inSegment("s1") }, serve: { variant: "on" } }] }),
    flag("dependent", { prerequisites: [{ flag_key: "segmented" }] }),
    flag("twice", { prerequisites: [{ flag_key: "dependent" }] }),
    flag("bound"),
    flag("grouped"),
  ],
  segments: [
    { id: "s1", name: "inner", user_ids: ["ada"] },
    { id: "s2", name: "outer", when: inSegment("inner") },
  ],
  groups: [
    {
      id: "g",
      slots: [
        { experiment_key: "in-group", slot_start: 0, slot_end: 1 },
        { experiment_key: "in-group-too", slot_start: 0, slot_end: 0 },
      ],
    },
  ],
  holdout: null,
  experiments: [
    experiment("on-bound", { feature_flag_key: "bound" }),
    experiment("in-group", { feature_flag_key: "grouped", mutual_exclusion_group_id: "g" }),
    experiment("in-group-too", { status: "PAUSED", mutual_exclusion_group_id: "g" }),
    experiment("over-segmented", { feature_flag_key: "segmented" }),
    experiment("segment-override", { overrides: [{ user_segment: "inner", value: "a" }] }),
    experiment("draft", { status: "DRAFT", targeting_rules: { user_segments: ["inner"] } }),
  ],
};

function change(to: Partial<Definitions>): DefinitionsChange | undefined {
  const engine = createEngine(definitions);
  let seen: DefinitionsChange | undefined;
  engine.onChange((change) => {
    seen = change;
  });
  // A copy, as it would come over the wire: identity must not matter.
  engine.update(JSON.parse(JSON.stringify({ ...definitions, ...to })));
  return seen;
}

describe("an engine", () => {
  it("evaluates flags with any key, and returns the caller's default for unknown flags", () => {
    const engine = createEngine(definitions);
    expect(engine.evaluate("constructor", {}, false).value).toBe(true);
    expect(engine.evaluate("toString", {}, "mine")).toMatchObject({
      value: "mine",
      variant: null,
      reason: "DEFAULT",
      error_code: "FLAG_NOT_FOUND",
      enabled: false,
    });
    const all = engine.evaluateAll({ targetingKey: "ada" });
    expect(Object.getPrototypeOf(all)).toBeNull();
    expect(Object.keys(all)).toEqual(definitions.flags.map(({ key }) => key));
  });

  it("returns the caller's default if a flag has none", () => {
    const variants = [{ key: "red", weight: 1, value: "#f00" }];
    const engine = createEngine({
      ...definitions,
      flags: [
        flag("colour", { enabled: false, variants }),
        flag("named", { enabled: false, variants, default_value: "grey" }),
      ],
    });
    expect(engine.evaluate("colour", {}, "mine")).toMatchObject({ value: "mine", reason: "DISABLED" });
    expect(engine.evaluate("named", {}, "mine").value).toBe("grey");
  });

  it("follows segments, prerequisites and experiments between definitions", () => {
    const engine = createEngine(definitions);
    expect(engine.evaluate("twice", { targetingKey: "ada" }, false).value).toBe(true);
    expect(engine.evaluate("twice", { targetingKey: "bob" }, false).reason).toBe("PREREQUISITE_FAILED");
    expect(engine.assign("over-segmented", "ada")).toMatchObject({ variant_key: "on", assigned: true });
    expect(engine.assign("missing", "ada")).toBeNull();
    expect(engine.assign("segment-override", "ada")).toMatchObject({ variant_key: "a", forced: true });
  });

  it("answers an error for a flag over an invalid segment", () => {
    const segments = [{ id: "s1", name: "inner", when: JSON.parse('{"attribute":"a","operator":"LATER","value":1}') }];
    const engine = createEngine({ ...definitions, segments });
    expect(engine.evaluate("ruled", { targetingKey: "ada" }, true)).toMatchObject({
      reason: "ERROR",
      error_code: "PARSE_ERROR",
      value: false,
    });
  });

  it("uses the given clock", () => {
    const time = flag("time", { targeting_rules: { time_rules: { start_date: "2030-01-01" } } });
    const answer = (now: string) =>
      createEngine({ ...definitions, flags: [time] }, { now: () => Date.parse(now) }).evaluate("time", {}, false).value;
    expect([answer("2029-12-31"), answer("2030-01-01")]).toEqual([false, true]);
  });

  it("rejects definitions of a later format, and keeps the current ones", () => {
    const engine = createEngine(definitions);
    expect(() => engine.update({ ...definitions, schema_version: 2, flags: [] })).toThrow(SchemaVersionError);
    expect(engine.definitions).toBe(definitions);
    expect(() => createEngine({ ...definitions, schema_version: 99 })).toThrow(SchemaVersionError);
  });
});

describe("a change of definitions", () => {
  it("is empty if nothing differs", () => {
    expect(change({})).toBeUndefined();
  });

  it("names flags and experiments that were added, removed or changed, and their dependents", () => {
    const flags = [...definitions.flags.filter(({ key }) => key !== "plain" && key !== "segmented"), flag("new")];
    expect(change({ flags })).toEqual({
      flags: ["dependent", "new", "plain", "segmented", "twice"],
      experiments: ["over-segmented"],
    });
    expect(change({ experiments: definitions.experiments.filter(({ key }) => key !== "draft") })).toEqual({
      flags: [],
      experiments: ["draft"],
    });
  });

  it("names what depends on a segment, through other segments and prerequisites", () => {
    const segments = [{ id: "s1", name: "inner", user_ids: ["bob"] }, definitions.segments[1]!];
    expect(change({ segments })).toEqual({
      flags: ["dependent", "ruled", "segmented", "twice"],
      experiments: ["over-segmented", "segment-override"],
    });
  });

  it("names what a holdout affects: running experiments and the flags under them", () => {
    expect(change({ holdout: { id: "h", percentage: 10 } })).toEqual({
      flags: ["bound", "dependent", "grouped", "segmented", "twice"],
      experiments: ["in-group", "on-bound", "over-segmented", "segment-override"],
    });
  });

  it("names only experiments whose own slots moved", () => {
    const groups = [{ id: "g", slots: [{ experiment_key: "in-group", slot_start: 0, slot_end: 0.5 }] }];
    expect(change({ groups })).toEqual({ flags: ["grouped"], experiments: ["in-group"] });
    const others = [{ id: "g", slots: [definitions.groups[0]!.slots[0]!] }];
    expect(change({ groups: others })).toBeUndefined();
  });

  it("takes effect at once, also for unchanged definitions", () => {
    const engine = createEngine(definitions);
    engine.update({
      ...definitions,
      segments: [{ id: "s1", name: "inner", user_ids: ["bob"] }, definitions.segments[1]!],
    });
    expect(engine.evaluate("twice", { targetingKey: "bob" }, false).value).toBe(true);
    expect(engine.evaluate("twice", { targetingKey: "ada" }, false).value).toBe(false);
  });

  it("is reported to every listener until it unsubscribes, even if one throws", () => {
    const engine = createEngine(definitions);
    const reported: string[] = [];
    engine.onChange(() => {
      throw new Error("listener");
    });
    const stop = engine.onChange(({ flags }) => reported.push(...flags));
    expect(() => engine.update({ ...definitions, flags: [] })).toThrow("listener");
    expect(engine.evaluateAll({})).toEqual({});
    expect(reported).toHaveLength(definitions.flags.length);
    stop();
    expect(() => engine.update(definitions)).toThrow("listener");
    expect(reported).toHaveLength(definitions.flags.length);
  });
});

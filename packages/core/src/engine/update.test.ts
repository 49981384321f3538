import fc from "fast-check";
import { expect, test } from "vitest";
import type { Definitions, FlagDefinition } from "../format/definition.ts";
import { createEngine } from "./engine.ts";

const flag = (key: string, fields: Partial<FlagDefinition> = {}): FlagDefinition => ({
  key,
  enabled: true,
  rollout_percentage: 100,
  variants: [],
  rules: [],
  ...fields,
});
const flagsOf = (...flags: FlagDefinition[]): Definitions => ({
  schema_version: 1,
  flags,
  experiments: [],
  segments: [],
  groups: [],
  holdout: null,
});
const ada = { targetingKey: "ada", country: "DE" };

test("a replaced flag is reported with those that require it, and the others answer as before", () => {
  const [first, second] = [flag("first"), flag("second", { prerequisites: [{ flag_key: "first" }] })];
  const third = flag("third", { prerequisites: [{ flag_key: "second" }] });
  const definitions = flagsOf(first, second, third, flag("fourth"));
  const engine = createEngine(definitions);
  const off = flag("first", { rollout_percentage: 0 });
  const next = { ...definitions, flags: [off, ...definitions.flags.slice(1)] };
  expect(engine.update(next)).toEqual({ flags: ["first", "second", "third"], experiments: [] });
  const enabled = Object.entries(engine.evaluateAll(ada)).map(([key, result]) => [key, result.enabled]);
  expect(enabled).toEqual([
    ["first", false],
    ["second", false],
    ["third", false],
    ["fourth", true],
  ]);
  expect(engine.definitions).toBe(next);
});

test("a change reaches flags that are listed before those that they require", () => {
  const requiring = (key: string, required: string) => flag(key, { prerequisites: [{ flag_key: required }] });
  const definitions = flagsOf(requiring("third", "second"), requiring("second", "first"), flag("first"));
  const engine = createEngine(definitions);
  const flags = [...definitions.flags.slice(0, 2), flag("first", { rollout_percentage: 0 })];
  expect(engine.update({ ...definitions, flags }).flags).toEqual(["first", "second", "third"]);
});

test("an equal flag in another object is no change", () => {
  const definitions = flagsOf(flag("first"), flag("second"));
  const engine = createEngine(definitions);
  expect(engine.update({ ...definitions, flags: [flag("first"), definitions.flags[1]!] }).flags).toEqual([]);
});

test("flags that change places keep their results", () => {
  const definitions = flagsOf(flag("first"), flag("second", { rollout_percentage: 0 }));
  const engine = createEngine(definitions);
  const [first, second] = definitions.flags as [FlagDefinition, FlagDefinition];
  expect(engine.update({ ...definitions, flags: [second, first] }).flags).toEqual([]);
  expect(Object.keys(engine.evaluateAll(ada))).toEqual(["second", "first"]);
  expect([engine.evaluate("first", ada, false).value, engine.evaluate("second", ada, true).value]).toEqual([
    true,
    false,
  ]);
});

test("a flag that takes the place of another one replaces it", () => {
  const definitions = flagsOf(flag("first"), flag("second"));
  const engine = createEngine(definitions);
  expect(engine.update({ ...definitions, flags: [definitions.flags[0]!, flag("third")] }).flags).toEqual([
    "second",
    "third",
  ]);
  expect(Object.keys(engine.evaluateAll(ada))).toEqual(["first", "third"]);
});

test("of flags with one key, the last one counts after a change of an earlier one", () => {
  const definitions = flagsOf(flag("same", { rollout_percentage: 0 }), flag("same"));
  const engine = createEngine(definitions);
  engine.update({ ...definitions, flags: [flag("same", { enabled: false }), definitions.flags[1]!] });
  expect(engine.evaluate("same", ada, false).value).toBe(true);
});

test("a change of the holdout reaches flags that are the same objects", () => {
  const experiment = {
    key: "x",
    status: "ACTIVE" as const,
    feature_flag_key: "first",
    variants: [{ key: "off" }, { key: "on" }],
  };
  const definitions = { ...flagsOf(flag("first")), experiments: [experiment] } as unknown as Definitions;
  const engine = createEngine(definitions);
  expect(engine.evaluate("first", ada, false).reason).not.toBe("HOLDOUT");
  expect(engine.update({ ...definitions, holdout: { id: "h", percentage: 100 } } as Definitions).flags).toEqual([
    "first",
  ]);
  expect(engine.evaluate("first", ada, false).reason).toBe("HOLDOUT");
});

test("experiments over a replaced flag are reported while they run, also if their lists are equal copies", () => {
  const over = (key: string, status: "ACTIVE" | "PAUSED", feature_flag_key: string) => ({
    id: key,
    key,
    status,
    experiment_type: "AB_TEST" as const,
    feature_flag_key,
    variants: ["off", "on"].map((name) => ({ key: name, weight: 0.5 })),
  });
  const experiments = [
    over("running", "ACTIVE", "first"),
    over("paused", "PAUSED", "first"),
    over("other", "ACTIVE", "second"),
    over("dependent", "ACTIVE", "third"),
  ];
  const third = flag("third", { prerequisites: [{ flag_key: "first" }] });
  const definitions = { ...flagsOf(flag("first"), flag("second"), third), experiments };
  const engine = createEngine(definitions);
  const flags = [flag("first", { rollout_percentage: 0 }), ...definitions.flags.slice(1)];
  const next = { ...structuredClone(definitions), flags };
  expect(engine.update(next)).toEqual({ flags: ["first", "third"], experiments: ["dependent", "running"] });
  expect([engine.assign("running", "ada")?.variant_key, engine.assign("other", "ada")?.variant_key]).toEqual([
    "off",
    "on",
  ]);
});

test("an update replaces several flags at once, and its listeners see all of them", () => {
  const definitions = flagsOf(flag("first"), flag("second"), flag("third"));
  const engine = createEngine(definitions);
  const seen: unknown[] = [];
  engine.onChange(({ flags }) => {
    const enabled = Object.values(engine.evaluateAll(ada)).map((result) => result.enabled);
    seen.push([flags, enabled, engine.definitions]);
  });
  const off = ["first", "third"].map((key) => flag(key, { rollout_percentage: 0 }));
  const next = { ...definitions, flags: [off[0]!, definitions.flags[1]!, off[1]!] };
  engine.update(next);
  engine.update(next);
  expect(seen).toEqual([[["first", "third"], [false, true, false], next]]);
});

test("a flag that becomes invalid answers its error after the update, and is right again after the next one", () => {
  const definitions = flagsOf(flag("first"), flag("second"));
  const engine = createEngine(definitions);
  const broken = { ...definitions, flags: [flag("first", { rollout_percentage: 120 }), definitions.flags[1]!] };
  expect(engine.update(broken).flags).toEqual(["first"]);
  expect(engine.evaluate("first", ada, true)).toMatchObject({ reason: "ERROR", error_code: "PARSE_ERROR" });
  engine.update(definitions);
  expect(engine.evaluate("first", ada, false).value).toBe(true);
});

test("any sequence of updates answers like new engines, and reports what updates from copies report", () => {
  const keys = fc.constantFrom("a", "b", "c", "d");
  const flags = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        key: keys,
        enabled: fc.boolean(),
        variants: fc.constant([]),
        rules: fc.constant([]),
        rollout_percentage: fc.constantFrom(0, 50, 100),
        prerequisites: fc.array(
          keys.map((flag_key) => ({ flag_key })),
          { maxLength: 2 },
        ),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom(null, 7, { key: 1 }) as unknown as fc.Arbitrary<never> },
  );
  const changes = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.constantFrom("replace", "remove", "add", "copy"), flags), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(flags, { maxLength: 5 }), changes, (first, steps) => {
      let current = flagsOf(...(first as unknown as FlagDefinition[]));
      const engine = createEngine(current);
      for (const [at, kind, other] of steps) {
        const list = [...current.flags];
        if (kind === "add") list.splice(at, 0, other as unknown as FlagDefinition);
        else if (kind === "remove") list.splice(at, 1);
        else if (at < list.length)
          list[at] = kind === "copy" ? structuredClone(list[at]!) : (other as unknown as FlagDefinition);
        const next = { ...current, flags: list };
        const reported = createEngine(structuredClone(current)).update(structuredClone(next));
        expect(engine.update(next)).toEqual(reported);
        expect(engine.evaluateAll(ada)).toEqual(createEngine(next).evaluateAll(ada));
        current = next;
      }
    }),
  );
});

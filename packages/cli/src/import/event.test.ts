import type { Experiment, Metric } from "@assay/client";
import { expect, test } from "vitest";
import { createRowReader } from "./event.ts";
import type { ImportSettings } from "./settings.ts";

const HEADER = ["user", "arm", "kept", "spent"];
const METRICS = [
  { name: "kept", column: "kept" },
  { name: "spent", column: "spent" },
];

function reader(
  settings: Partial<ImportSettings> = {},
  metrics: Pick<Metric, "event_type" | "kind">[] = [],
  id = "e1",
) {
  const variants = [
    { id: "control", key: "control" },
    { id: "b", key: "b" },
  ];
  // Only the fields of an experiment that the reader uses.
  const experiment = { id, key: "checkout", variants, metrics } as Experiment;
  const all = { user: "user", arm: "arm", metrics: METRICS, arms: new Map(), file: "x.csv", ...settings };
  const read = createRowReader(HEADER, all as ImportSettings, experiment);
  return (...cells: string[]) => read({ number: 2, cells });
}

test("a row gives its exposure, an event for each true cell, and an event with a value for each number", () => {
  const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const common = { user_id: "ada", experiment_id: "e1", event_id: id };
  expect(reader()("ada", "b", "TRUE", "12.5")).toEqual([
    { ...common, event_type: "exposure", variant_id: "b" },
    { ...common, event_type: "kept" },
    { ...common, event_type: "spent", value: 12.5 },
  ]);
});

test("false and empty cells give no event; zero gives one", () => {
  const types = (...cells: string[]) =>
    reader()("ada", "b", ...cells).map(({ event_type, value }) => [event_type, value]);
  expect(types("false", "")).toEqual([["exposure", undefined]]);
  expect(types("", "0")).toEqual([
    ["exposure", undefined],
    ["spent", 0],
  ]);
});

test("1 and 0 mean yes and no for conversions, and are numbers for other metrics", () => {
  const conversion = reader({}, [{ event_type: "kept", kind: "CONVERSION" }]);
  expect(conversion("ada", "b", "1", "").map(({ event_type }) => event_type)).toEqual(["exposure", "kept"]);
  expect(conversion("ada", "b", "0", "")).toHaveLength(1);
  const both = reader({}, [
    { event_type: "kept", kind: "CONVERSION" },
    { event_type: "kept", kind: "MEAN" },
  ]);
  expect(both("ada", "b", "1", "")[1]).toMatchObject({ event_type: "kept", value: 1 });
});

test("event ids depend only on experiment, user and metric", () => {
  const ids = (events: { event_id?: string | null }[]) => events.map(({ event_id }) => event_id);
  const first = ids(reader()("ada", "b", "true", "1"));
  expect(ids(reader()("ada", "control", "true", "2"))).toEqual(first);
  expect(new Set(first).size).toBe(3);
  for (const other of [reader()("bob", "b", "true", "1"), reader({}, [], "e2")("ada", "b", "true", "1")]) {
    expect(ids(other).filter((id) => first.includes(id))).toEqual([]);
  }
});

test("reads arms as variant keys, or translates them by --map-arm", () => {
  expect(reader({ arms: new Map([["gate_30", "control"]]) })("ada", "gate_30", "", "")[0]?.variant_id).toBe("control");
  expect(() => reader()("ada", "gate_30", "", "")).toThrow(
    '"gate_30" in column "arm" is not a variant of checkout (control, b)',
  );
  expect(() => reader({ arms: new Map([["x", "c"]]) })).toThrow('--map-arm x=c: checkout has no variant "c"');
});

test("reports a cell that does not fit its column, and an empty user", () => {
  const read = reader();
  read("ada", "b", "true", "1");
  expect(() => read("ada", "b", "7", "")).toThrow('"7" in column "kept" is neither true nor false');
  expect(() => read("ada", "b", "", "many")).toThrow('"many" in column "spent" is not a number');
  expect(() => read("ada", "b", "", "1e999")).toThrow('"1e999" in column "spent" is not a number');
  expect(() => read(" ", "b", "", "")).toThrow('column "user" is empty; it must contain a user id');
});

test("reports a missing column and lists the columns of the file", () => {
  expect(() => reader({ user: "uid" })).toThrow('x.csv has no column "uid"; it has "user", "arm", "kept", "spent"');
});

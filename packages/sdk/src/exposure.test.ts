import { createEngine, type Definitions, type ExperimentDefinition, type FlagDefinition } from "@assay/core";
import { expect, test } from "vitest";
import type { TrackingEvent } from "./event-box.ts";
import { createExposures, type ExposureOptions } from "./exposure.ts";

const checkout: FlagDefinition = {
  key: "checkout",
  enabled: true,
  rollout_percentage: 50,
  variants: [],
  rules: [
    { id: "staff", when: { attribute: "role", operator: "EQUALS", value: "staff" }, serve: { variant: "on" } },
    { id: "nobody", when: { attribute: "role", operator: "EQUALS", value: "guest" }, serve: { rollout_percentage: 0 } },
  ],
};
const trial: ExperimentDefinition = {
  id: "id-of-trial",
  key: "trial",
  status: "ACTIVE",
  experiment_type: "AB_TEST",
  variants: ["off", "on"].map((key) => ({ key, weight: 0.5 })),
  feature_flag_key: "checkout",
};

function toDefinitions(experiments: ExperimentDefinition[], flag: Partial<FlagDefinition> = {}): Definitions {
  return { schema_version: 1, flags: [{ ...checkout, ...flag }], segments: [], groups: [], holdout: null, experiments };
}

/** Shows the flag to users and returns the resulting exposures. */
function start(definitions: Definitions, options: ExposureOptions & { takes?: () => boolean } = {}) {
  const engine = createEngine(definitions);
  const sent: TrackingEvent[] = [];
  const send = (event: TrackingEvent) => {
    const isTaken = options.takes?.() ?? true;
    if (isTaken) sent.push(event);
    return isTaken;
  };
  const exposures = createExposures(engine, send, options);
  const show = (targetingKey: string | undefined, attributes: Record<string, unknown> = {}) => {
    const context = { ...attributes, targetingKey };
    exposures.record("checkout", engine.evaluate("checkout", context, false).variant ?? undefined, context);
  };
  return { engine, exposures, sent, show };
}

test("record sends one exposure for a user and variant", () => {
  const { sent, show, engine } = start(toDefinitions([trial]));
  for (let round = 0; round < 3; round++) for (const user of ["ada", "grace"]) show(user);
  const variantOf = (targetingKey: string) => engine.evaluate("checkout", { targetingKey }, false).variant;
  expect(sent).toEqual(
    ["ada", "grace"].map((user_id) => ({
      event_type: "exposure",
      user_id,
      experiment_id: "id-of-trial",
      variant_id: variantOf(user_id),
      feature_flag_key: "checkout",
    })),
  );
});

test("an arm that a rule names is recorded as forced, an arm that it draws is not", () => {
  const { sent, show } = start(toDefinitions([trial]));
  show("ada", { role: "staff" });
  show("grace");
  expect(sent).toMatchObject([{ variant_id: "on", event_metadata: { forced: true } }, { user_id: "grace" }]);
  expect(sent[1]).not.toHaveProperty("event_metadata");
});

test("an exposure is forced if an override names another arm than the flag serves", () => {
  const overrides = ["on", "off"].map((value, index) => ({ user_id: ["ada", "grace"][index]!, value }));
  const { sent, show } = start(toDefinitions([{ ...trial, overrides }]));
  show("ada");
  show("grace");
  expect(sent.map(({ event_metadata }) => event_metadata)).toEqual([{ forced: true }, { forced: true }]);
});

test.each<[string, Definitions]>([
  ["there is no experiment", toDefinitions([])],
  ["the experiment is paused", toDefinitions([{ ...trial, status: "PAUSED" }])],
  ["the experiment runs on another flag", toDefinitions([{ ...trial, feature_flag_key: "other" }])],
  ["the flag is off", toDefinitions([trial], { enabled: false })],
  ["the experiment targets others", toDefinitions([{ ...trial, targeting_rules: { countries: ["DE"] } }])],
  ["the user is held out", { ...toDefinitions([trial]), holdout: { id: "h", percentage: 100 } }],
])("nothing is recorded where %s", (_, definitions) => {
  const { sent, show } = start(definitions);
  show("ada", { country: "FR" });
  expect(sent).toEqual([]);
});

test("record ignores evaluations without a targeting key", () => {
  const { sent, show } = start(toDefinitions([trial], { rollout_percentage: 100 }));
  show(undefined);
  show("");
  expect(sent).toEqual([]);
});

test("the metadata contains the bucketing attribute and the attributes of the option", () => {
  const { sent, show } = start(toDefinitions([trial], { bucket_by: "company" }), {
    attributes: ["country", "age", "tags"],
  });
  show("ada", { company: "acme", country: "DE", age: 36, tags: ["a"], secret: "s" });
  expect(sent[0]?.event_metadata).toEqual({ company: "acme", country: "DE", age: 36 });
});

test("an exposure is recorded again for another value of the bucketing attribute", () => {
  const { sent, show } = start(toDefinitions([trial], { bucket_by: "hour", rules: [], rollout_percentage: 99 }));
  for (const hour of [1, 1, 2, "3", 1]) show("ada", { hour });
  expect(sent.map(({ event_metadata }) => event_metadata)).toEqual([{ hour: 1 }, { hour: 2 }, { hour: "3" }]);
});

test("an exposure that could not be sent is recorded with the next evaluation", () => {
  let takes = false;
  const { sent, show } = start(toDefinitions([trial]), { takes: () => takes });
  show("ada");
  takes = true;
  show("ada");
  show("ada");
  expect(sent).toHaveLength(1);
});

test("a new experiment over the same flag causes a new exposure", () => {
  const { engine, exposures, sent, show } = start(toDefinitions([trial]));
  show("ada");
  engine.update(toDefinitions([{ ...trial, status: "COMPLETED" }]));
  expect(exposures.isNeeded).toBe(false);
  engine.update(toDefinitions([{ ...trial, id: "second", key: "second" }]));
  expect(exposures.isNeeded).toBe(true);
  show("ada");
  expect(sent.map(({ experiment_id }) => experiment_id)).toEqual(["id-of-trial", "second"]);
});

test("experiments without ids are distinguished by their flags", () => {
  const nameless = ["checkout", "banner"].map((key) => ({ ...trial, id: "", key, feature_flag_key: key }));
  const definitions = toDefinitions(nameless, { rollout_percentage: 100 });
  definitions.flags.push({ ...definitions.flags[0]!, key: "banner" });
  const { exposures, sent } = start(definitions);
  for (const flag of ["checkout", "banner", "banner"]) exposures.record(flag, "on", { targetingKey: "ada" });
  expect(sent.map(({ feature_flag_key }) => feature_flag_key)).toEqual(["checkout", "banner"]);
});

test("memory is bounded: the oldest exposures are forgotten first", () => {
  const { sent, show } = start(toDefinitions([trial]), { exposureCapacity: 10 });
  for (let user = 0; user < 11; user++) show(`user-${user}`);
  show("user-10");
  show("user-5");
  expect(sent).toHaveLength(11);
  show("user-0");
  expect(sent).toHaveLength(12);
});

import { OpenFeature, ProviderEvents } from "@openfeature/server-sdk";
import { afterEach, expect, test } from "vitest";
import { AssayTestProvider } from "./testing.ts";

afterEach(() => OpenFeature.clearProviders());

let domains = 0;

async function connect(flags: AssayTestProvider) {
  const domain = `unit-${domains++}`;
  await OpenFeature.setProviderAndWait(domain, flags);
  return OpenFeature.getClient(domain);
}

test("the test provider takes the type of a flag from its value", async () => {
  const client = await connect(
    new AssayTestProvider({ on: true, off: false, text: "hi", number: 0.5, object: { value: { a: [1] } } }),
  );
  expect(await client.getBooleanDetails("on", false)).toMatchObject({ value: true, variant: "on", reason: "CACHED" });
  expect(await client.getBooleanDetails("off", true)).toMatchObject({ value: false, variant: "off" });
  expect(await client.getStringValue("text", "")).toBe("hi");
  expect(await client.getNumberValue("number", 0)).toBe(0.5);
  expect(await client.getObjectValue("object", {})).toEqual({ a: [1] });
  expect(await client.getBooleanDetails("none", true)).toMatchObject({ value: true, errorCode: "FLAG_NOT_FOUND" });
});

test("the test provider evaluates targeting rules and rollouts of a definition as a server does", async () => {
  const client = await connect(
    new AssayTestProvider(
      {
        german: { targeting_rules: { countries: ["DE"] } },
        half: { rollout_percentage: 50 },
        beta: {
          rollout_percentage: 0,
          rules: [{ id: "beta", when: { operator: "IN_SEGMENT", value: "beta" }, serve: { variant: "on" } }],
        },
      },
      { reasons: "evaluation", definitions: { segments: [{ id: "s", name: "beta", user_ids: ["ada"] }] } },
    ),
  );
  expect(await client.getBooleanDetails("german", false, { country: "DE" })).toMatchObject({
    reason: "TARGETING_MATCH",
    value: true,
  });
  expect(await client.getBooleanDetails("german", false, { country: "FR" })).toMatchObject({
    reason: "DEFAULT",
    value: false,
  });
  expect(await client.getBooleanDetails("half", false, { targetingKey: "ada" })).toMatchObject({ reason: "SPLIT" });
  expect(await client.getBooleanDetails("half", false)).toMatchObject({ errorCode: "TARGETING_KEY_MISSING" });
  expect(await client.getBooleanDetails("beta", false, { targetingKey: "ada" })).toMatchObject({
    value: true,
    flagMetadata: { ruleId: "beta" },
  });
  expect(await client.getBooleanValue("beta", true, { targetingKey: "grace" })).toBe(false);
});

test("set() and remove() emit a change event with the flag and its dependents", async () => {
  const flags = new AssayTestProvider({ parent: true, child: { prerequisites: [{ flag_key: "parent" }] }, other: 1 });
  const client = await connect(flags);
  const changes: unknown[] = [];
  client.addHandler(ProviderEvents.ConfigurationChanged, (details) => void changes.push(details?.flagsChanged));
  expect(await client.getBooleanValue("child", false)).toBe(true);
  flags.set("parent", false);
  expect(await client.getBooleanDetails("child", true)).toMatchObject({
    value: false,
    flagMetadata: { evaluationReason: "PREREQUISITE_FAILED" },
  });
  flags.remove("other");
  expect(await client.getNumberDetails("other", 7)).toMatchObject({ value: 7, errorCode: "FLAG_NOT_FOUND" });
  expect(changes).toEqual([["child", "parent"], ["other"]]);
});

test("tracked lists exposures and tracked events", async () => {
  const flags = new AssayTestProvider(
    { checkout: { rollout_percentage: 50 } },
    {
      definitions: {
        experiments: [
          {
            id: "e",
            key: "trial",
            status: "ACTIVE",
            experiment_type: "AB_TEST",
            variants: [],
            feature_flag_key: "checkout",
          },
        ],
      },
    },
  );
  const client = await connect(flags);
  const ada = { targetingKey: "ada" };
  const { variant } = await client.getBooleanDetails("checkout", false, ada);
  client.track("purchase", ada, { value: 3 });
  expect(flags.tracked).toEqual([
    { event_type: "exposure", user_id: "ada", experiment_id: "e", variant_id: variant, feature_flag_key: "checkout" },
    { event_type: "purchase", user_id: "ada", value: 3 },
  ]);
});

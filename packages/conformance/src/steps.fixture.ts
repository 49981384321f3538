import type { JsonValue } from "@assay/core";
import type { EvaluationContext } from "@openfeature/core";
import { expect, vi } from "vitest";
import type { Step } from "./scenario.fixture.ts";
import type { Details, FlagType, Hook, Subject } from "./subject.fixture.ts";

/** The state that the steps of one scenario share. */
export interface World {
  /** Starts the provider in one of the initial states of scenarios. */
  start(state: string): Promise<Subject>;
  subject?: Subject;
  flag?: { type: FlagType; key: string; fallback: JsonValue };
  context: EvaluationContext;
  /** A copy of the context, from before its use. */
  before?: EvaluationContext;
  details?: Details;
  hooks: Hook[];
  heard: string[];
}

/** Returns the type of a flag. Integers and floats are one type in JavaScript. */
function toType(name: string): FlagType {
  const type = name.toLowerCase();
  if (type === "integer" || type === "float") return "Number";
  return type === "boolean" ? "Boolean" : type === "string" ? "String" : "Object";
}

function toValue(name: string, text: string): JsonValue {
  const type = toType(name);
  if (type === "String") return text;
  return type === "Number" ? Number(text) : (JSON.parse(text.replaceAll('\\"', '"')) as JsonValue);
}

async function evaluate(world: World): Promise<void> {
  const { type, key, fallback } = world.flag!;
  world.before = structuredClone(world.context);
  world.details = await world.subject!.evaluate(type, key, fallback, world.context, world.hooks);
}

async function evaluateNow(world: World, type: string, key: string, fallback: JsonValue): Promise<void> {
  world.flag = { type: toType(type), key, fallback };
  await evaluate(world);
}

function expectFields(world: World, ...fields: string[]): void {
  const [first, second, third, one, two, three] = fields;
  expect(world.details?.value).toEqual({ [first!]: one === "true", [second!]: two, [third!]: Number(three) });
}

const recorder = (name: string, heard: string[]): Hook => ({
  before: () => void heard.push(`before ${name}`),
  after: () => void heard.push(`after ${name}`),
  finally: () => void heard.push(`finally ${name}`),
});

/** The steps of `evaluation.feature` and `evaluation_v2.feature`. */
export const STEPS: readonly Step<World>[] = [
  [
    /^an? (.+) provider$/,
    async (world, state) => {
      await world.subject?.stop();
      world.subject = await world.start(state!);
    },
  ],

  // evaluation_v2.feature
  [
    /^an? (\w+)-flag with key "(.*)" and a fallback value "(.*)"$/,
    (world, type, key, fallback) => {
      world.flag = { type: toType(type!), key: key!, fallback: toValue(type!, fallback!) };
    },
  ],
  [
    /^a context containing a key "(.*)", with type "(.*)" and with value "(.*)"$/,
    (world, key, type, value) => {
      world.context[key!] = toValue(type!, value!);
    },
  ],
  [
    /^a context containing a key "(.*)" with null value$/,
    (world, key) => {
      world.context[key!] = null;
    },
  ],
  [/^the flag was evaluated with details(?: asynchronously| using the evaluation options)?$/, evaluate],
  [
    /^the resolved details value should be "(.*)"$/,
    (world, text) => {
      const { type, fallback } = world.flag!;
      expect(world.details!.value).toEqual(toValue(type === "Number" ? "float" : type, text!));
      expect(typeof world.details!.value).toBe(typeof fallback);
    },
  ],
  [/^the reason should be "(.*)"$/, (world, reason) => expect(world.details!.reason).toBe(reason)],
  [/^the error-code should be "(.*)"$/, (world, code) => expect(world.details!.errorCode).toBe(code)],
  [/^the flag key should be "(.*)"$/, (world, key) => expect(world.details!.flagKey).toBe(key)],
  [/^the variant should be "([^"]*)"$/, (world, variant) => expect(world.details!.variant).toBe(variant)],
  [
    /^the provider status should be "(.*)"$/,
    (world, status) => vi.waitFor(() => expect(world.subject!.status()).toBe(status)),
  ],
  [
    /^evaluation options containing specific hooks$/,
    (world) => {
      world.hooks = [recorder("a", world.heard), recorder("b", world.heard)];
    },
  ],
  [/^the specified hooks should execute during evaluation$/, (world) => expect(world.heard).toHaveLength(6)],
  [
    /^the hook order should be maintained$/,
    (world) => expect(world.heard).toEqual(["before a", "before b", "after b", "after a", "finally b", "finally a"]),
  ],
  [
    /^an evaluation context with modifiable data$/,
    (world) => {
      world.context = { targetingKey: "ada", list: ["a"], nested: { value: 1 } };
    },
  ],
  [
    /^the original evaluation context should remain unmodified$/,
    (world) => expect(world.context).toEqual(world.before),
  ],
  [
    /^the evaluation details should be immutable$/,
    (world) => expect(Object.isFrozen(world.details!.flagMetadata)).toBe(true),
  ],
  [/^the evaluation should complete without blocking$/, (world) => expect(world.details).toBeDefined()],

  // evaluation.feature
  [
    /^an? (boolean|string|integer|float) flag with key "(.*)" is evaluated with (?:details and )?(?:default|fallback) value "?(.*?)"?$/,
    (world, type, key, fallback) => evaluateNow(world, type!, key!, toValue(type!, fallback!)),
  ],
  [
    /^an object flag with key "(.*)" is evaluated with (?:details and )?a null (?:default|fallback) value$/,
    (world, key) => evaluateNow(world, "object", key!, null),
  ],
  [
    /^the resolved (boolean|string|integer|float) (?:value|response) should be "?(.*?)"?$/,
    (world, type, value) => expect(world.details!.value).toBe(toValue(type!, value!)),
  ],
  [
    /^the resolved (\w+) details value should be "?(.*?)"?, the variant should be "(.*)", and the reason should be "(.*)"$/,
    (world, type, value, variant, reason) =>
      expect(world.details).toMatchObject({ value: toValue(type!, value!), variant, reason }),
  ],
  [
    /^the resolved object (?:details )?value should be contain fields "(.*)", "(.*)", and "(.*)", with values "(.*)", "(.*)" and (\d+), respectively$/,
    expectFields,
  ],
  [
    /^the variant should be "(.*)", and the reason should be "(.*)"$/,
    (world, variant, reason) => expect(world.details).toMatchObject({ variant, reason }),
  ],
  [
    /^context contains keys "(.*)", "(.*)", "(.*)", "(.*)" with values "(.*)", "(.*)", (\d+), "(.*)"$/,
    (world, first, last, age, customer, ...values) => {
      const [firstName, lastName, years, isCustomer] = values;
      world.context = {
        [first!]: firstName!,
        [last!]: lastName!,
        [age!]: Number(years),
        [customer!]: isCustomer === "true",
      };
    },
  ],
  [
    /^a flag with key "(.*)" is evaluated with (?:default|fallback) value "(.*)"$/,
    (world, key, fallback) => evaluateNow(world, "string", key!, fallback!),
  ],
  [
    /^the resolved flag value is "(.*)" when the context is empty$/,
    async (world, value) => {
      // The context of a page stays until it is replaced.
      world.context = { ...Object.fromEntries(Object.keys(world.context).map((key) => [key, null])) };
      await evaluate(world);
      expect(world.details!.value).toBe(value);
    },
  ],
  [
    /^a non-existent string flag with key "(.*)" is evaluated with details and a (?:default|fallback) value "(.*)"$/,
    (world, key, fallback) => evaluateNow(world, "string", key!, fallback!),
  ],
  [
    /^a string flag with key "(.*)" is evaluated as an integer, with details and a (?:default|fallback) value (\d+)$/,
    (world, key, fallback) => evaluateNow(world, "integer", key!, Number(fallback)),
  ],
  [
    /^the (?:default|fallback) \w+ value should be returned$/,
    (world) => expect(world.details!.value).toBe(world.flag!.fallback),
  ],
  [
    /^the reason should indicate an error and the error code should indicate .* with "(.*)"$/,
    (world, errorCode) => expect(world.details).toMatchObject({ reason: "ERROR", errorCode }),
  ],
];

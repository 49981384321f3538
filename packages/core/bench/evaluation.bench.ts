import { randomUUID } from "node:crypto";
import { bench, describe } from "vitest";
import { createBucketer } from "../src/bucketing/bucket.ts";
import {
  type Condition,
  createEngine,
  createProgramEngine,
  type Definitions,
  type FlagDefinition,
  parseProgram,
  toProgram,
} from "../src/index.ts";

const flag = (key: string, fields: Partial<FlagDefinition> = {}): FlagDefinition => ({
  key,
  enabled: true,
  rollout_percentage: 50,
  variants: [],
  rules: [],
  ...fields,
});
const conditions: Condition[] = [
  { attribute: "country", operator: "IN", value: ["DE", "FR", "IT"] },
  { attribute: "age", operator: "GREATER_THAN", value: 18 },
  { attribute: "plan", operator: "NOT_EQUALS", value: "free" },
];
const variants = ["a", "b", "c", "d"].map((key) => ({ key, weight: 25, value: key }));
const rules = [{ id: "r", when: { all: conditions }, serve: { rollout_percentage: 100 } }];
const toDefinitions = (flags: FlagDefinition[]): Definitions => ({
  schema_version: 1,
  flags,
  segments: [],
  groups: [],
  holdout: null,
  experiments: [],
});

const engine = createEngine(
  toDefinitions([flag("half"), flag("all", { rollout_percentage: 100 }), flag("ruled", { variants, rules })]),
);
const rolledOut = (rollout_percentage: number, index: number) =>
  flag(`flag-${index}`, { rollout_percentage, variants, rules });
const some = toDefinitions(Array.from({ length: 1_000 }, (_, index) => rolledOut(50, index)));
const others = toDefinitions(some.flags.map((_, index) => rolledOut(60, index)));
const oneOther = toDefinitions([...some.flags.slice(1), rolledOut(60, 0)]);
const replaced = createEngine(some);
const program = toProgram(some);
const otherProgram = toProgram(oneOther);
const programText = JSON.stringify(program);
const ofProgram = createProgramEngine(toProgram(engine.definitions));
const replacedProgram = createProgramEngine(program);
const hundred = createEngine(toDefinitions(Array.from({ length: 100 }, (_, index) => flag(`flag-${index}`))));
const thousand = createEngine(toDefinitions(Array.from({ length: 1_000 }, (_, index) => flag(`flag-${index}`))));
const hash = createBucketer("half");

let next = 0;
/** The export prevents the JavaScript engine from optimising the measured code away. */
export let seen: unknown;
const contexts = Array.from({ length: 1_024 }, () => ({
  targetingKey: randomUUID(),
  country: "FR",
  age: 30,
  plan: "pro",
}));
const context = () => contexts[next++ & 1_023]!;
const bare = { bucket: false };

describe("one evaluation", () => {
  bench("the hash alone (the floor)", () => {
    seen = hash(context().targetingKey) < 0.5;
  });
  bench("boolean, 50 %", () => {
    seen = engine.evaluate("half", context(), false);
  });
  bench("boolean, 50 %, without its bucket", () => {
    seen = engine.evaluate("half", context(), false, bare);
  });
  bench("boolean, everyone", () => {
    seen = engine.evaluate("all", context(), false);
  });
  bench("3 conditions and 4 variants", () => {
    seen = engine.evaluate("ruled", context(), "none");
  });
  bench("3 conditions and 4 variants, of a program", () => {
    seen = ofProgram.evaluate("ruled", context(), "none");
  });
});

describe("all flags of one user", () => {
  bench("100 flags", () => {
    seen = hundred.evaluateAll(context());
  });
  bench("1,000 flags", () => {
    seen = thousand.evaluateAll(context());
  });
});

describe("1,000 flags with 3 conditions and 4 variants each", () => {
  let turn = 0;
  const inTurn = <T>(one: T, other: T) => (turn++ & 1 ? one : other);

  bench("JSON.parse of their program (the floor)", () => {
    seen = JSON.parse(programText);
  });
  bench("createEngine", () => {
    seen = createEngine(some);
  });
  bench("engine.update, all of them changed", () => {
    seen = replaced.update(inTurn(some, others));
  });
  bench("engine.update, one of them changed", () => {
    seen = replaced.update(inTurn(some, oneOther));
  });
  bench("toProgram", () => {
    seen = toProgram(some);
  });
  bench("parseProgram and createProgramEngine", () => {
    seen = createProgramEngine(parseProgram(programText));
  });
  bench("toProgram and createProgramEngine", () => {
    seen = createProgramEngine(toProgram(some));
  });
  bench("update of a program, one of them changed", () => {
    seen = replacedProgram.update(inTurn(program, otherProgram));
  });
});

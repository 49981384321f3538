import { FlagdCore } from "@openfeature/flagd-core";
import type { Answer, Contestant } from "../../src/evaluation/contestant.ts";
import { COUNTRIES, EXCLUDED_PLAN, type Flag, MIN_AGE, NONE, VARIANTS } from "../../src/evaluation/scenario.ts";

const fractional = (variants: readonly string[]) => ({ fractional: variants.map((variant) => [variant, 1]) });

function toFlag({ kind }: Flag): object {
  if (kind === "half") {
    const targeting = fractional(["on", "off"]);
    return { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off", targeting };
  }
  const conditions = [
    { in: [{ var: "country" }, COUNTRIES] },
    { ">": [{ var: "age" }, MIN_AGE] },
    { "!=": [{ var: "plan" }, EXCLUDED_PLAN] },
  ];
  return {
    state: "ENABLED",
    variants: Object.fromEntries([...VARIANTS, NONE].map((variant) => [variant, variant])),
    defaultVariant: NONE,
    targeting: { if: [{ and: conditions }, fractional(VARIANTS), NONE] },
  };
}

export const flagd: Contestant = {
  name: "flagd-core",
  packageName: "@openfeature/flagd-core",
  load(flags) {
    const core = new FlagdCore();
    core.setConfigurations(JSON.stringify({ flags: Object.fromEntries(flags.map((one) => [one.key, toFlag(one)])) }));
    type Context = { targetingKey: string };
    return {
      toContext: ({ id, country, age, plan }) => ({ targetingKey: id, country, age, plan }),
      one: ({ key, kind }) => {
        if (kind === "half") return (context: Context) => core.resolveBooleanEvaluation(key, false, context);
        return (context: Context) => core.resolveStringEvaluation(key, NONE, context);
      },
      all: (context: Context) => core.resolveAll(context),
      read: ({ value }: { value: Answer }) => value,
      readAll: (results: { flagKey: string; value: Answer }[], { key }) =>
        results.find(({ flagKey }) => flagKey === key)!.value,
    };
  },
};

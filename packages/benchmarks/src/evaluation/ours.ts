import {
  createBucketer,
  createEngine,
  type Definitions,
  type EvaluateOptions,
  type EvaluationResult,
  type FlagDefinition,
} from "@assay/core";
import type { Answer, Contestant, Engine } from "./contestant.ts";
import { COUNTRIES, EXCLUDED_PLAN, type Flag, MIN_AGE, NONE, type User, VARIANTS } from "./scenario.ts";

/** Returns the definitions of flags. */
export function toDefinitions(flags: readonly Flag[], halfOf = 50): Definitions {
  return {
    schema_version: 1,
    flags: flags.map((flag) => toDefinition(flag, halfOf)),
    segments: [],
    groups: [],
    holdout: null,
    experiments: [],
  };
}

function toDefinition({ key, kind }: Flag, rollout_percentage: number): FlagDefinition {
  if (kind === "half") return { key, enabled: true, rollout_percentage, variants: [], rules: [] };
  return {
    key,
    enabled: true,
    rollout_percentage: 0,
    default_value: NONE,
    variants: VARIANTS.map((variant) => ({ key: variant, weight: 25, value: variant })),
    rules: [
      {
        id: "targeted",
        when: {
          all: [
            { attribute: "country", operator: "IN", value: COUNTRIES },
            { attribute: "age", operator: "GREATER_THAN", value: MIN_AGE },
            { attribute: "plan", operator: "NOT_EQUALS", value: EXCLUDED_PLAN },
          ],
        },
        serve: { rollout_percentage: 100 },
      },
    ],
  };
}

export const toContext = ({ id, country, age, plan }: User) => ({ targetingKey: id, country, age, plan });
export const defaultOf = ({ kind }: Flag): Answer => (kind === "half" ? false : NONE);

/** The engine of `@assay/core`. */
export const assay: Contestant = ours("Assay");
/** The same without the bucket in its results, which the floor and most peers do not tell either. */
export const assayBare: Contestant = ours("Assay, `bucket: false`", { bucket: false });

function ours(name: string, options?: EvaluateOptions): Contestant {
  return {
    name,
    load(flags): Engine {
      const engine = createEngine(toDefinitions(flags));
      return {
        toContext,
        one: (flag) => {
          const [key, otherwise] = [flag.key, defaultOf(flag)];
          return (context) => engine.evaluate(key, context, otherwise, options);
        },
        all: (context) => engine.evaluateAll(context, options),
        read: ({ value }: EvaluationResult) => value as Answer,
        readAll: (results: Record<string, EvaluationResult>, { key }) => results[key]?.value as Answer,
      };
    },
  };
}

type Context = ReturnType<typeof toContext>;

/** What a hand-written function with the same hash costs: no look-up of a flag, and shared results. */
export const floor: Contestant = {
  name: "hand-written (floor)",
  load(flags): Engine {
    const evaluators = flags.map((flag) => [flag.key, byHand(flag)] as const);
    const byKey = new Map(evaluators);
    return {
      toContext,
      one: ({ key }) => byKey.get(key)!,
      all(context: Context) {
        const results: Record<string, { value: Answer }> = Object.create(null);
        for (const [key, evaluate] of evaluators) results[key] = evaluate(context);
        return results;
      },
      read: ({ value }: { value: Answer }) => value,
      readAll: (results: Record<string, { value: Answer }>, { key }) => results[key]!.value,
    };
  },
};

function byHand({ key, kind }: Flag): (context: Context) => { value: Answer } {
  const hash = createBucketer(key);
  const [on, off, none] = [true, false, NONE].map((value) => ({ value }));
  if (kind === "half") return ({ targetingKey }) => (hash(targetingKey) < 0.5 ? on! : off!);
  const countries = new Set(COUNTRIES);
  const variants = VARIANTS.map((value) => ({ value }));
  return ({ targetingKey, country, age, plan }) =>
    countries.has(country) && age > MIN_AGE && plan !== EXCLUDED_PLAN
      ? variants[Math.floor(hash(targetingKey) * variants.length)]!
      : none!;
}

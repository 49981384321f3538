import { readFileSync } from "node:fs";
import type { FlagRule, JsonValue, TargetingRules } from "@assay/core";

/** A flag in the test data of the specification. */
interface TestFlag {
  variants: Record<string, JsonValue>;
  defaultVariant?: string | null;
  contextEvaluator?: string;
  disabled?: boolean;
}

/** The body of a request that creates a flag. */
export interface FlagBody {
  key: string;
  name: string;
  status: "ACTIVE" | "INACTIVE";
  value_type: "BOOLEAN" | "STRING" | "NUMBER" | "OBJECT";
  variants: { key: string; weight: number; value: JsonValue }[];
  default_value?: JsonValue;
  rollout_percentage?: number;
  targeting_rules?: TargetingRules;
  rules?: FlagRule[];
}

const isIn = (attribute: string, ...values: (string | boolean)[]): TargetingRules => ({
  user_attributes: { [attribute]: values },
});

/** The expressions of the test data: an equivalent targeting rule for each, with the variant that it selects. */
const EXPRESSIONS: Record<
  string,
  [variant: string, targeting: Pick<FlagBody, "targeting_rules" | "rules" | "rollout_percentage">]
> = {
  "email == 'ballmer@macrosoft.com' ? 'zero' : ''": [
    "zero",
    { targeting_rules: isIn("email", "ballmer@macrosoft.com") },
  ],
  "!customer ? 'internal' : ''": ["internal", { targeting_rules: isIn("customer", false) }],
  "!customer && email == 'ballmer@macrosoft.com' && age > 10 ? 'internal' : ''": [
    "internal",
    {
      rollout_percentage: 0,
      rules: [
        {
          id: "internal",
          when: {
            all: [
              { attribute: "customer", operator: "EQUALS", value: false },
              { attribute: "email", operator: "EQUALS", value: "ballmer@macrosoft.com" },
              { attribute: "age", operator: "GREATER_THAN", value: 10 },
            ],
          },
          serve: { variant: "internal" },
        },
      ],
    },
  ],
};

/**
 * Returns the flags of the specification's test data, as requests to a server.
 * @throws Error if an expression is unknown
 */
export function readTestFlags(): FlagBody[] {
  const text = readFileSync(new URL("./gherkin/test-flags.json", import.meta.url), "utf8");
  const flags = JSON.parse(text) as Record<string, TestFlag>;
  // `evaluation.feature` is older than the data, which no longer contains its flag.
  flags["context-aware"] = {
    variants: { internal: "INTERNAL", external: "EXTERNAL" },
    defaultVariant: "external",
    contextEvaluator: "!customer ? 'internal' : ''",
  };
  // A flag with neither a default nor an expression serves no value.
  return Object.entries(flags)
    .filter(([, flag]) => flag.defaultVariant || flag.contextEvaluator)
    .map(([key, flag]) => toBody(key, flag));
}

function toBody(key: string, { variants, defaultVariant, contextEvaluator, disabled }: TestFlag): FlagBody {
  const [served, targeting] =
    contextEvaluator === undefined ? [defaultVariant, {}] : (EXPRESSIONS[contextEvaluator] ?? []);
  if (!served) throw new Error(`What does ${contextEvaluator} mean?`);
  const isTargeted = contextEvaluator !== undefined && typeof defaultVariant === "string";
  return {
    key,
    name: key,
    status: disabled ? "INACTIVE" : "ACTIVE",
    value_type: toType(variants[served]),
    variants: Object.entries(variants).map(([name, value]) => ({ key: name, weight: name === served ? 1 : 0, value })),
    ...(isTargeted ? { default_value: variants[defaultVariant]! } : {}),
    ...targeting,
  };
}

function toType(value: JsonValue | undefined): FlagBody["value_type"] {
  const types = { boolean: "BOOLEAN", string: "STRING", number: "NUMBER" } as const;
  return types[typeof value as keyof typeof types] ?? "OBJECT";
}

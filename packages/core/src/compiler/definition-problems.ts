import { toArms } from "../format/arms.ts";
import type { ExperimentDefinition, FlagDefinition, FlagRule, SegmentDefinition } from "../format/definition.ts";
import { toPercentage } from "../format/definition-error.ts";
import { createConditionCheck } from "./condition-problems.ts";
import { lowerExperiment } from "./experiment.ts";
import { lowerFlag } from "./flag.ts";
import { attempt, LIMITS, type Problem, report } from "./problem.ts";
import { readServe } from "./rule.ts";
import { lowerSegment } from "./segment.ts";
import { checkTargeting } from "./targeting-problems.ts";
import { readVariants, type VariantList } from "./variant.ts";

/** Returns all errors and exceeded limits of a flag definition; empty if it is valid. */
export function validateFlag(definition: FlagDefinition): Problem[] {
  const problems: Problem[] = [];
  const variants = checkVariants(problems, toArms(definition));
  attempt(problems, ["rollout_percentage"], () => toPercentage(definition.rollout_percentage));
  checkTargeting(problems, definition.targeting_rules, ["targeting_rules"]);
  checkRules(problems, definition.rules, variants);
  return orElse(problems, () => lowerFlag(definition).error);
}

/** Returns all errors and exceeded limits of an experiment definition; empty if it is valid. */
export function validateExperiment(definition: ExperimentDefinition): Problem[] {
  const problems: Problem[] = [];
  const variants = checkVariants(problems, definition.variants);
  checkTargeting(problems, definition.targeting_rules, ["targeting_rules"]);
  checkRules(problems, definition.rules, variants);
  return orElse(problems, () => lowerExperiment(definition).error);
}

/** Returns all errors and exceeded limits of a segment definition; empty if it is valid. */
export function validateSegment(definition: SegmentDefinition): Problem[] {
  const problems: Problem[] = [];
  if (definition?.when) createConditionCheck(problems)(definition.when, ["when"]);
  return orElse(problems, () => lowerSegment(definition).error);
}

function checkVariants(problems: Problem[], variants: { key: string; weight: number }[]): VariantList {
  let read: VariantList = { keys: [], weights: [] };
  attempt(problems, ["variants"], () => {
    read = readVariants(variants);
  });
  return read;
}

function checkRules(problems: Problem[], rules: readonly FlagRule[] | undefined, variants: VariantList): void {
  if (!Array.isArray(rules)) return;
  if (rules.length > LIMITS.rules) {
    report(problems, ["rules"], `At most ${LIMITS.rules} rules, not ${rules.length}`);
    return;
  }
  const checkCondition = createConditionCheck(problems);
  rules.forEach((rule: FlagRule, index) => {
    if (typeof rule?.id !== "string") {
      report(problems, ["rules", index, "id"], "Expected a string");
      return;
    }
    checkCondition(rule.when, ["rules", index, "when"]);
    attempt(problems, ["rules", index, "serve"], () => readServe(rule.serve, variants));
  });
}

/** Returns the problems found part by part, or else the compiler's error for the whole definition. */
function orElse(problems: Problem[], compile: () => string | null): Problem[] {
  const error = problems.length === 0 ? compile() : null;
  if (error !== null) report(problems, [], error);
  return problems;
}

import { isAbsent } from "../format/definition-error.ts";
import type { Predicate } from "../format/program.ts";
import type { EvaluationContext } from "../format/result.ts";
import { readAttribute } from "../values/attribute.ts";
import { MAX_MATCHED } from "../values/pattern-length.ts";
import { evaluationState } from "./evaluation-state.ts";
import type { StepLimit } from "./links.ts";

/** The default maximum number of steps of one evaluation. */
const MAX_STEPS = 1_000_000;

/** The maximum number of steps of a test for a context. */
type Estimate = (context: EvaluationContext) => number;

/**
 * Creates a limit on the steps of one evaluation, including those of its segments and flags: a million steps take some
 * tens of milliseconds at worst. An evaluation that exceeds it answers an error. Steps are estimated from the sizes of
 * the operands before the comparison. For servers that evaluate definitions and contexts of others.
 *
 * @example createEngine(definitions, { limit: createStepLimit() })
 */
export function createStepLimit(max = MAX_STEPS): StepLimit {
  const count = (steps: number) => {
    evaluationState[1]! += steps;
    if (evaluationState[1]! > max) throw new RangeError(`Evaluation takes more than ${max} steps`);
  };
  return {
    count,
    guard(predicate, test) {
      const estimate = createEstimate(predicate);
      if (estimate === undefined) return test;
      return (context, now) => {
        count(estimate(context));
        return test(context, now);
      };
    },
  };
}

/** Undefined for predicates without cost. */
function createEstimate(predicate: Predicate): Estimate | undefined {
  switch (predicate[0]) {
    case "in":
      return onValues(predicate[1], (length) => 4 + length / 16);
    case "text": {
      const [, attribute, how, parts] = predicate;
      const size = parts.join().length;
      // At worst a part is compared at every position of the text.
      const places = how === "includes" ? size / 256 : 0;
      return onValues(attribute, (length) => size + length / 16 + length * places);
    }
    case "matches": {
      const states = predicate[2].reduce((sum, pattern) => sum + pattern.states.length, 0);
      return onValues(predicate[1], (length) => (length > MAX_MATCHED ? 1 : states * (length + 1)));
    }
    case "address": {
      const { length: ranges } = predicate[2];
      return onValues(predicate[1], (length) => 64 + ranges + length);
    }
    case "order": {
      const { length: values } = predicate[3];
      return onValues(predicate[1], (length) => 16 + values + length);
    }
    case "segment": {
      const { length: names } = predicate[1];
      return (context) => {
        const claimed = readAttribute(context, "user_segments");
        return names * (16 + (Array.isArray(claimed) ? claimed.length : 0));
      };
    }
    case "slots":
      return ({ targetingKey }) => targetingKey?.length ?? 0;
    case "requires": {
      const size = predicate[1].reduce((sum, required) => sum + 200 + JSON.stringify(required).length, 0);
      return () => size;
    }
  }
  return undefined;
}

/**
 * The steps for all values of an attribute.
 *
 * @param steps those for one value, by its length in UTF-16 code units; values that are not strings count as 16
 */
function onValues(attribute: string, steps: (length: number) => number): Estimate {
  const stepsFor = (value: unknown) => steps(typeof value === "string" ? value.length : 16);
  return (context) => {
    const actual = readAttribute(context, attribute);
    if (isAbsent(actual)) return 0;
    return Array.isArray(actual) ? actual.reduce((sum: number, value) => sum + stepsFor(value), 0) : stepsFor(actual);
  };
}

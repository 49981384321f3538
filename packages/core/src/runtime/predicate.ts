import { linkPattern } from "#platform";
import { createBucketer, fingerprint } from "../bucketing/bucket.ts";
import type { Prerequisite } from "../format/definition.ts";
import { isAbsent, refuse } from "../format/definition-error.ts";
import type { Predicate } from "../format/program.ts";
import type { EvaluationResult } from "../format/result.ts";
import { readAttribute } from "../values/attribute.ts";
import { createMembership, isSame } from "../values/equality.ts";
import { wallClock } from "../values/zone.ts";
import { type Check, createOrderCheck, createTextCheck } from "./check.ts";
import { evaluationState } from "./evaluation-state.ts";
import type { Links, Test } from "./links.ts";
import { guardReentry } from "./reentry.ts";

/**
 * Links a predicate to a function. An absent attribute (missing, undefined, null or inherited) passes only `not`.
 *
 * @throws DefinitionError, SyntaxError, TypeError or RangeError for a predicate that this evaluator does not support
 */
export function linkPredicate(predicate: Predicate, links: Links): Test {
  const explained = links.explain?.(predicate);
  if (explained) return explained;
  const test = linkTest(predicate, links);
  return links.limit?.guard(predicate, test) ?? test;
}

function linkTest(predicate: Predicate, links: Links): Test {
  const link = (part: Predicate) => linkPredicate(part, links);
  switch (predicate[0]) {
    case "all":
      return every(predicate[1].map(link));
    case "any":
      return some(predicate[1].map(link));
    case "not": {
      const test = link(predicate[1]);
      return (context, now) => !test(context, now);
    }
    case "exists": {
      const [, attribute] = predicate;
      return (context) => !isAbsent(readAttribute(context, attribute));
    }
    case "in":
      return onValue(predicate[1], createMembership(predicate[2], predicate[3]));
    case "text": {
      const [, attribute, how, parts, caseless] = predicate;
      const tests = parts.map((part) => (text: string) => text[how](part));
      return onValue(attribute, createTextCheck(tests, caseless));
    }
    case "matches":
      return onValue(predicate[1], createTextCheck(predicate[2].map(linkPattern), false));
    case "one": {
      const [, attribute, part] = predicate;
      const test = link(part);
      return onValue(attribute, (value) => test({ [attribute]: value }, 0));
    }
    case "order":
      return onValue(predicate[1], createOrderCheck(predicate));
    case "segment":
      return linkSegments(predicate[1], links);
    case "users":
      return linkUsers(predicate);
    case "time":
      return linkTime(predicate, links);
    case "slots":
      return linkSlots(predicate);
    case "nobody":
      return ({ targetingKey }) => typeof targetingKey !== "string" || targetingKey === "";
    case "requires":
      return linkPrerequisites(predicate[1], links);
    case "refuse": {
      const [, message] = predicate;
      return () => refuse(message);
    }
  }
  return refuse(`Unknown predicate ${JSON.stringify(predicate)}`);
}

function every(tests: readonly Test[]): Test {
  if (tests.length === 1) return tests[0]!;
  return (context, now) => {
    for (const test of tests) if (!test(context, now)) return false;
    return true;
  };
}

function some(tests: readonly Test[]): Test {
  return (context, now) => {
    for (const test of tests) if (test(context, now)) return true;
    return false;
  };
}

/** Creates the test of whether an attribute passes a check. A list passes if any element does. */
function onValue(attribute: string, check: Check): Test {
  return (context) => {
    const actual = readAttribute(context, attribute);
    if (isAbsent(actual)) return false;
    return Array.isArray(actual) ? actual.some((element) => !isAbsent(element) && check(element)) : check(actual);
  };
}

/** Stored segments, or any that the context itself names in `user_segments`. */
function linkSegments(names: readonly string[], { segment }: Links): Test {
  return (context, now) => {
    const claimed = readAttribute(context, "user_segments");
    return names.some(
      (name) =>
        (Array.isArray(claimed) ? claimed.includes(name) : claimed === name) || segment(name)?.test(context, now),
    );
  };
}

function linkUsers([, ids, salt, fingerprints]: Extract<Predicate, { 0: "users" }>): Test {
  const named = new Set<unknown>(ids);
  const hashes = new Set(fingerprints);
  return ({ targetingKey: user }) =>
    named.has(user) || (salt !== undefined && typeof user === "string" && hashes.has(fingerprint(user, salt)));
}

function linkTime([, from, until, zone, days, start, end]: Extract<Predicate, { 0: "time" }>, links: Links): Test {
  const clock = wallClock(zone);
  return (_, now = links.now()) => {
    if (!(now >= (from ?? now) && now < (until ?? Infinity))) return false;
    const { day, hour } = clock(now);
    if (days.length > 0 && !days.includes(day)) return false;
    return start < end ? hour >= start && hour < end : hour >= start || hour < end;
  };
}

function linkSlots([, key, slots, outside]: Extract<Predicate, { 0: "slots" }>): Test {
  const hash = createBucketer(key);
  return ({ targetingKey }) => {
    const bucket = hash(targetingKey!);
    const isInside = slots.some(([start, end]) => bucket >= start && bucket < end);
    if (isInside === outside) return false;
    evaluationState[0] = bucket;
    return true;
  };
}

/**
 * A flag that is missing, fails its own prerequisites or answers an error satisfies no prerequisite, regardless of its
 * value; so a cycle fails every flag on it. Without `variant` and `value` the other flag has to be on.
 */
function linkPrerequisites(required: readonly Prerequisite[], links: Links): Test {
  return guardReentry((context, now) => {
    const met = required.every((prerequisite) => {
      const result = links.flag(prerequisite.flag_key)?.run(context, now);
      return result !== undefined && satisfies(result, prerequisite);
    });
    // The required flags left their own hash behind.
    evaluationState[0] = -1;
    return met;
  });
}

function satisfies(result: EvaluationResult, { variant, value }: Prerequisite): boolean {
  if (result.reason === "PREREQUISITE_FAILED" || result.reason === "ERROR") return false;
  if (variant === undefined && value === undefined) return result.enabled;
  return (variant === undefined || variant === result.variant) && (value === undefined || isSame(value, result.value));
}

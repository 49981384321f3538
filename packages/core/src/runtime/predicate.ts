import { linkPattern } from "#platform";
import { createBucketer, fingerprint } from "../bucketing/bucket.ts";
import type { Prerequisite } from "../format/definition.ts";
import { isAbsent, refuse } from "../format/definition-error.ts";
import type { Note, Predicate } from "../format/program.ts";
import type { EvaluationResult } from "../format/result.ts";
import { toAddressDigits } from "../values/address.ts";
import { isId, readAttribute } from "../values/attribute.ts";
import { createMembership, isSame } from "../values/equality.ts";
import { wallClock } from "../values/zone.ts";
import { type Check, createOrderCheck, createTextCheck } from "./check.ts";
import { evaluationState } from "./evaluation-state.ts";
import type { Links, Test } from "./links.ts";
import { guardReentry } from "./reentry.ts";

/** The predicates of one operation. */
type Of<Name, P = Predicate> = P extends readonly [infer Names, ...unknown[]]
  ? Name extends Names
    ? P
    : never
  : never;

/** The linker of each operation. An operation that is missing here is a type error. */
const LINKERS: { [Name in Exclude<Predicate[0], Note[0]>]: (predicate: Of<Name>, links: Links) => Test } = {
  all: ([, parts], links) => linkAll(parts, links, true),
  any: ([, parts], links) => linkAll(parts, links, false),
  not([, part], links) {
    const test = linkPredicate(part, links);
    return (context, now) => !test(context, now);
  },
  exists:
    ([, attribute]) =>
    (context) =>
      !isAbsent(readAttribute(context, attribute)),
  in: ([, attribute, values, caseless]) => onValue(attribute, createMembership(values, caseless)),
  text([, attribute, how, parts, caseless]) {
    const tests = parts.map((part) => (text: string) => text[how](part));
    return onValue(attribute, createTextCheck(tests, caseless));
  },
  matches: ([, attribute, patterns]) => onValue(attribute, createTextCheck(patterns.map(linkPattern), false)),
  one([, attribute, part], links) {
    const test = linkPredicate(part, links);
    return onValue(attribute, (value) => test({ [attribute]: value }, 0));
  },
  address: ([, attribute, ranges]) =>
    onValue(attribute, (actual) => {
      const digits = toAddressDigits(actual);
      return ranges.some(([from, until]) => digits >= from && digits <= until);
    }),
  order: (predicate) => onValue(predicate[1], createOrderCheck(predicate)),
  // Stored segments, or any that the context itself names in `user_segments`.
  segment:
    ([, names], { segment }) =>
    (context, now) => {
      const claimed = readAttribute(context, "user_segments");
      return names.some(
        (name) =>
          (Array.isArray(claimed) ? claimed.includes(name) : claimed === name) || segment(name)?.test(context, now),
      );
    },
  users([, ids, salt, fingerprints]) {
    const named = new Set<unknown>(ids);
    const hashes = new Set(fingerprints);
    return ({ targetingKey: user }) =>
      named.has(user) || (salt !== undefined && typeof user === "string" && hashes.has(fingerprint(user, salt)));
  },
  time([, from, until, zone, days, start, end], links) {
    const clock = wallClock(zone);
    return (_, now = links.now()) => {
      if (!(now >= (from ?? now) && now < (until ?? Infinity))) return false;
      const { day, hour } = clock(now);
      if (days.length > 0 && !days.includes(day)) return false;
      return start < end ? hour >= start && hour < end : hour >= start || hour < end;
    };
  },
  slots([, key, slots, outside]) {
    const hash = createBucketer(key);
    return ({ targetingKey }) => {
      const bucket = hash(targetingKey!);
      const isInside = slots.some(([start, end]) => bucket >= start && bucket < end);
      if (isInside === outside) return false;
      evaluationState[0] = bucket;
      return true;
    };
  },
  nobody:
    () =>
    ({ targetingKey }) =>
      !isId(targetingKey),
  // A flag that is missing, fails its own prerequisites or answers an error satisfies no prerequisite, regardless of its
  // value; so a cycle fails every flag on it.
  requires: ([, required], links) =>
    guardReentry((context, now) => {
      const met = required.every((prerequisite) => {
        const result = links.flag(prerequisite.flag_key)?.run(context, now);
        return result !== undefined && satisfies(result, prerequisite);
      });
      // The required flags left their own hash behind.
      evaluationState[0] = -1;
      return met;
    }),
  refuse:
    ([, message]) =>
    () =>
      refuse(message),
};

/**
 * Links a predicate to a function. An absent attribute (missing, undefined, null or inherited) passes only `not`.
 *
 * @throws DefinitionError, SyntaxError, TypeError or RangeError for a predicate that this evaluator does not support
 */
export function linkPredicate(predicate: Predicate, links: Links): Test {
  const explained = links.explain?.(predicate);
  if (explained) return explained;
  const [name] = predicate;
  if (!Object.hasOwn(LINKERS, name)) refuse(`Unknown predicate ${JSON.stringify(predicate)}`);
  const test = (LINKERS[name as "in"] as (of: Predicate, links: Links) => Test)(predicate, links);
  return links.limit?.guard(predicate, test) ?? test;
}

/** Links the test whether all tests pass, or whether any of them does. */
function linkAll(parts: readonly Predicate[], links: Links, areAll: boolean): Test {
  const tests = parts.map((part) => linkPredicate(part, links));
  if (tests.length === 1) return tests[0]!;
  return (context, now) => {
    for (const test of tests) if (test(context, now) !== areAll) return !areAll;
    return areAll;
  };
}

/** Creates the test of whether an attribute passes a check. A list passes if any element does. */
function onValue(attribute: string, check: Check): Test {
  const test: Check = (actual) => !isAbsent(actual) && check(actual);
  return (context) => {
    const actual = readAttribute(context, attribute);
    return Array.isArray(actual) ? actual.some(test) : test(actual);
  };
}

/** Without `variant` and `value` the other flag has to be on. */
function satisfies(result: EvaluationResult, { variant, value }: Prerequisite): boolean {
  if (result.reason === "PREREQUISITE_FAILED" || result.reason === "ERROR") return false;
  if (variant === undefined && value === undefined) return result.enabled;
  return (variant === undefined || variant === result.variant) && (value === undefined || isSame(value, result.value));
}

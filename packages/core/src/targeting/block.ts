import { isCaseless, readAttribute } from "./attribute.ts";
import { every, holds } from "./condition.ts";
import { createMembership } from "./equality.ts";
import { checkKeys, isAbsent, isRecord, isScalar, isString, own, type Path, readList, type Scalar } from "./problem.ts";
import type { Scope, Test } from "./scope.ts";
import { createSegmentTest } from "./segment.ts";
import { compileTimeRules } from "./time-rule.ts";

/** The targeting blocks of a flag or an experiment, compiled. */
export interface CompiledTargeting {
  /** All blocks together; null where there are none. */
  blocks: Test | null;
  excluded: ReadonlySet<unknown> | null;
  included: ReadonlySet<unknown> | null;
  /** Percentage, 100 where absent. */
  rollout: number;
}

const KEYS = [
  "countries",
  "browsers",
  "user_segments",
  "user_attributes",
  "time_rules",
  "rollout_percentage",
  "sticky_assignment",
  "excluded_users",
  "included_users",
];

/** Compiles the specification's targeting blocks, which combine with AND; an empty list is no block. */
export function compileTargeting(rules: unknown, scope: Scope, path: Path = []): CompiledTargeting {
  const targeting: CompiledTargeting = { blocks: null, excluded: null, included: null, rollout: 100 };
  if (isAbsent(rules)) return targeting;
  const { problems } = scope;
  if (!isRecord(rules)) {
    problems.push({ path: [...path], message: "Expected an object of targeting blocks" });
    return targeting;
  }
  checkKeys(rules, KEYS, path, problems);
  const tests: Test[] = [];
  const strings = (key: string) => readList(own(rules, key), isString, "strings", [...path, key], problems);
  const addAttribute = (subject: string, attribute: string, values: readonly Scalar[]) => {
    if (values.length === 0) return;
    const check = createMembership(values, isCaseless(attribute));
    tests.push(block(subject, (context) => holds(check, readAttribute(context, attribute))));
  };

  addAttribute("countries", "country", strings("countries"));
  addAttribute("browsers", "browser", strings("browsers"));
  const segments = strings("user_segments");
  if (segments.length > 0) tests.push(block("user_segments", createSegmentTest(segments, scope)));

  const attributes = own(rules, "user_attributes");
  if (isRecord(attributes)) {
    for (const name of Object.keys(attributes)) {
      const at = [...path, "user_attributes", name];
      const values = readList<Scalar>(attributes[name], isScalar, "strings, numbers or booleans", at, problems);
      addAttribute(`user_attributes.${name}`, name, values);
    }
  } else if (!isAbsent(attributes)) {
    problems.push({ path: [...path, "user_attributes"], message: "Expected an object of lists" });
  }

  const time = own(rules, "time_rules");
  if (!isAbsent(time)) tests.push(block("time_rules", compileTimeRules(time, scope, [...path, "time_rules"])));
  if (tests.length > 0) targeting.blocks = every(tests);

  const [excluded, included] = [strings("excluded_users"), strings("included_users")];
  if (excluded.length > 0) targeting.excluded = new Set(excluded);
  if (included.length > 0) targeting.included = new Set(included);
  targeting.rollout = readPercentage(own(rules, "rollout_percentage"), scope, [...path, "rollout_percentage"]) ?? 100;
  const sticky = own(rules, "sticky_assignment");
  if (!isAbsent(sticky) && typeof sticky !== "boolean") {
    problems.push({ path: [...path, "sticky_assignment"], message: "Expected true or false" });
  }
  return targeting;
}

/** A percentage from 0 to 100; null where it is absent, or reported where it is anything else. */
export function readPercentage(value: unknown, scope: Scope, path: Path): number | null {
  if (isAbsent(value)) return null;
  if (typeof value === "number" && value >= 0 && value <= 100) return value;
  scope.problems.push({ path: [...path], message: "Expected a percentage from 0 to 100" });
  return null;
}

function block(subject: string, test: Test): Test {
  return (context, now, trace) => {
    const matched = test(context, now, trace);
    if (trace !== null) trace.push({ step: "BLOCK", subject, matched, detail: matched ? "matches" : "does not match" });
    return matched;
  };
}

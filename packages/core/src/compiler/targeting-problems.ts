import type { TargetingRules } from "../format/definition.ts";
import { toTargeting } from "./block.ts";
import { attempt, checkLength, type Path, type Problem, report } from "./problem.ts";

/** Collects all errors in targeting blocks: blocks, values, zones, days, hours, limits; each block by itself. */
export function checkTargeting(problems: Problem[], rules: TargetingRules | null | undefined, path: Path): void {
  if (rules === null || rules === undefined) return;
  if (!isRecord(rules)) {
    report(problems, path, "Expected targeting blocks");
    return;
  }
  const check = (part: TargetingRules, ...below: string[]) =>
    attempt(problems, [...path, ...below], () => toTargeting(part, { references: [] }));
  const { time_rules, user_attributes, ...blocks } = rules;
  for (const { key, part } of parts(blocks)) {
    check(part, key);
    checkLength(problems, [...path, key], Object.values(part)[0]);
  }
  if (!isRecord(time_rules)) check({ time_rules }, "time_rules");
  else for (const { key, part } of parts(time_rules)) check({ time_rules: part }, "time_rules", key);
  if (!isRecord(user_attributes)) check({ user_attributes }, "user_attributes");
  for (const [key, values] of Object.entries(isRecord(user_attributes) ? user_attributes : {})) {
    check({ user_attributes: { [key]: values } }, "user_attributes", key);
    checkLength(problems, [...path, "user_attributes", key], values);
  }
}

function isRecord<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Splits an object into objects of one key each. */
function parts<T extends object>(record: T): { key: string; part: Partial<T> }[] {
  return Object.keys(record).map((key) => {
    const part: Partial<T> = { ...record };
    for (const other in part) if (other !== key) delete part[other];
    return { key, part };
  });
}

import type { Condition as AssayCondition } from "@assay/core";
import { allOf, anyOf } from "../mapping/condition.ts";
import type { SegmentBody, Skipped } from "../mapping/migration.ts";
import { NoCounterpart, noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import { readPart } from "../mapping/shape.ts";
import type { Scope } from "./condition.ts";
import { type Source, Spec } from "./payload.ts";
import { readRules } from "./rule.ts";

const PREFIX = "segment:";

/** Whether a gate is a segment. */
export function isSegment(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** The gates that conditions refer to, and the segments among them in an order in which each comes after its own. */
export interface Gates {
  scope(differences: Set<string>): Scope;
  segments: SegmentBody[];
  skipped: Skipped[];
}

interface Resolved {
  condition: AssayCondition;
  differences: Set<string>;
}

/** Reads the segments; other gates are written out where a condition refers to them. */
export function readGates({ gates, conditions }: Source, environment: string | undefined): Gates {
  const specs = new Map(gates.map(({ name, spec }) => [name, spec]));
  const resolved = new Map<string, Resolved | string>();
  const segments: SegmentBody[] = [];
  const skipped: Skipped[] = [];
  const scope = (differences: Set<string>): Scope => ({
    environment,
    differences,
    gate(name) {
      const found = resolve(name);
      if (typeof found === "string") return noCounterpart(`It uses the gate ${name}: ${found}`);
      for (const one of found.differences) differences.add(one);
      return found.condition;
    },
  });
  function resolve(name: string): Resolved | string {
    const known = resolved.get(name);
    if (known !== undefined) return known;
    resolved.set(name, "it refers to itself");
    let result: Resolved | string;
    try {
      if (!specs.has(name)) noCounterpart("it is not in the source");
      const differences = new Set<string>();
      const spec = readPart(Spec, specs.get(name));
      const passes = toPassing(spec, readRules(spec, conditions, scope(differences)));
      result = { condition: passes, differences };
      if (isSegment(name)) {
        const own = name.slice(PREFIX.length);
        segments.push({ name: own, description: "", conditions: passes, user_ids: [] });
        result.condition = { operator: "IN_SEGMENT", value: own };
      }
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      result = error.message;
      if (isSegment(name) && specs.has(name))
        skipped.push({ kind: "segment", key: name.slice(PREFIX.length), reason: error.message });
    }
    resolved.set(name, result);
    return result;
  }
  for (const { name } of gates) if (isSegment(name)) resolve(name);
  return { scope, segments, skipped };
}

/** Returns the condition that a gate passes. @throws {NoCounterpart} if it draws */
function toPassing({ enabled }: Spec, rules: ReturnType<typeof readRules>): AssayCondition {
  if (rules.some(({ draw }) => draw)) noCounterpart("it draws a share of users");
  const blocked: AssayCondition[] = [];
  const passing: AssayCondition[] = [];
  for (const { when, arms } of enabled ? rules : []) {
    const condition = when ?? EVERYONE;
    if (arms.length === 0) blocked.push({ not: condition });
    else passing.push(allOf([...blocked, condition]) ?? EVERYONE);
  }
  return anyOf(passing);
}

import { describe, expect, it } from "vitest";
import { compileSegment, isMember } from "../engine/compilation.ts";
import type { SegmentDefinition } from "../format/definition.ts";
import type { EvaluationContext } from "../format/result.ts";
import type { LinkedSegment } from "../runtime/segment.ts";
import { findPrerequisiteCycle, findSegmentCycle } from "./cycle.ts";

function membership(definitions: SegmentDefinition[]): (id: string, context: EvaluationContext) => boolean {
  const compiled = definitions.map((definition) => ({
    definition,
    ...compileSegment(definition, { segment: (name) => find(name) }),
  }));
  const find = (name: string): LinkedSegment | undefined =>
    compiled.find(({ definition }) => definition.id === name || definition.name === name);
  return (id, context) => isMember(find(id)!, context);
}

const refersTo = (value: string) => ({ operator: "IN_SEGMENT" as const, value });

describe("segments", () => {
  it("have members by name and by attribute", () => {
    const isIn = membership([
      { id: "1", name: "vip", user_ids: ["ada"], when: { attribute: "plan", operator: "EQUALS", value: "pro" } },
      { id: "2", name: "staff", user_ids: ["bob"] },
    ]);
    expect(isIn("1", { targetingKey: "ada" })).toBe(true);
    expect(isIn("1", { targetingKey: "bob", plan: "pro" })).toBe(true);
    expect(isIn("1", { targetingKey: "bob" })).toBe(false);
    expect(isIn("2", {})).toBe(false);
  });

  it("may refer to each other by id or name, and evaluation ends in a cycle", () => {
    const isIn = membership([
      { id: "1", name: "a", when: { any: [refersTo("b"), refersTo("3")] } },
      { id: "2", name: "b", when: refersTo("a") },
      { id: "3", name: "c", user_ids: ["ada"] },
    ]);
    expect(isIn("1", { targetingKey: "ada" })).toBe(true);
    expect(isIn("2", { targetingKey: "ada" })).toBe(true);
    expect(isIn("2", { targetingKey: "bob" })).toBe(false);
  });

  it("report their cycles", () => {
    const segments = [
      { id: "1", name: "a", when: { not: refersTo("b") } },
      { id: "2", name: "b", when: { all: [refersTo("3")] } },
      { id: "3", name: "c", when: refersTo("1") },
    ];
    expect(findSegmentCycle(segments)).toEqual(["a", "b", "c", "a"]);
    expect(findSegmentCycle(segments.slice(0, 2))).toBeNull();
  });
});

describe("prerequisites", () => {
  const flag = (key: string, ...required: string[]) => ({
    key,
    enabled: true,
    rollout_percentage: 100,
    variants: [],
    rules: [],
    prerequisites: required.map((flag_key) => ({ flag_key })),
  });

  it("report their cycles", () => {
    expect(findPrerequisiteCycle([flag("x", "a"), flag("a", "b"), flag("b", "missing", "a")])).toEqual(["a", "b", "a"]);
    expect(findPrerequisiteCycle([flag("a", "a")])).toEqual(["a", "a"]);
    expect(findPrerequisiteCycle([flag("a", "b", "c"), flag("b", "c"), flag("c")])).toBeNull();
  });

  it("may form a chain of any length", () => {
    const chain = Array.from({ length: 20_000 }, (_, index) => flag(`f${index}`, `f${index + 1}`));
    expect(findPrerequisiteCycle(chain)).toBeNull();
    expect(findPrerequisiteCycle([...chain, flag("f20000", "f0")])).toHaveLength(20_002);
  });
});

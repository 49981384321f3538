import { describe, expect, it } from "vitest";
import { exactFinding } from "./finding.ts";
import type { Evidence } from "./lab.ts";
import { toReport, withSections } from "./report.ts";

const evidenceOf = (title: string, value: number): Evidence => ({
  ...{ title, setting: `How ${title} is simulated.` },
  findings: [exactFinding("a claim", value, { kind: "atMost", value: 1 })],
});
const old = ["One look", "Daily looks", "Power"].map((title) => evidenceOf(title, 0.1));
const now = ["One look", "Daily looks", "Power"].map((title) => evidenceOf(title, 0.2));

describe("a report with some sections of another run", () => {
  it.each([0, 1, 2])("is the report of the full run if only section %i has changed", (changed) => {
    const all = old.map((one, index) => (index === changed ? now[index]! : one));
    expect(withSections(toReport(old), [now[changed]!])).toBe(toReport(all));
  });

  it("is the report of the full run if all have, in any order", () => {
    expect(withSections(toReport(old), now.toReversed())).toBe(toReport(now));
  });

  it("has a new section after the others, and before the history", () => {
    const added = evidenceOf("Price", 0.3);
    expect(withSections(toReport(old), [added])).toBe(toReport([...old, added]));
  });

  it("has the head and the history of today", () => {
    const outdated = toReport(old)
      .replace("# Proof by simulation", "# Simulations")
      .replace("after first runs", "of old");
    expect(withSections(outdated, [])).toBe(toReport(old));
  });
});

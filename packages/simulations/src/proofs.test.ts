import { describe, expect, it } from "vitest";
import { LONG_PROOFS, readReport, testProofs, titlesOf } from "./proofs.fixture.ts";
import { proofs } from "./proofs.ts";
import { withSections } from "./report.ts";

const names = Object.keys(proofs);

testProofs(names.filter((name) => !LONG_PROOFS.includes(name)));

describe("the report", () => {
  it("says of every finding that it holds", async () => {
    expect(await readReport()).toContain("| holds |");
    expect(await readReport()).not.toContain("does not hold**");
  });

  it("has a section for each proof, and the head and the history of today", async () => {
    expect(titlesOf(await readReport())).toHaveLength(names.length + 1);
    expect(await readReport()).toBe(withSections(await readReport(), []));
  });
});

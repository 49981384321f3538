import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { isConsistent } from "./finding.ts";
import { createLab, type Evidence } from "./lab.ts";
import { proofs } from "./proofs.ts";
import { withSections } from "./report.ts";

/** The fraction of the full run in this test. */
const SHARE = 0.01;
const report = readFile(fileURLToPath(new URL("../../../docs/statistics/simulations.md", import.meta.url)), "utf8");
const found = new Map<string, Evidence>();

describe.each(Object.entries(proofs))("the proof of %s", (name, proof) => {
  let evidence: Evidence;

  beforeAll(async () => {
    evidence = await proof(createLab({ share: SHARE }));
    found.set(name, evidence);
  });

  it("finds nothing, at 99.9 % each, against its bounds", () => {
    expect(evidence.findings.filter((finding) => !isConsistent(finding))).toEqual([]);
  });

  it("is in the report, as are its pictures", async () => {
    const text = await report;
    const claims = [evidence.title, ...evidence.findings.map(({ claim }) => claim)];
    expect(claims.filter((claim) => !text.includes(claim))).toEqual([]);
    expect((evidence.pictures ?? []).filter(({ file }) => !text.includes(`](${file})`))).toEqual([]);
  });
});

describe("the report", () => {
  it("says of every finding that it holds", async () => {
    expect(await report).toContain("| holds |");
    expect(await report).not.toContain("does not hold**");
  });

  it("has the sections in the order of the proofs, and the head and the history of today", async () => {
    const titles = [...(await report).matchAll(/^## (.*)$/gm)].map(([, title]) => title);
    expect(titles.slice(0, -1)).toEqual([...found.values()].map(({ title }) => title));
    expect(await report).toBe(withSections(await report, []));
  });
});

describe("another run, in the opposite order", () => {
  it.each(Object.keys(proofs).toReversed())("finds the same for %s, so it does not depend on others", async (name) => {
    expect(await proofs[name]!(createLab({ share: SHARE }))).toEqual(found.get(name));
  });
});

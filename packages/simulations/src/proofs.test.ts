import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { isConsistent } from "./finding.ts";
import { createLab, type Evidence } from "./lab.ts";
import { proofs } from "./proofs.ts";

/** The fraction of the full run in this test. */
const SHARE = 0.01;
const report = readFile(fileURLToPath(new URL("../../../docs/statistics/simulations.md", import.meta.url)), "utf8");

describe.each(Object.entries(proofs))("the proof of %s", (_name, proof) => {
  let evidence: Evidence;

  beforeAll(() => {
    evidence = proof(createLab({ share: SHARE }));
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
});

import { beforeAll, describe, expect, it } from "vitest";
import { isConsistent } from "./finding.ts";
import { createLab, type Evidence } from "./lab.ts";
import { proofs } from "./proofs.ts";

/** How much of the full run is done here. */
const SHARE = 0.01;

describe.each(Object.entries(proofs))("the proof of %s", (_name, proof) => {
  let evidence: Evidence;

  beforeAll(() => {
    evidence = proof(createLab({ share: SHARE }));
  });

  it("finds nothing, at 99.9 % each, against its bounds", () => {
    expect(evidence.findings.filter((finding) => !isConsistent(finding))).toEqual([]);
  });
});

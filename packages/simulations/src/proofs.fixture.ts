import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { isConsistent } from "./finding.ts";
import { createLab, type Evidence } from "./lab.ts";
import { proofs } from "./proofs.ts";

/** The fraction of the full run in tests. */
const SHARE = 0.01;

/** The proofs that take two thirds of the time; a file of their own lets them run beside the others. */
export const LONG_PROOFS = ["false ship", "false rollback", "price of validity"];

/** Returns the report of the full run. */
export const readReport = (): Promise<string> =>
  readFile(fileURLToPath(new URL("../../../docs/statistics/simulations.md", import.meta.url)), "utf8");

/** Returns the titles of the sections of a report; the last one is the history. */
export const titlesOf = (report: string): string[] => [...report.matchAll(/^## (.*)$/gm)].map(([, title]) => title!);

/** Declares the tests of some proofs, which are in the order of the report. */
export function testProofs(names: string[]): void {
  const found = new Map<string, Evidence>();

  describe.each(names)("the proof of %s", (name) => {
    let evidence: Evidence;

    beforeAll(async () => {
      evidence = await proofs[name]!(createLab({ share: SHARE }));
      found.set(name, evidence);
    });

    it("finds nothing, at 99.9 % each, against its bounds", () => {
      expect(evidence.findings.filter((finding) => !isConsistent(finding))).toEqual([]);
    });

    it("is in the report, as are its pictures", async () => {
      const text = await readReport();
      const claims = [evidence.title, ...evidence.findings.map(({ claim }) => claim)];
      expect(claims.filter((claim) => !text.includes(claim))).toEqual([]);
      expect((evidence.pictures ?? []).filter(({ file }) => !text.includes(`](${file})`))).toEqual([]);
    });
  });

  it("the report has the sections of these proofs in their order", async () => {
    const titles = [...found.values()].map(({ title }) => title);
    expect(titlesOf(await readReport()).filter((title) => titles.includes(title))).toEqual(titles);
  });

  describe("runs of three simulations, in opposite orders", () => {
    const run = (name: string) => proofs[name]!(createLab({ most: 3 }));
    const first = new Map<string, Evidence>();

    beforeAll(async () => {
      for (const name of names) first.set(name, await run(name));
    });

    it.each(names.toReversed())("find the same for %s, so it does not depend on others", async (name) => {
      expect(await run(name)).toEqual(first.get(name));
    });
  });
}

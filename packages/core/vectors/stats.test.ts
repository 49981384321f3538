import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { answer } from "./answer.ts";
import { disagreements, type Tolerance } from "./tolerance.ts";

interface VectorFile {
  default_tolerance: Tolerance;
  conventions?: Tolerance;
  count: number;
  cases: { id: string; input: Record<string, unknown>; expected: unknown; tolerance?: Tolerance }[];
}

const folder = new URL("./stats/", import.meta.url);

for (const name of readdirSync(folder).sort()) {
  const file: VectorFile = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  describe(`reference cases of ${name}`, () => {
    it("has every case the file counts", () => {
      expect(file.cases).toHaveLength(file.count);
    });

    it.each(file.cases)("agrees on $id", ({ input, expected, tolerance }) => {
      const stated: Tolerance = { ...file.conventions, ...file.default_tolerance, ...tolerance };
      const rel = input.fn === "ppf" && !tolerance ? stated.rel_ppf : stated.rel;
      expect(disagreements(expected, answer(input), { ...stated, rel })).toEqual([]);
    });
  });
}

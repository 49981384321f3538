import { describe, expect, it, test } from "vitest";
import { type Claim, type Conclusion, conclude, isEstablished, marginPValue } from "./conclusion.ts";

const more = (hypothesis: Claim["hypothesis"]): Claim => ({ hypothesis, direction: "INCREASE" });
const less = (hypothesis: Claim["hypothesis"]): Claim => ({ hypothesis, direction: "DECREASE" });

test("the p-value of non-inferiority is on the side of harm, that of equivalence the larger of both", () => {
  const both = { aboveLower: 0.01, belowUpper: 0.2 };
  expect(marginPValue(both, more("SUPERIORITY"))).toBeNull();
  expect(marginPValue(both, more("NON_INFERIORITY"))).toBe(0.01);
  expect(marginPValue(both, less("NON_INFERIORITY"))).toBe(0.2);
  expect(marginPValue(both, more("EQUIVALENCE"))).toBe(0.2);
  expect(marginPValue({ aboveLower: null, belowUpper: 0.2 }, more("EQUIVALENCE"))).toBeNull();
});

describe("a comparison shows", () => {
  // The cases of figure 1 of the CONSORT extension, from better to worse.
  it.each<[Claim, number, number | null, number | null, Conclusion]>([
    [more("SUPERIORITY"), 1, 0.01, null, "SUPERIOR"],
    [more("SUPERIORITY"), -1, 0.01, null, "INFERIOR"],
    [less("SUPERIORITY"), -1, 0.01, null, "SUPERIOR"],
    [more("SUPERIORITY"), 1, 0.05, null, "INCONCLUSIVE"],
    [more("SUPERIORITY"), 1, null, null, "INCONCLUSIVE"],
    [more("NON_INFERIORITY"), 1, 0.01, 0.001, "SUPERIOR"],
    [more("NON_INFERIORITY"), 0, 0.9, 0.001, "NON_INFERIOR"],
    [more("NON_INFERIORITY"), -1, 0.01, 0.001, "NON_INFERIOR"],
    [more("NON_INFERIORITY"), 0, 0.9, 0.025, "INCONCLUSIVE"],
    [more("NON_INFERIORITY"), -1, 0.01, 0.3, "INFERIOR"],
    [less("NON_INFERIORITY"), 1, 0.01, 0.3, "INFERIOR"],
    [more("EQUIVALENCE"), 1, 0.01, 0.001, "EQUIVALENT"],
    [more("EQUIVALENCE"), 0, 0.9, 0.001, "EQUIVALENT"],
    [more("EQUIVALENCE"), 1, 0.01, 0.3, "SUPERIOR"],
    [more("EQUIVALENCE"), 0, 0.9, null, "INCONCLUSIVE"],
  ])("%j with difference %d, p %d and %d at the margin: %s", (claim, difference, pValue, atMargin, conclusion) => {
    expect(conclude(claim, { difference, pValue, marginPValue: atMargin })).toBe(conclusion);
  });

  it("what the level allows", () => {
    const tested = { difference: 1, pValue: 0.03, marginPValue: 0.01 };
    expect(conclude(more("SUPERIORITY"), tested, { alpha: 0.01 })).toBe("INCONCLUSIVE");
    expect(conclude(more("NON_INFERIORITY"), tested, { alpha: 0.025 })).toBe("NON_INFERIOR");
  });
});

test("a better treatment is also not inferior, but not equivalent", () => {
  expect(isEstablished("SUPERIORITY", "SUPERIOR")).toBe(true);
  expect(isEstablished("SUPERIORITY", "INCONCLUSIVE")).toBe(false);
  expect(isEstablished("NON_INFERIORITY", "SUPERIOR")).toBe(true);
  expect(isEstablished("NON_INFERIORITY", "NON_INFERIOR")).toBe(true);
  expect(isEstablished("NON_INFERIORITY", "INFERIOR")).toBe(false);
  expect(isEstablished("EQUIVALENCE", "EQUIVALENT")).toBe(true);
  expect(isEstablished("EQUIVALENCE", "SUPERIOR")).toBe(false);
});

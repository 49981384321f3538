import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adjustArms, compareAdjusted } from "./adjustment.ts";
import { cupedTest } from "./cuped.ts";
import { compareArms } from "./decision.ts";
import { jointMomentsOf } from "./joint-moments.ts";

/** Returns the users of an arm by whole-number arithmetic, so that other tools can make the same. */
function usersOf(n: number, seed: number, effect: number, slope: number) {
  return Array.from({ length: n }, (_, i) => {
    const x1 = (i * 37 + seed) % 101;
    const x2 = (i * i * 13 + seed) % 29;
    const noise = (i * 71 + 3 * seed) % 97;
    const group = (i * 7 + Math.floor(i / 10)) % 3;
    return { y: effect + slope * x1 + 0.5 * x2 + noise, x1, x2, d: 1 + ((i * 11 + seed) % 5), group };
  });
}
type User = ReturnType<typeof usersOf>[number];

const CONTROL = usersOf(90, 5, 10, 1);
const TREATMENT = usersOf(70, 8, 12, 1.3);
const momentsOf = (users: readonly User[], ...values: ((user: User) => number)[]) =>
  jointMomentsOf(...values.map((value) => users.map(value)));
const both = (...values: ((user: User) => number)[]) =>
  [momentsOf(CONTROL, ...values), momentsOf(TREATMENT, ...values)] as const;
const inGroup = (group: number) => (user: User) => (user.group === group ? 1 : 0);

describe("adjustment with a slope per arm", () => {
  // R: lm of each arm on the covariates; difference and errors of predict(fit, at the mean of all, se.fit), plus for each
  // arm n / N^2 d' cov(x) d, d the difference of the slopes; lm(y ~ t * centred x) gives the same difference.
  it("is Lin's interacted regression", () => {
    const { decision, control, treatment, slopes, covariates } = compareAdjusted(
      ...both(
        ({ y }) => y,
        ({ x1 }) => x1,
        ({ x2 }) => x2,
      ),
    );
    expect([slopes, covariates]).toEqual(["PER_ARM", [0, 1]]);
    expect(decision.difference).toBeCloseTo(17.9344715392482, 9);
    expect(control.value).toBeCloseTo(113.924005767869, 9);
    expect(treatment.value).toBeCloseTo(131.858477307117, 9);
    expect(decision.standardError).toBeCloseTo(4.2619039075075, 9);
    expect(decision.pValue).toBeCloseTo(0.0000456222612535, 12);
    expect(decision.df).toBeCloseTo(140.879412944098, 6);
  });

  it("post-stratifies by groups", () => {
    const { decision } = compareAdjusted(...both(({ y }) => y, inGroup(1), inGroup(2)));
    // R: the groups' differences of means, weighted by their shares of all users.
    expect(decision.difference).toBeCloseTo(16.7981589673913, 9);
    expect(decision.standardError).toBeCloseTo(6.701641852955295, 9);
  });

  it("of a ratio regresses each user's part in it", () => {
    // R: as above, of r + (y - r d) / mean(d), r the arm's ratio.
    const { decision } = compareAdjusted(
      ...both(
        ({ y }) => y,
        ({ d }) => d,
        ({ x1 }) => x1,
        ({ x2 }) => x2,
      ),
      { outcome: "RATIO" },
    );
    expect(decision.difference).toBeCloseTo(6.14464610863952, 9);
    expect(decision.standardError).toBeCloseTo(3.290079107430641, 9);
    expect(decision.pValue).toBeCloseTo(0.06387867812948, 9);
  });

  it("falls back to common slopes with fewer than 20 users an arm and slope", () => {
    const few = usersOf(39, 3, 10, 1);
    const many = usersOf(400, 4, 10, 1);
    const columns = [({ y }: User) => y, ({ x1 }: User) => x1];
    expect(adjustArms(momentsOf(many, ...columns), momentsOf(few, ...columns)).slopes).toBe("COMMON");
    const enough = usersOf(40, 3, 10, 1);
    expect(adjustArms(momentsOf(many, ...columns), momentsOf(enough, ...columns)).slopes).toBe("PER_ARM");
  });
});

describe("adjustment with common slopes", () => {
  it("by one covariate is CUPED", () => {
    const arms = both(
      ({ y }) => y,
      ({ x1 }) => x1,
    );
    const adjusted = compareAdjusted(...arms, { slopes: "COMMON" });
    const cuped = cupedTest(...arms);
    expect(adjusted.decision.difference).toBeCloseTo(cuped.decision.difference!, 10);
    expect(adjusted.decision.standardError).toBeCloseTo(cuped.decision.standardError!, 10);
    expect(adjusted.decision.pValue).toBeCloseTo(cuped.decision.pValue!, 12);
  });

  it("of a ratio takes the slopes of each user's part in the ratio of both arms", () => {
    // R: slopes of lm((y - r d) / mean(d) ~ x1 + x2), r the ratio of both arms; variances of each arm's own part less
    // slopes times covariates, times (N - 2) / (N - 3).
    const { control, treatment } = adjustArms(
      ...both(
        ({ y }) => y,
        ({ d }) => d,
        ({ x1 }) => x1,
        ({ x2 }) => x2,
      ),
      { outcome: "RATIO", slopes: "COMMON" },
    );
    expect(treatment.value - control.value).toBeCloseTo(6.13494400723908, 9);
    expect(control.variance).toBeCloseTo(398.28766773795655, 7);
    expect(treatment.variance).toBeCloseTo(430.27172774924179, 7);
  });
});

describe("covariates", () => {
  it("that are constant or follow from others leave the answer as it is", () => {
    const plain = compareAdjusted(
      ...both(
        ({ y }) => y,
        ({ x1 }) => x1,
      ),
    );
    const more = compareAdjusted(
      ...both(
        ({ y }) => y,
        () => 3,
        ({ x1 }) => x1,
        ({ x1 }) => 2 * x1 - 7,
      ),
    );
    expect(more.covariates).toEqual([1]);
    expect(more.decision).toEqual(plain.decision);
  });

  it("that no user of an arm has are left out in both", () => {
    const control = momentsOf(CONTROL, ({ y }) => y, inGroup(1), inGroup(2));
    const missing = TREATMENT.map((user) => (user.group === 2 ? { ...user, group: 0 } : user));
    const treatment = momentsOf(missing, ({ y }) => y, inGroup(1), inGroup(2));
    const adjusted = adjustArms(control, treatment);
    expect(adjusted.covariates).toEqual([0]);
    expect(adjusted.treatment.value).not.toBeNaN();
  });

  it("that do not vary leave the arms unadjusted", () => {
    const arms = both(
      ({ y }) => y,
      () => 0,
    );
    const { slopes, decision, unadjusted, varianceReductionPct } = compareAdjusted(...arms);
    expect([slopes, varianceReductionPct]).toEqual([null, 0]);
    expect(decision).toEqual(unadjusted);
  });

  it("give the same result in any unit, from any origin and in any order", () => {
    const arm = fc.array(
      fc.record({ y: fc.integer({ min: -50, max: 50 }), x1: fc.nat({ max: 40 }), x2: fc.nat({ max: 9 }) }),
      { minLength: 60, maxLength: 80 },
    );
    const slopes = fc.constantFrom("COMMON", "PER_ARM");
    fc.assert(
      fc.property(arm, arm, slopes, (a, b, way) => {
        const of = (users: typeof a, x1: number[], x2: number[]) =>
          jointMomentsOf(
            users.map(({ y }) => y),
            x1,
            x2,
          );
        const first = (users: typeof a) =>
          of(
            users,
            users.map(({ x1 }) => x1),
            users.map(({ x2 }) => x2),
          );
        const moved = (users: typeof a) =>
          of(
            users,
            users.map(({ x2 }) => 5 - 3 * x2),
            users.map(({ x1, x2 }) => 100 + 4 * x1 + x2),
          );
        const [plain, other] = [first, moved].map((make) => compareAdjusted(make(a), make(b), { slopes: way }));
        fc.pre(plain!.covariates.length === 2 && (plain!.decision.standardError ?? 0) > 1e-6);
        expect(other!.decision.difference).toBeCloseTo(plain!.decision.difference!, 8);
        expect(other!.decision.pValue).toBeCloseTo(plain!.decision.pValue!, 8);
      }),
    );
  });
});

describe("what decides", () => {
  it("is the larger p-value of Welch's and the pooled test of the adjusted arms", () => {
    const { control, treatment, decision } = compareAdjusted(
      ...both(
        ({ y }) => y,
        ({ x1 }) => x1,
      ),
      { alpha: 0.01 },
    );
    expect(decision).toEqual(compareArms(control, treatment, { alpha: 0.01 }));
  });

  it("is nothing where the covariates explain everything", () => {
    const explained = (shift: number) =>
      jointMomentsOf(
        Array.from({ length: 60 }, (_, i) => shift + 2 * (i % 7)),
        Array.from({ length: 60 }, (_, i) => i % 7),
      );
    expect(compareAdjusted(explained(0.1), explained(0.3)).decision).toMatchObject({
      pValue: null,
      status: "ZERO_VARIANCE",
    });
  });

  it("is nothing for too few users or nothing to divide by", () => {
    const one = jointMomentsOf([1], [2]);
    expect(compareAdjusted(one, one)).toMatchObject({ slopes: null, decision: { status: "INSUFFICIENT_DATA" } });
    const nothing = jointMomentsOf([1, 2, 3, 4, 5], [0, 0, 0, 0, 0], [1, 2, 3, 4, 5]);
    expect(compareAdjusted(nothing, nothing, { outcome: "RATIO" }).decision.pValue).toBeNull();
  });
});

import type { Proportion } from "@assay/core/stats";
import { describe, expect, it } from "vitest";
import { runInSlices } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { experimentRecord } from "../tracking/tracking.fixture.ts";
import { toPair } from "./pair.ts";
import { seededRandom } from "./random.fixture.ts";
import { toScan } from "./scan.ts";

const BOUGHT = {
  id: "bought",
  name: "bought",
  event_type: "purchase",
  kind: "CONVERSION",
  direction: "INCREASE",
  role: "PRIMARY",
} as const;

const experiment = (key: string, arms = 2, changes: Partial<ExperimentRecord> = {}): ExperimentRecord => ({
  ...experimentRecord({ key }),
  version: 1,
  variants: Array.from({ length: arms }, (_, index) => ({
    id: `${key}${index}`,
    key: `${key}${index}`,
    name: "",
    weight: 1 / arms,
    is_control: index === 0,
  })),
  ...changes,
});
const overlap = (cells: [successes: number, n: number][][]) => ({
  users: cells.map((row) => row.map(([, n]) => n)),
  metric: {
    metric: BOUGHT,
    form: "PROPORTION" as const,
    arms: cells.flat().map(([successes, n]): Proportion => ({ successes, n })),
  },
});
const [a, b] = [experiment("a"), experiment("b")];

describe("a pair", () => {
  it("of two by two arms gives the same as R on the same counts", () => {
    const pair = toPair(
      a,
      b,
      overlap([
        [
          [40, 400],
          [60, 420],
        ],
        [
          [52, 410],
          [120, 430],
        ],
      ]),
      0.05,
    );
    expect(pair).toMatchObject({ shared_users: 1660, significant: true, warning: null, metric_id: "bought" });
    expect(pair.cells[1]![1]).toEqual({ variant_a: "a1", variant_b: "b1", users: 430, value: 120 / 430 });
    // R 4.5: the sums of squares written out, pt() and qt(); chisq.test(correct = FALSE).
    expect(pair.interaction_effect).toBeCloseTo(0.109383356292035, 12);
    expect(pair.standard_error).toBeCloseTo(0.0354194138034936, 12);
    expect(pair.df).toBeCloseTo(1545.40483217001, 6);
    expect(pair.p_value).toBeCloseTo(0.00204935879394203, 12);
    expect(pair.confidence_interval![0]).toBeCloseTo(0.0399081684851237, 12);
    expect(pair.confidence_interval![1]).toBeCloseTo(0.178858544098946, 12);
    expect(pair.assignment_p_value).toBeCloseTo(0.990559055921112, 12);
  });

  it("of two by three arms gives Wald's test, the same as R", () => {
    const cells: [number, number][][] = [
      [
        [40, 400],
        [60, 420],
        [50, 390],
      ],
      [
        [52, 410],
        [120, 430],
        [70, 405],
      ],
    ];
    const pair = toPair(a, experiment("b", 3), overlap(cells), 0.05);
    // solve(L V L'), pchisq() with 2 degrees of freedom.
    expect(pair).toMatchObject({ interaction_effect: null, standard_error: null, df: 2, significant: true });
    expect(pair.p_value).toBeCloseTo(0.00602990227445061, 12);
  });

  it("ignores arms without weight", () => {
    const out = experiment("b", 3, { current_weights: { b0: 0.5, b1: 0.5, b2: 0 } });
    const two = overlap([
      [
        [40, 400],
        [60, 420],
        [0, 0],
      ],
      [
        [52, 410],
        [120, 430],
        [0, 0],
      ],
    ]);
    expect(toPair(a, out, two, 0.05)).toMatchObject({
      warning: null,
      p_value: expect.closeTo(0.00204935879394203, 12),
    });
    expect(toPair(a, experiment("b", 3), two, 0.05)).toMatchObject({ warning: "TOO_FEW_USERS", p_value: null });
  });

  it.each([
    [
      "TOO_FEW_USERS",
      {},
      overlap([
        [
          [40, 400],
          [60, 420],
        ],
        [
          [52, 410],
          [12, 99],
        ],
      ]),
    ],
    [
      "ASSIGNMENT_DEPENDENT",
      {},
      overlap([
        [
          [40, 400],
          [60, 200],
        ],
        [
          [52, 200],
          [120, 400],
        ],
      ]),
    ],
    [
      "ZERO_VARIANCE",
      {},
      overlap([
        [
          [0, 400],
          [0, 420],
        ],
        [
          [0, 410],
          [0, 430],
        ],
      ]),
    ],
    [
      "NO_SHARED_USERS",
      {},
      overlap([
        [
          [0, 0],
          [0, 0],
        ],
        [
          [0, 0],
          [0, 0],
        ],
      ]),
    ],
    [
      "MUTUALLY_EXCLUSIVE",
      { mutual_exclusion_group_id: "g" },
      overlap([
        [
          [0, 0],
          [0, 0],
        ],
        [
          [0, 0],
          [0, 0],
        ],
      ]),
    ],
    [
      "NO_METRIC",
      {},
      {
        ...overlap([
          [
            [0, 400],
            [0, 420],
          ],
          [
            [0, 410],
            [0, 430],
          ],
        ]),
        metric: null,
      },
    ],
  ])("reports %s without a p-value", (warning, changes, statistics) => {
    const pair = toPair({ ...a, ...changes }, { ...b, ...changes }, statistics, 0.05);
    expect(pair).toMatchObject({ warning, p_value: null, significant: false });
  });

  it("reports DIFFERENT_UNITS if the experiments bucket by something else", () => {
    const statistics = overlap([
      [
        [40, 400],
        [60, 420],
      ],
      [
        [52, 410],
        [120, 430],
      ],
    ]);
    expect(toPair(a, { ...b, bucket_by: "company" }, statistics, 0.05).warning).toBe("DIFFERENT_UNITS");
    const one = experiment("b", 1);
    expect(toPair(a, one, overlap([[[40, 400]], [[52, 410]]]), 0.05).warning).toBe("ONE_ARM");
  });
});

describe("by simulation", () => {
  const random = seededRandom(7);
  const binomial = (n: number, p: number): [number, number] => {
    let successes = 0;
    for (let index = 0; index < n; index++) if (random() < p) successes++;
    return [successes, n];
  };
  /** Main effects of 5 and 8 points, and what the two do together beyond. */
  const draw = (together: number, n = 400) =>
    overlap([
      [binomial(n, 0.2), binomial(n, 0.28)],
      [binomial(n, 0.25), binomial(n, 0.33 + together)],
    ]);

  it("finds additive effects significant at a rate of alpha at most", () => {
    const runs = 1000;
    let found = 0;
    for (let run = 0; run < runs; run++) if (toPair(a, b, draw(0), 0.05).significant) found++;
    expect(Math.abs(found / runs - 0.05)).toBeLessThan(4 * Math.sqrt((0.05 * 0.95) / runs));
  });

  it("finds an injected interaction of the right size", () => {
    const runs = 200;
    let [found, sum] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const pair = toPair(a, b, draw(0.2), 0.05);
      if (pair.significant) found++;
      sum += pair.interaction_effect!;
    }
    expect(found / runs).toBeGreaterThan(0.95);
    expect(Math.abs(sum / runs - 0.2)).toBeLessThan(0.015);
  });

  it("raises a false alarm in at most alpha of all scans, and finds the injected pair", async () => {
    const records = Array.from({ length: 5 }, (_, index) => experiment(`e${index}`));
    const pairs = records.flatMap((_, second) => records.slice(0, second).map((__, first) => ({ first, second })));
    const scan = (planted: number) =>
      runInSlices(
        toScan(
          records,
          pairs.map((pair, index) => ({ ...pair, ...draw(index === 3 ? planted : 0) })),
          { alpha: 0.05, leftOut: 0 },
        ),
      );
    const runs = 300;
    let alarms = 0;
    for (let run = 0; run < runs; run++) if ((await scan(0)).significant_pairs > 0) alarms++;
    expect(alarms / runs).toBeLessThan(0.05 + 4 * Math.sqrt((0.05 * 0.95) / runs));
    const found = await scan(0.25);
    expect(found).toMatchObject({ pairs_analyzed: 10, pairs_tested: 10, significant_pairs: 1, alpha_adjusted: 0.005 });
    const [worst, ...rest] = found.pairs;
    const planted = pairs[3]!;
    expect(worst).toMatchObject({
      experiment_a_key: `e${planted.first}`,
      experiment_b_key: `e${planted.second}`,
      significant: true,
    });
    expect(worst!.adjusted_p_value).toBeCloseTo(10 * worst!.p_value!, 12);
    expect(rest.map(({ significant }) => significant)).not.toContain(true);
  });
});

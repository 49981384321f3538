import type { ExperimentDesign } from "@assay/contract";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CORPUS } from "../../../../design/src/corpus.fixture.ts";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.assay.close());

const design = (description: string, more: object = {}) =>
  server.admin.request("POST /ai/design", { body: { description, ...more } });
const fieldsOf = (list: readonly { field: string }[]) => list.map(({ field }) => field);
const primaryOf = ({ metrics }: Pick<ExperimentDesign, "metrics">) => metrics.find(({ role }) => role === "PRIMARY");
const create = (body: object) => server.admin.request("POST /experiments/", { body: body as never });

describe("what is read", () => {
  test("a rate that is to fall keeps its direction, and is the metric that decides", async () => {
    const designed = await design("reduce the error rate from 2 % to 1.5 %");
    expect(designed.sample_size).toMatchObject({ baseline: 0.02, target: expect.closeTo(0.015, 12) });
    expect(primaryOf(designed)).toMatchObject({ event_type: "error", kind: "CONVERSION", direction: "DECREASE" });
    expect(designed.metrics.filter(({ event_type }) => event_type === "error")).toHaveLength(1);
    const { per_variant } = await server.admin.request("GET /ai/sample-size", {
      query: { baseline_rate: 0.02, mde: -0.005, relative: false },
    });
    expect(designed.sample_size?.per_variant).toBe(per_variant);
  });

  test("an amount per user is a mean with its standard deviation", async () => {
    const designed = await design("revenue per user of 12.50 (standard deviation 40), up by 0.50");
    expect(primaryOf(designed)).toMatchObject({ name: "Revenue per user", kind: "MEAN", direction: "INCREASE" });
    const planned = await server.admin.request("GET /ai/sample-size", {
      query: { mean: 12.5, standard_deviation: 40, mde: 0.5, relative: false },
    });
    expect(designed.sample_size).toEqual(planned);
    expect(designed.reading).toContainEqual({ field: "standard_deviation", value: 40, text: "40" });
    await create(designed);
  });

  test("points are added to the rate", async () => {
    const { sample_size } = await design("2 points more on 30 %");
    expect(sample_size).toMatchObject({ baseline: 0.3, target: expect.closeTo(0.32, 12) });
  });

  test("guardrails are added, or taken from the template", async () => {
    const designed = await design(
      "Faster checkout: conversion from 3 % to 4 % without more refunds or less revenue per user",
    );
    const guardrails = designed.metrics.filter(({ role }) => role === "GUARDRAIL");
    expect(guardrails.map(({ id, direction }) => [id, direction])).toEqual(
      expect.arrayContaining([
        ["refund", "DECREASE"],
        ["revenue_per_user", "INCREASE"],
      ]),
    );
    await create(designed);
  });

  test("unequal weights are the arms' weights, of which the sample size is made", async () => {
    const text = "90% control, 10% treatment. Conversion from 5 % to 6 %. 1000 users a day.";
    const uneven = await design(text);
    expect(uneven.variants?.map(({ weight }) => weight)).toEqual([0.9, 0.1]);
    // By hand: 2.8015852^2 (0.0475 / 0.9 + 0.0564 / 0.1) / 0.01^2 = 48,410.15 users.
    expect(uneven.sample_size).toMatchObject({ arms: [43_570, 4842], per_variant: 4842, total: 48_412, days: 49 });
    expect(uneven.planned_sample_size).toBe(48_412);
  });

  test("power, alpha and the number of arms enter the sample size", async () => {
    const designed = await design("Three headlines, click rate from 10 % to 12 %, 90 % power, alpha of 1 %");
    expect(designed).toMatchObject({ alpha: 0.01, sample_size: { alpha: 0.01, power: 0.9, variants: 3 } });
    expect(designed.assumptions).toEqual([]);
  });
});

describe("what is not said", () => {
  test("has no sample size without a standard deviation, which the next request may give", async () => {
    const text = "Increase revenue per user from 12 € to 13 €";
    const open = await design(text);
    expect(open).toMatchObject({ sample_size: null, planned_sample_size: null });
    expect(fieldsOf(open.questions)).toEqual(["standard_deviation", "daily_users"]);
    expect(await create(open)).toMatchObject({ planned_sample_size: null });
    const answered = await design(text, { standard_deviation: 40, daily_users: 1000 });
    expect(answered.questions).toEqual([]);
    expect(answered.sample_size).toMatchObject({ metric_kind: "MEAN", baseline: 12, target: 13, daily_users: 1000 });
  });

  test("is asked for, and every default is listed", async () => {
    const { assumptions, questions, sample_size } = await design("A new headline for the home page");
    expect(fieldsOf(questions)).toEqual(["description", "direction", "baseline_rate", "mde", "daily_users"]);
    const assumed = Object.fromEntries(assumptions.map(({ field, value }) => [field, value]));
    expect(assumed).toEqual({
      metric: "page_continue",
      direction: "INCREASE",
      alpha: 0.05,
      power: 0.8,
      baseline_rate: sample_size?.baseline,
      relative_effect: 0.1,
      variants: 2,
    });
  });

  test("a contradiction is asked about with its reason", async () => {
    const { questions, assumptions } = await design("increase the conversion from 2 % to 1.5 %");
    expect(questions[0]).toMatchObject({ field: "direction", question: expect.stringContaining('"increase"') });
    expect(fieldsOf(assumptions)).toEqual(expect.arrayContaining(["direction", "relative_effect"]));
  });

  test("a quantile is asked for the spread of the quantile, not of the values", async () => {
    const text = "p95 latency from 800 ms to 700 ms, standard deviation 400 ms";
    const designed = await design(text);
    expect(primaryOf(designed)).toMatchObject({ kind: "QUANTILE", quantile: 0.95, direction: "DECREASE" });
    expect(designed.sample_size).toBeNull();
    expect(designed.questions[0]).toMatchObject({ field: "standard_deviation" });
    await create(designed);
    const { sample_size } = await design(text, { standard_deviation: 900 });
    expect(sample_size).toMatchObject({ baseline: 800, target: 700 });
  });

  test("a group of users and a number without a meaning are asked about", async () => {
    const { questions } = await design("For new users: conversion from 4 % to 5 %, 300 zorps, 900 users a day");
    expect(questions.map(({ question }) => question)).toEqual([
      'By which attribute or segment are "new users" known? Add it to targeting_rules.',
      'What does "300" mean? The design does not use it.',
    ]);
  });

  test("what the request gives beats the description, and the direction stays", async () => {
    const { sample_size, questions } = await design("Reduce churn of 5 %", { mde: 0.1, power: 0.9, alpha: 0.1 });
    expect(sample_size).toMatchObject({ baseline: 0.05, target: expect.closeTo(0.045, 12), power: 0.9, alpha: 0.1 });
    expect(fieldsOf(questions)).toEqual(["daily_users"]);
    expect(
      (await design("churn of 5 %", { mde: 0.01, relative: false, direction: "DECREASE" })).sample_size,
    ).toMatchObject({
      target: expect.closeTo(0.04, 12),
    });
  });

  test.each([
    [{ mean: 3, baseline_rate: 0.1, standard_deviation: 2 }, "baseline_rate"],
    [{ power: 0.01 }, "power"],
    [{ standard_deviation: 0 }, "standard_deviation"],
    [{ direction: "UP" }, "direction"],
  ])("refuses %j naming %s", async (body, field) => {
    const refused = await refusal(design("A new headline", body));
    expect(refused).toMatchObject({ status: 422, issues: [{ loc: ["body", field] }] });
  });
});

describe("any description", () => {
  const words = CORPUS.flatMap(([text]) => text.split(" "));
  const text = fc.array(fc.constantFrom(...words), { minLength: 5, maxLength: 30 }).map((parts) => parts.join(" "));

  test("has each number of its sample size read or assumed, and can be created", async () => {
    await fc.assert(
      fc.asyncProperty(text, async (description) => {
        if (description.trim().length < 10) return;
        const designed = await design(description);
        const { sample_size: size, reading, assumptions } = designed;
        const stated = [...reading, ...assumptions];
        const has = (field: string, value: unknown) =>
          stated.some((one) => one.field === field && (value === undefined || one.value === value));
        if (size) {
          expect(has("alpha", size.alpha) && has("power", size.power)).toBe(true);
          expect(size.baseline === null || has("baseline_rate", size.baseline) || has("mean", size.baseline)).toBe(
            true,
          );
          expect(has("relative_effect", undefined) || has("absolute_effect", undefined)).toBe(true);
          expect(has("direction", size.absolute_effect < 0 ? "DECREASE" : "INCREASE")).toBe(true);
          expect(size.daily_users === null || has("daily_users", size.daily_users)).toBe(true);
        } else expect(designed.questions.length).toBeGreaterThan(0);
        await create(designed);
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    "p95 latency of 99999999999999999999999 s up by 1 ms, sd 3",
    "A/B/C/D conversion 0.0000001 % by 99999999x, alpha 99%, power 1%",
    "mean 0 sd 0.000000001 mde 99999999999999999999 revenue per user",
    `revenue per user ${"9".repeat(400)} €, sd 1, up 5 %`,
    "revenue per user 0 € sd 1 up 5 %",
    "100% to 0.0% checkout",
    "ARPU of 10 €, sd 0.00000000000000000000001 €, down 99999 €, 0.0001/99.9999 split",
    "conversion of 99.9 %, 2 points more, 0.0000000001 % power, 99.99999999999999999999 % confidence",
    `churn per ${"é".repeat(300)} from 2 to 3`,
  ])("extreme numbers are no error: %s", async (description) => {
    await create(await design(description));
  });

  test("every sentence of the corpus becomes an experiment that can be created", async () => {
    for (const [description] of CORPUS) {
      if (description.trim().length >= 10) await create(await design(description));
    }
  });
});

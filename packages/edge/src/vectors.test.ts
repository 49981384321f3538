import { toProgram } from "@assay/core";
import type { OfrepAnswer } from "@assay/sdk/internal";
import { expect, test } from "vitest";
import { bucketingVectors } from "../../core/vectors/bucketing.ts";
import { ask, toDefinitions, toFlag } from "./definitions.fixture.ts";
import { createFlagHandler, createSplitUrlHandler } from "./index.ts";

const { weightSets, rollouts, cases } = bucketingVectors;
const OUTSIDE = -1;
const keys = [...new Set(cases.map(({ key }) => key))];

test.each(weightSets.map((weights, set) => [weights, set] as const))(
  "the flag handler returns the variant of every bucketing vector, with the weights %j",
  async (weights, set) => {
    const variants = weights.map((weight, value) => ({ key: `v${value}`, weight, value }));
    for (const [at, rollout_percentage] of rollouts.entries()) {
      for (const key of keys) {
        // A handler for one flag, because one for all would give 45 answers for each vector.
        const flag = { value_type: "NUMBER", default_value: OUTSIDE, rollout_percentage, variants } as const;
        const program = toProgram(toDefinitions({ flags: [toFlag(key, flag)] }));
        const handler = createFlagHandler({ program, flags: "all" });
        for (const { name, userId, variants: expected } of cases.filter((each) => each.key === key)) {
          const body = JSON.stringify({ context: { targetingKey: userId } });
          const response = await handler(ask("/ofrep/v1/evaluate/flags", {}, { method: "POST", body }));
          const { flags } = (await response!.json()) as { flags: OfrepAnswer[] };
          expect(flags, name).toMatchObject([{ key }]);
          // A missing user is not a bucketing unit, if there is anything to draw.
          if (userId === "" && flags[0]!.errorCode === "TARGETING_KEY_MISSING") continue;
          expect(flags[0]!.value, name).toBe(expected[set]![at]);
        }
      }
    }
  },
);

/** A lone surrogate is not valid in a header; a function may find a user id anywhere. */
function decode(request: Request): string {
  return JSON.parse(request.headers.get("x-user") ?? '""');
}

const quote = (text: string) =>
  JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

test("evaluate() and the split-URL handler return the variant of every bucketing vector", async () => {
  const weights = weightSets[2]!;
  const everyone = rollouts.indexOf(100);
  const arms = weights.map((weight, value) => ({ key: `v${value}`, weight, value, url: `/arm/${value}` }));
  const flags = keys.map((key) => toFlag(key, { value_type: "NUMBER", variants: arms }));
  const experiments = keys.map(
    (key) => ({ id: key, key, status: "ACTIVE", experiment_type: "SPLIT_URL", variants: arms }) as const,
  );
  const program = toProgram(toDefinitions({ flags, experiments }));
  const handler = createFlagHandler({ program, flags: [], userId: decode });
  for (const { name, userId, key, variants: expected } of cases.filter(({ userId }) => userId.length <= 1_024)) {
    if (userId === "") continue;
    const request = ask("/", { "x-user": quote(userId) });
    const variant = expected[2]![everyone];
    expect((await handler.evaluate(request, key, OUTSIDE)).value, name).toBe(variant);
    // A lone surrogate is not valid in a cookie's name, and experiment keys have none.
    if (/\p{Surrogate}/u.test(key)) continue;
    const split = createSplitUrlHandler({ program, routes: () => key, userId: decode });
    expect((await split(request))?.headers.get("location"), name).toBe(`/arm/${variant}`);
  }
});

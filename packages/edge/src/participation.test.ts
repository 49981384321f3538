import { toProgram } from "@assay/core";
import type { OfrepAnswer } from "@assay/sdk/internal";
import { expect, test } from "vitest";
import { participationVectors } from "../../core/vectors/participation.ts";
import { ask, cookiesOf } from "./definitions.fixture.ts";
import { createFlagHandler, createSplitUrlHandler } from "./index.ts";

const { definitions, cases } = participationVectors;
const program = toProgram(definitions);

test("the flag handler applies holdout, exclusion groups and segments as the participation vectors say", async () => {
  const handler = createFlagHandler({ program, flags: "all" });
  for (const { user_id, attributes, flags } of cases) {
    const body = JSON.stringify({ context: { ...attributes, targetingKey: user_id } });
    const response = await handler(ask("/ofrep/v1/evaluate/flags", {}, { method: "POST", body }));
    const { flags: answers } = (await response!.json()) as { flags: OfrepAnswer[] };
    const found = Object.fromEntries(answers.map(({ key, value, variant }) => [key, [value, variant ?? null]]));
    const expected = Object.entries(flags).map(([key, [value, variant]]) => [key, [value, variant]]);
    expect(found, user_id).toEqual(Object.fromEntries(expected));
  }
});

test("the split-URL handler applies holdout, exclusion groups and segments as the participation vectors say", async () => {
  let user = cases[0]!;
  const handler = createSplitUrlHandler({
    program,
    routes: () => "beta",
    userId: () => user.user_id,
    attributes: () => user.attributes,
  });
  for (user of cases) {
    const [variant, reason] = user.experiments.beta!;
    const response = await handler(ask("/start"));
    expect(response?.headers.get("location"), user.user_id).toBe(variant === "url_1" ? "/old" : "/new");
    // Users who do not take part are not remembered: they may take part later.
    expect(cookiesOf(response)).toEqual(reason === "ASSIGNED" ? { exp_beta: variant } : {});
  }
});

import { createEngine } from "@assay/core";
import { expect, test } from "vitest";
import { toDefinitions } from "./fake-server.fixture.ts";
import { fromOfrepAnswer, toOfrepAnswer } from "./ofrep.ts";

const engine = createEngine(
  toDefinitions(
    { key: "plain", version: 3 },
    { key: "text", value_type: "STRING", variants: [{ key: "a", weight: 1, value: "hello" }] },
    {
      key: "ruled",
      rules: [{ id: "r", when: { attribute: "x", operator: "EQUALS", value: 1 }, serve: { variant: "on" } }],
    },
    { key: "off", enabled: false },
    { key: "half", rollout_percentage: 50 },
    { key: "broken", rollout_percentage: 120 },
  ),
);

test("metadata of a flag's authors is beside the protocol's own, which it cannot replace", () => {
  const flag = { ...engine.definitions.flags[0]!, metadata: { team: "checkout", version: 9, evaluationReason: "x" } };
  const { metadata } = toOfrepAnswer(engine.evaluate("plain", {}, null), flag, "staging");
  expect(metadata).toMatchObject({ team: "checkout", version: 3, evaluationReason: "STATIC", flagSetId: "staging" });
});

test.each(["plain", "text", "ruled", "off", "half", "broken"])(
  "an evaluation of %s survives the protocol, except for its bucket",
  (key) => {
    const result = engine.evaluate(key, { targetingKey: "ada", x: 1 }, null);
    const flag = engine.definitions.flags.find((each) => each.key === key)!;
    const answer = JSON.parse(JSON.stringify(toOfrepAnswer(result, flag, "staging")));
    const { error_code, error_message } = result;
    expect(fromOfrepAnswer(answer)).toEqual(
      error_code
        ? { ...fromOfrepAnswer({ key }), error_code, error_message }
        : { ...result, enabled: expect.any(Boolean), bucket: null },
    );
  },
);

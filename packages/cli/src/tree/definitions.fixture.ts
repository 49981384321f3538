import type { Client } from "@assay/client";

/** Creates segments, flags and experiments of every kind, some of which refer to others. */
export async function fill(client: Client): Promise<void> {
  const { id } = await client.request("POST /segments", { body: { name: "Beta / testers", user_ids: ["ada", "bob"] } });
  const inSegment = { operator: "IN_SEGMENT" as const, value: "Beta / testers" };
  await client.request("POST /segments", {
    body: { name: "a-both", conditions: [inSegment, { attribute: "plan", operator: "EQUALS", value: "pro" }] },
  });
  const flag = (key: string, body: object = {}) =>
    client.request("POST /feature-flags/", { body: { key, name: key, ...body } });
  await flag("plain");
  await flag("z-base", { status: "ACTIVE", rollout_percentage: 40, description: "The base\nof others: yes" });
  await flag("checkout", {
    status: "ACTIVE",
    variants: [
      { key: "short", value: "on" },
      { key: "long", name: "Long", value: "2026-01-31" },
    ],
    default_value: "none",
    targeting_rules: { countries: ["NO"], user_segments: [id] },
    rules: [
      {
        when: { all: [inSegment, { attribute: "age", operator: "GREATER_THAN", value: 17 }] },
        serve: { variant: "long" },
      },
      { id: "half", when: inSegment, serve: { rollout_percentage: 50 } },
    ],
    prerequisites: [{ flag_key: "z-base", value: true }],
    bucket_by: "company",
    client_side: true,
    expires_at: "2030-01-31T10:00:00+01:00",
    tags: ["shop", "no"],
    metadata: { team: "shop", level: 3, live: true },
  });
  await flag("theme", {
    variants: [{ key: "only", weight: 100, value: { dark: true, variants: [{ id: 1 }] } }],
    value_schema: { type: "object", properties: { dark: { type: "boolean" } }, required: ["dark"] },
  });
  await flag("Theme", { variants: [{ key: "only", value: 3 }], default_value: 0, permanent: true });
  await flag("deferring", { defer_to_caller: true, rules_enabled: false });
  const experiment = (key: string, body: object = {}) =>
    client.request("POST /experiments/", { body: { key, name: key, ...body } });
  const arms = [{ key: "red", weight: 70 }, { key: "green" }];
  const metrics = [
    { name: "Paid", event_type: "purchase", role: "PRIMARY" },
    { id: "own", name: "Revenue", event_type: "purchase", kind: "MEAN", cap: 100 },
  ];
  await experiment("button", {
    hypothesis: "Green sells more",
    variants: arms,
    metrics,
    variance_reduction: { method: "REGRESSION", covariates: ["own"] },
    overrides: [{ user_segment: "Beta / testers", value: "red" }],
    bayesian_config: { prior_alpha: 2 },
    alpha: 0.01,
  });
  await experiment("on-flag", { feature_flag_key: "checkout" });
  await experiment("pages", {
    experiment_type: "SPLIT_URL",
    split_url_config: {
      variants: [
        { url: "https://example.com/a", weight: 50 },
        { url: "https://example.com/b", weight: 50 },
      ],
    },
  });
  await experiment("grid", {
    experiment_type: "MULTIVARIATE",
    factors: [
      { name: "Colour", levels: ["red", "green"] },
      { name: "Size", levels: ["s", "l"] },
    ],
  });
  await experiment("bare");
}

/** A request that creates a resource: path and body. */
type Creation = [path: string, body: object];

const ARMS = [{ key: "control" }, { key: "treatment" }];
const METRICS = [
  { name: "Paid", event_type: "purchase", role: "PRIMARY" },
  { name: "Revenue", event_type: "purchase", kind: "MEAN", winsorize_pct: 0.05 },
  { name: "Largest", event_type: "purchase", kind: "MEAN", aggregation: "MAX" },
  { name: "Count", event_type: "purchase", kind: "COUNT" },
  { name: "Median", event_type: "purchase", kind: "QUANTILE", quantile: 0.5 },
  { name: "Rate", event_type: "purchase", kind: "RATIO", denominator_event_type: "error", role: "GUARDRAIL" },
];

/** Resources of every kind for requests to use. @param n makes names of later calls unique */
export function world(n: number): Creation[] {
  const split_url_config = {
    variants: [
      { key: "control", weight: 50, url: "https://example.org/a" },
      { key: "treatment", weight: 50, url: "https://example.org/b" },
    ],
  };
  const banner = [
    { key: "a", value: "x", weight: 50 },
    { key: "b", value: "y", weight: 50 },
  ];
  const stages = [
    { name: "one", stage_order: 1, target_percentage: 10, trigger: "MANUAL" },
    { name: "two", stage_order: 2, target_percentage: 100, trigger: "MANUAL" },
  ];
  const events = Array.from({ length: 60 }, (_, index) => ({
    user_id: `user-${index >> 1}`,
    experiment_id: `button-${n}`,
    ...(index % 2 > 0
      ? { event_type: "purchase", value: index }
      : { event_type: "exposure", variant_id: index % 4 > 0 ? "control" : "treatment" }),
  }));
  const conditions = [{ attribute: "plan", operator: "EQUALS", value: "pro" }];
  const active = { name: "Active", status: "ACTIVE" };
  const grace = { username: `grace-${n}`, email: `grace-${n}@example.org`, password: "a-password-of-tests" };
  return [
    ["/segments", { name: `vip-${n}`, user_ids: ["ada"], conditions }],
    ["/feature-flags/", { ...active, key: `checkout-${n}`, rollout_percentage: 50 }],
    ["/feature-flags/", { ...active, key: `banner-${n}`, value_type: "STRING", variants: banner, client_side: true }],
    ["/experiments/", { ...active, key: `button-${n}`, variants: ARMS, metrics: METRICS }],
    ["/experiments/", { ...active, key: `color-${n}`, allocation: "THOMPSON", variants: ARMS, metrics: METRICS }],
    ["/experiments/", { ...active, key: `over-flag-${n}`, feature_flag_key: `checkout-${n}`, metrics: METRICS }],
    [
      "/experiments/",
      { key: `split-${n}`, name: "Split", experiment_type: "SPLIT_URL", variants: ARMS, split_url_config },
    ],
    ["/mutual-exclusion-groups", { name: `slots-${n}` }],
    ["/rollout-schedules", { feature_flag_id: `banner-${n}`, name: "slowly", stages }],
    ["/roles", { name: `auditor-${n}`, permissions: [{ resource: "experiments", actions: ["READ"] }] }],
    ["/users/", { ...grace, role: "DEVELOPER" }],
    ["/wizard/drafts", { name: `draft-${n}` }],
    [
      "/integrations",
      { name: "code", integration_type: "CODEHOST", description: "", config: { token: "t", webhook_secret: "s" } },
    ],
    ["/warehouse/connections", { name: `w-${n}`, type: "DUCKDB", database: "/nowhere/none.duckdb" }],
    ["/api-keys", { name: `k-${n}`, scopes: ["read"] }],
    [`/counters/button-${n}/increment`, { variant_id: "treatment", counter: "events" }],
    ["/tracking/events", { events }],
  ];
}

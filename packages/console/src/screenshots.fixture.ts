import { createClient, type ProposalCreate } from "@assay/client";
import { ADMIN, type TestConsole } from "./console.fixture.ts";
import { type createClock, designCookieCats, playCookieCats } from "./cookie-cats.fixture.ts";

const DAYS = 21;

/** Fills an empty server with a shop: flags, the experiment of Cookie Cats, people, and what they have connected. */
export async function openShop(server: TestConsole, clock: ReturnType<typeof createClock>): Promise<void> {
  const { admin, url } = server;
  const create = (body: object) => admin.request("POST /feature-flags/", { body: body as never });
  await create({
    key: "new-checkout",
    name: "New checkout",
    description: "One page instead of three.",
    status: "ACTIVE",
    rollout_percentage: 25,
    tags: ["payments"],
    targeting_rules: { countries: ["DE", "FR"] },
    rules: [
      {
        id: "staff",
        when: { attribute: "plan", operator: "EQUALS", value: "staff" },
        serve: { rollout_percentage: 100 },
      },
      {
        id: "old apps",
        when: {
          all: [
            { attribute: "app_version", operator: "SEMVER_LESS_THAN", value: "4.2.0" },
            { attribute: "platform", operator: "IN", value: ["ios", "android"] },
          ],
        },
        serve: { rollout_percentage: 0 },
      },
    ],
  });
  await create({
    key: "banner-text",
    name: "Banner text",
    status: "ACTIVE",
    default_value: "Hello",
    variants: [
      { key: "warm", weight: 50, value: "Welcome back" },
      { key: "short", weight: 50, value: "Hi" },
    ],
    tags: ["growth"],
  });
  await create({ key: "search-suggestions", name: "Search suggestions", status: "INACTIVE", tags: ["search"] });
  await create({ key: "gift-cards", name: "Gift cards", status: "ACTIVE", client_side: true });
  for (const [name, kind] of [
    ["Shop", "SERVER"],
    ["Web site", "CLIENT"],
  ] as const) {
    await admin.request("POST /api-keys", { body: { name, kind, scopes: ["read", "write"] } });
  }
  await designCookieCats(server, { planned_sample_size: 100_000 });
  await playCookieCats(server, clock, { days: DAYS, every: 1 });
  const params = { id: "new-checkout" };
  await admin.request("PATCH /feature-flags/{id}/rollout", {
    params,
    body: { rollout_percentage: 50, reason: "No errors for a week" },
  });

  await admin.request("POST /segments", {
    body: {
      name: "early testers",
      description: "People who see features first",
      conditions: {
        any: [
          { attribute: "plan", operator: "EQUALS", value: "staff" },
          { attribute: "beta", operator: "EQUALS", value: true },
        ],
      },
      user_ids: ["ada", "bob"],
    },
  });
  await admin.request("PUT /feature-flags/{id}", {
    params: { id: "gift-cards" },
    body: {
      rules: [
        { id: "early", when: { operator: "IN_SEGMENT", value: "early testers" }, serve: { rollout_percentage: 100 } },
      ],
    },
  });
  const schedule = await admin.request("POST /rollout-schedules", {
    body: {
      name: "Checkout for everyone",
      feature_flag_id: "new-checkout",
      stages: [
        { target_percentage: 50, trigger: "TIME", trigger_config: { after_minutes: 0 } },
        {
          target_percentage: 75,
          trigger: "METRIC",
          trigger_config: {
            event_type: "purchase",
            comparison: "GREATER_THAN",
            threshold: -0.01,
            duration_minutes: 2880,
          },
        },
        { target_percentage: 100, trigger: "MANUAL" },
      ],
    },
  });
  await admin.request("POST /rollout-schedules/{id}/activate", { params: { id: schedule.id } });
  await admin.request("PUT /safety/feature-flags/{id}", {
    params,
    body: {
      automatic_rollback: true,
      metrics: {
        errors: { event_type: "error", warning_threshold: 0.02, critical_threshold: 0.05 },
        "load time": { event_type: "page_load", aggregation: "MEAN", critical_threshold: 800 },
      },
    },
  });
  const group = await admin.request("POST /mutual-exclusion-groups", {
    body: { name: "Checkout page", description: "Only one change of the checkout at a time", traffic_percentage: 90 },
  });
  for (const [key, name, slot_percentage] of [
    ["shorter-form", "Shorter form", 40],
    ["one-click", "One click", 25],
  ] as const) {
    await admin.request("POST /experiments/", { body: { key, name } });
    await admin.request("POST /mutual-exclusion-groups/{group_id}/experiments", {
      params: { group_id: group.id },
      body: { experiment_id: key, slot_percentage },
    });
  }
  await admin.request("POST /holdout", { body: { name: "All of 2026", percentage: 5 } });
  for (const [username, role, full_name] of [
    ["dora", "DEVELOPER", "Dora Diaz"],
    ["ada", "ANALYST", "Ada Adler"],
  ] as const) {
    const body = { username, role, full_name, email: `${username}@example.org`, password: "a password for pictures" };
    await admin.request("POST /users/", { body });
  }

  const { id: tracker } = await admin.request("POST /integrations", {
    body: {
      name: "Shop board",
      integration_type: "TRACKER",
      description: "Issues of the shop",
      config: {
        base_url: "https://shop.atlassian.example",
        username: "assay@example.org",
        api_token: "a token for pictures",
        webhook_token: "a-token-for-pictures",
      },
    },
  });
  await admin.request("PUT /experiments/{experiment_id}", {
    params: { experiment_id: "shorter-form" },
    body: { tracker_issue_key: "SHOP-12" },
  });
  for (const status of ["In Review", "Thinking"]) {
    await fetch(`${url}/api/v1/integrations/${tracker}/webhook/tracker`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-assay-webhook-token": "a-token-for-pictures" },
      body: JSON.stringify({
        webhookEvent: "jira:issue_updated",
        issue: { key: "SHOP-12", fields: { status: { name: status } } },
      }),
    });
  }
  await admin.request("POST /warehouse/connections", {
    body: {
      name: "Shop warehouse",
      type: "POSTGRES",
      host: "db.shop.example",
      database: "shop",
      schema: "analytics",
      username: "assay_reader",
      password: "a password for pictures",
    },
  });
}

/** Fills an empty server, whose environment is protected, with a flag of dora's and her open proposal to change it. */
export async function openProposals({ url, admin, addUser }: TestConsole): Promise<void> {
  const dora = { username: "dora", password: ADMIN.password };
  await addUser(dora.username, "DEVELOPER");
  const propose = (body: ProposalCreate) =>
    createClient({ baseUrl: url, ...dora }).request("POST /proposals", { body });
  const body = { key: "new-checkout", name: "New checkout", status: "ACTIVE", rollout_percentage: 10 };
  const { id } = await propose({ route: "POST /feature-flags/", body });
  await admin.request("POST /proposals/{id}/approve", { params: { id }, body: { reason: "As planned" } });
  await propose({
    route: "PUT /feature-flags/{id}",
    params: { id: body.key },
    body: { rollout_percentage: 50, targeting_rules: { countries: ["DE", "FR"] }, reason: "No errors for a week" },
  });
}

/** Fills the environment staging of an empty server with what production has not, and production with an older version. */
export async function openStaging({ url, admin }: TestConsole): Promise<void> {
  const staging = createClient({ baseUrl: url, ...ADMIN, environment: "staging" });
  await staging.request("POST /segments", {
    body: { name: "early testers", description: "People who see features first", user_ids: ["ada", "bob"] },
  });
  for (const client of [staging, admin]) {
    const isNew = client === staging;
    await client.request("POST /feature-flags/", {
      body: {
        ...{ key: "new-checkout", name: isNew ? "Checkout on one page" : "New checkout", tags: ["payments"] },
        targeting_rules: { countries: isNew ? ["DE", "FR"] : ["DE"] },
      },
    });
  }
  await staging.request("POST /feature-flags/", {
    body: { key: "gift-cards", name: "Gift cards", targeting_rules: { user_segments: ["early testers"] } },
  });
}

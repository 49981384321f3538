import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@assay/client";
import { bucket } from "@assay/core";
import { createAssay } from "@assay/server";
import { type Client, OpenFeature } from "@openfeature/server-sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AssayServerProvider } from "./index.ts";

const administrator = { username: "admin", password: "correct horse battery" };
const HOUR = 3_600_000;

let assay: ReturnType<typeof createAssay>;
let close: () => Promise<void>;
let baseUrl: string;
let apiKey: string;
let admin: ReturnType<typeof createClient>;
let domains = 0;

beforeEach(async () => {
  const logger = { info() {}, warn() {}, error() {} };
  assay = createAssay({ admin: administrator, passwordCost: 16, rateLimit: false, logger });
  const http = createServer(assay.node).listen(0, "127.0.0.1");
  await once(http, "listening");
  baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  admin = createClient({ baseUrl, ...administrator });
  ({ key: apiKey = "" } = await admin.request("POST /api-keys", { body: { name: "shop", scopes: ["read", "write"] } }));
  close = async () => {
    await assay.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
});
afterEach(async () => {
  await OpenFeature.clearProviders();
  await close();
});

/** A flag of three arms, of which staff get one by a rule, with an experiment over it. */
async function createExperiment() {
  const variants = ["plain", "blue", "green"].map((key, index) => ({ key, weight: [50, 30, 20][index]!, value: key }));
  const flag = { key: "button", name: "Button", status: "ACTIVE", value_type: "STRING", variants } as const;
  await admin.request("POST /feature-flags/", {
    body: {
      ...flag,
      default_value: "none",
      rollout_percentage: 80,
      targeting_rules: { excluded_users: ["user-3"] },
      rules: [
        { id: "staff", when: { attribute: "role", operator: "EQUALS", value: "staff" }, serve: { variant: "green" } },
      ],
    },
  });
  await admin.request("POST /experiments/", {
    body: { key: "trial", name: "Trial", status: "ACTIVE", feature_flag_key: "button" },
  });
}

const user = (index: number) => ({
  targetingKey: `user-${index}`,
  role: index % 10 === 7 ? "staff" : "guest",
});

/**
 * The application's work: it shows a button, and tracks purchases, including some before the exposure, and some by
 * users without one.
 */
async function serve(client: Client, index: number): Promise<void> {
  const context = user(index);
  const early = { value: 1_000, timestamp: new Date(Date.now() - HOUR).toISOString() };
  if (index % 6 === 0) client.track("purchase", context, early);
  if (index % 5 !== 0) for (let round = 0; round < 3; round++) await client.getStringValue("button", "none", context);
  if (bucket(context.targetingKey, "buys") < 0.4) client.track("purchase", context, { value: 1 + (index % 13) });
  if (bucket(context.targetingKey, "buys") < 0.1) client.track("purchase", context, { value: 5 });
}

const USERS = 400;

/** Returns the expected numbers: arms from the hash alone, and sums over users. */
function count() {
  const arms = ["plain", "blue", "green"].map((key) => ({ key, users: 0, buyers: 0, revenue: 0 }));
  for (let index = 0; index < USERS; index++) {
    const { targetingKey, role } = user(index);
    if (index % 5 === 0 || index === 3 || role === "staff") continue;
    const hash = bucket(targetingKey, "button");
    // Each variant fills 80 % of its own interval, from its start.
    const starts = [0, 0.5, 0.8];
    const widths = [0.5, 0.3, 0.2];
    const arm = arms.find((_, at) => hash >= starts[at]! && hash < starts[at]! + 0.8 * widths[at]!);
    if (!arm) continue;
    const buys = bucket(targetingKey, "buys");
    arm.users++;
    if (buys < 0.4) arm.buyers++;
    arm.revenue += (buys < 0.4 ? 1 + (index % 13) : 0) + (buys < 0.1 ? 5 : 0);
  }
  return arms;
}

async function expectCounted(): Promise<void> {
  const results = await admin.request("GET /results/{experiment_id}", { params: { experiment_id: "trial" } });
  const [plain, ...treatments] = count();
  expect(plain!.users).toBeGreaterThan(80);
  expect(results.srm.observed).toEqual(Object.fromEntries(count().map(({ key, users }) => [key, users])));
  for (const { key, users, buyers, revenue } of treatments) {
    const rowOf = (name: string) => results.metrics.find((row) => row.name === name && row.variant === key);
    expect(rowOf("purchase")).toMatchObject({ n: { treatment: users, control: plain!.users } });
    expect(rowOf("purchase")!.treatment_value).toBeCloseTo(buyers / users, 12);
    expect(rowOf("purchase")!.control_value).toBeCloseTo(plain!.buyers / plain!.users, 12);
    expect(rowOf("purchase_value")!.treatment_value).toBeCloseTo(revenue / users, 12);
    expect(rowOf("purchase_value")!.control_value).toBeCloseTo(plain!.revenue / plain!.users, 12);
  }
  expect(results).toMatchObject({ forced: USERS / 10, crossover: 0, analysis_warnings: [] });
}

describe("the server analyses an experiment over a flag from OpenFeature calls alone", () => {
  async function run(provider: AssayServerProvider) {
    const domain = `trial-${domains++}`;
    await OpenFeature.setProviderAndWait(domain, provider);
    const client = OpenFeature.getClient(domain);
    for (let index = 0; index < USERS; index++) await serve(client, index);
    await provider.onClose();
  }

  test("with a provider over HTTP", async () => {
    await createExperiment();
    await run(new AssayServerProvider({ apiKey, baseUrl }));
    await expectCounted();
  });

  test("with a provider in the process of the server", async () => {
    await createExperiment();
    await run(new AssayServerProvider({ engine: assay.engine, track: assay.track }));
    await expectCounted();
  });
});

import { createAssay, silentLogger } from "@assay/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bucketingVectors } from "../../core/vectors/bucketing.ts";
import { ask, cookiesOf } from "./definitions.fixture.ts";
import { createEdgeSource, createSplitUrlHandler } from "./index.ts";

const ORIGIN = "http://assay.test";
const USERS = 1_000;
const countries = ["DE", "FR", "US"];
const plans = ["free", "pro", undefined];

/** Split-URL experiments of every kind that the preview supports. */
const EXPERIMENTS: Record<string, { urls: [url: string, weight: number][]; [field: string]: unknown }> = {
  halves: {
    urls: [
      ["/old?x=1", 50],
      ["https://example.org/new", 50],
    ],
  },
  weights: {
    urls: [
      ["/a", 70],
      ["/b", 20],
      ["/c", 10],
      ["/never", 0],
    ],
  },
  ten: { urls: Array.from({ length: 10 }, (_, index) => [`https://example.org/${index}`, 10]) },
  alone: { urls: [["/only", 100]] },
  targeted: {
    urls: [
      ["/a", 50],
      ["/b", 50],
    ],
    targeting_rules: { countries: ["de", "FR"], user_attributes: { plan: ["pro"] } },
  },
  named: {
    urls: [
      ["/a", 30],
      ["/b", 70],
    ],
    targeting_rules: {
      countries: ["DE"],
      included_users: ["user-1", "user-2", "user-3"],
      excluded_users: ["user-2", "user-4", "user-9"],
    },
  },
  rollout: {
    urls: [
      ["/a", 25],
      ["/b", 75],
    ],
    targeting_rules: { rollout_percentage: 30 },
  },
  "in-a-group": {
    urls: [
      ["/a", 50],
      ["/b", 50],
    ],
    targeting_rules: { user_segments: ["europeans"] },
  },
  fresh: {
    urls: [
      ["/a", 50],
      ["/b", 50],
    ],
    targeting_rules: { sticky_assignment: false, time_rules: { timezone: "Europe/Berlin" } },
  },
};

const assay = createAssay({
  admin: { username: "admin", password: "correct horse battery" },
  rateLimit: false,
  logger: silentLogger,
});
let apiKey = "";
let administrator: Record<string, string> = {};

async function send(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const init = {
    method,
    body: body && JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
  const response = await assay.fetch(new Request(`${ORIGIN}/api/v1${path}`, init));
  const answer = await response.json();
  expect(response.status, JSON.stringify(answer)).toBeLessThan(300);
  return answer;
}

beforeAll(async () => {
  const login = await send("POST", "/auth/login", { username: "admin", password: "correct horse battery" });
  administrator = { authorization: `Bearer ${login.access_token}` };
  const created = await send("POST", "/api-keys", { name: "edge", scopes: ["read"] }, administrator);
  apiKey = created.key;
  const conditions = { attribute: "country", operator: "IN", value: ["DE", "FR"] };
  await send("POST", "/segments", { name: "europeans", conditions }, administrator);
  const { id: mutual_exclusion_group_id } = await send(
    "POST",
    "/mutual-exclusion-groups",
    { name: "g" },
    administrator,
  );
  await send("POST", "/holdout", { name: "everything", percentage: 10 }, administrator);
  for (const [key, { urls, ...fields }] of Object.entries(EXPERIMENTS)) {
    const split_url_config = { variants: urls.map(([url, weight]) => ({ url, weight })) };
    const group = key === "in-a-group" ? { mutual_exclusion_group_id } : {};
    const type = { experiment_type: "SPLIT_URL", status: "ACTIVE", split_url_config };
    const body = { key, name: key, ...type, ...fields, ...group };
    await send("POST", "/experiments/", body, administrator);
  }
});

afterAll(() => assay.close());

/**
 * Realistic user ids and attributes: UUIDs, words, other scripts; with and without the attributes that targeting needs.
 */
function toUser(index: number) {
  const userId = index % 5 === 0 ? `ユーザー ${index} é` : index % 3 === 0 ? crypto.randomUUID() : `user-${index}`;
  const attributes = { country: countries[index % 3], plan: plans[index % 4] };
  return { userId, attributes };
}

test.each(Object.keys(EXPERIMENTS))("the preview and the handler give every user the same URL: %s", async (key) => {
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const source = createEdgeSource({ apiKey, baseUrl: ORIGIN, fetch: assay.fetch, onError });
  let user = toUser(0);
  const split = createSplitUrlHandler({
    source,
    routes: { "/start": key },
    userId: () => user.userId,
    attributes: () => user.attributes,
  });
  const seen = new Set<string>();
  for (let index = 0; index < USERS; index++) {
    user = toUser(index);
    const query = new URLSearchParams({ user_id: user.userId, attributes: JSON.stringify(user.attributes) });
    const preview = await send("GET", `/experiments/${key}/split-url/preview?${query}`, undefined, {
      "x-api-key": apiKey,
    });
    const request = ask("/start");
    const response = await split(request);
    const location = response?.headers.get("location") ?? "";
    expect(new URL(location, request.url).href, user.userId).toBe(new URL(preview.url, request.url).href);
    expect(cookiesOf(response)).toEqual(preview.eligible ? { [preview.cookie_name]: preview.cookie_value } : {});
    seen.add(`${preview.eligible} ${preview.variant}`);

    // From then on the cookie alone decides, for any user.
    const cookie = `${preview.cookie_name}=${preview.cookie_value}`;
    user = { userId: "someone else", attributes: { country: "DE", plan: "pro" } };
    const isSticky = key !== "fresh";
    if (isSticky) expect((await split(ask("/start", { cookie })))?.headers.get("location")).toBe(location);
  }
  expect(errors).toEqual([]);
  expect(seen.size).toBeGreaterThan(key === "alone" ? 0 : 1);
});

test("the preview and the handler return the same arm for every bucketing vector", async () => {
  const { weightSets, rollouts, cases } = bucketingVectors;
  const weights = weightSets[2]!;
  const variants = weights.map((weight, index) => ({ key: `v${index}`, weight, url: `/arm/${index}` }));
  // The keys and users that the server accepts.
  const possible = cases.filter(
    ({ key, userId }) => /^[a-z][a-z0-9-]{0,98}$/.test(key) && /^.{1,1024}$/su.test(userId),
  );
  for (const key of new Set(possible.map((each) => each.key))) {
    const split_url_config = { variants };
    const body = { key, name: key, experiment_type: "SPLIT_URL", status: "ACTIVE", split_url_config };
    await send("POST", "/experiments/", body, administrator);
  }
  const source = createEdgeSource({ apiKey, baseUrl: ORIGIN, fetch: assay.fetch });
  let drawn = 0;
  for (const { name, key, userId, variants: expected } of possible) {
    const split = createSplitUrlHandler({ source, routes: () => key, userId: () => userId });
    const query = new URLSearchParams({ user_id: userId });
    const path = `/experiments/${key}/split-url/preview?${query}`;
    const preview = await send("GET", path, undefined, { "x-api-key": apiKey });
    const response = await split(ask("/start"));
    expect(response?.headers.get("location"), name).toBe(preview.url);
    if (!preview.eligible) continue;
    drawn++;
    expect(preview.variant, name).toBe(`v${expected[2]![rollouts.indexOf(100)]}`);
  }
  expect(drawn).toBeGreaterThan(200);
});

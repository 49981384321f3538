import { type HostileCase, many, type World } from "./world.fixture.ts";

const MEGABYTE = 1_000_000;

const flag = (name: string, status: number, body: () => object | string): HostileCase => ({
  name,
  status,
  sent: ({ developer }: World) => ({ method: "POST", path: "/feature-flags/", body: body(), headers: developer }),
});

const when = (conditions: unknown) => [{ id: "r", when: { all: conditions }, serve: { rollout_percentage: 100 } }];

/** Returns `{"all": [{"all": [...]}]}` with this many levels. */
const nested = (levels: number) => `${'{"all":['.repeat(levels)}${"]}".repeat(levels)}`;

/** Bodies that are long, deep or wide. */
export const BODIES: HostileCase[] = [
  {
    name: "80,000 empty conditions in a new draft of a VIEWER",
    status: 201,
    sent: ({ viewer }) => ({
      method: "POST",
      path: "/wizard/drafts",
      body: { data: { rules: [{ id: "r", when: { all: new Array(80_000).fill({}) }, serve: { variant: "a" } }] } },
      headers: viewer,
    }),
  },
  {
    name: "90,000 empty conditions in a draft, which are more than 256 KB",
    status: 422,
    sent: ({ viewer }) => ({
      method: "POST",
      path: "/wizard/drafts",
      body: { data: { rules: [{ id: "r", when: { all: new Array(90_000).fill({}) }, serve: { variant: "a" } }] } },
      headers: viewer,
    }),
  },
  {
    name: "a draft of 80,000 empty conditions, read by its VIEWER",
    status: 200,
    sent: ({ viewer, draft }) => ({ method: "GET", path: `/wizard/drafts/${draft}`, headers: viewer }),
  },
  {
    name: "a draft of 80,000 empty conditions, checked for its VIEWER",
    status: 200,
    sent: ({ viewer, draft }) => ({ method: "POST", path: `/wizard/drafts/${draft}/validate`, headers: viewer }),
  },
  flag("200,000 empty conditions", 413, () => ({ key: "f", name: "F", rules: when(new Array(200_000).fill({})) })),
  flag("90,000 empty conditions", 422, () => ({ key: "f", name: "F", rules: when(new Array(90_000).fill({})) })),
  flag("13,000 unknown keys", 413, () => Object.fromEntries(many(13_000, (index) => [`unknown-${index}`, index]))),
  flag("4,900 unknown keys", 422, () => Object.fromEntries(many(4_900, (index) => [`unknown-${index}`, index]))),
  flag("4,900 unknown keys in a condition", 422, () => ({
    key: "f",
    name: "F",
    rules: when([Object.fromEntries(many(4_900, (index) => [`unknown-${index}`, index]))]),
  })),
  flag("64 levels of conditions", 422, () => `{"key":"f","name":"F","rules":[{"id":"r","when":${nested(30)}}]}`),
  flag("more than 64 levels", 400, () => `{"key":"f","name":"F","rules":${nested(33)}}`),
  flag("half a million levels", 400, () => "[".repeat(500_000)),
  flag("a name of 1 MB", 422, () => ({ key: "f", name: "n".repeat(MEGABYTE) })),
  flag("a key of 1 MB", 422, () => ({ key: "a.".repeat(MEGABYTE / 2), name: "F" })),
  flag("an unknown key of 1 MB", 422, () => ({ ["k".repeat(MEGABYTE)]: 1 })),
  flag("a pattern of 1 MB", 422, () => ({
    key: "f",
    name: "F",
    rules: when([{ attribute: "a", operator: "MATCHES", value: "(a|".repeat(MEGABYTE / 3) }]),
  })),
  {
    name: "an anonymous e-mail address of 1 MB",
    status: 422,
    sent: () => ({
      method: "POST",
      path: "/auth/signup",
      body: { username: "eve", email: "a@".repeat(MEGABYTE / 2), password: "a-password-of-tests" },
    }),
  },
  {
    name: "10,000 flags at once",
    status: 422,
    sent: ({ developer }) => ({
      method: "POST",
      path: "/feature-flags/bulk-toggle",
      body: { flag_ids: many(10_000, (index) => `flag-${index}`), operation: "ENABLE" },
      headers: developer,
    }),
  },
  {
    name: "10,000 counters at once",
    status: 422,
    sent: ({ key }) => ({
      method: "POST",
      path: "/counters/x/bulk",
      body: { increments: new Array(10_000).fill({ variant_id: "a", counter: "EVENTS" }) },
      headers: key,
    }),
  },
  {
    name: "10,000 users in a segment",
    status: 201,
    sent: ({ developer }) => ({
      method: "POST",
      path: "/segments",
      body: { name: `s-${Math.random()}`, user_ids: many(10_000, (index) => `${"u".repeat(80)}-${index}`) },
      headers: developer,
    }),
  },
  {
    name: "5,000 events that are none",
    status: 422,
    sent: ({ client }) => ({
      method: "POST",
      path: "/tracking/events",
      body: { events: new Array(5_000).fill({ a: 1, b: 2 }) },
      headers: client,
    }),
  },
  {
    name: "5,001 events",
    status: 422,
    sent: ({ client }) => ({
      method: "POST",
      path: "/tracking/events",
      body: { events: new Array(5_001).fill(null) },
      headers: client,
    }),
  },
];

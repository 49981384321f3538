/**
 * Writes `participation.json`: `pnpm exec tsx packages/core/vectors/generate-participation.ts`. Hashes come from
 * node:crypto, and answers from the rules written out for these definitions alone. So the engine is not checked against
 * itself.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

const HOLDOUT = "0190a1b2-0000-7000-8000-000000000001";
const GROUP = "0190a1b2-0000-7000-8000-000000000002";
const LISTED = ["user-3", "user-8", "user-21", "ユーザー 5"];

const arms = (...weights: [key: string, weight: number][]) => weights.map(([key, weight]) => ({ key, weight }));
const insiders = { operator: "IN_SEGMENT", value: "insiders" };

const definitions = {
  schema_version: 1,
  holdout: { id: HOLDOUT, percentage: 15 },
  groups: [
    {
      id: GROUP,
      slots: [
        { experiment_key: "alpha", slot_start: 0, slot_end: 0.4 },
        { experiment_key: "beta", slot_start: 0.4, slot_end: 0.75 },
      ],
    },
  ],
  segments: [
    {
      id: "0190a1b2-0000-7000-8000-000000000003",
      name: "testers",
      user_ids: LISTED,
      when: {
        any: [
          { attribute: "plan", operator: "EQUALS", value: "pro" },
          { attribute: "country", operator: "IN", value: ["DE", "FR"] },
        ],
      },
    },
    {
      id: "0190a1b2-0000-7000-8000-000000000004",
      name: "insiders",
      when: {
        all: [
          { operator: "IN_SEGMENT", value: "testers" },
          { attribute: "age", operator: "GREATER_THAN", value: 30 },
        ],
      },
    },
  ],
  flags: [
    {
      key: "bound",
      enabled: true,
      value_type: "STRING",
      default_value: "none",
      rollout_percentage: 80,
      variants: [
        { key: "x", weight: 60, value: "X" },
        { key: "y", weight: 40, value: "Y" },
      ],
      rules: [{ id: "insiders", when: insiders, serve: { variant: "y" } }],
    },
    {
      key: "free",
      enabled: true,
      rollout_percentage: 50,
      variants: [],
      rules: [],
      targeting_rules: { user_segments: ["testers"] },
    },
    {
      key: "ruled",
      enabled: true,
      rollout_percentage: 0,
      variants: [],
      rules: [{ id: "others", when: { not: insiders }, serve: { rollout_percentage: 30 } }],
    },
  ],
  experiments: [
    {
      id: "0190a1b2-0000-7000-8000-000000000005",
      key: "alpha",
      status: "ACTIVE",
      experiment_type: "AB_TEST",
      variants: arms(["a", 0.5], ["b", 0.3], ["c", 0.2]),
      mutual_exclusion_group_id: GROUP,
    },
    {
      id: "0190a1b2-0000-7000-8000-000000000006",
      key: "beta",
      status: "ACTIVE",
      experiment_type: "SPLIT_URL",
      variants: [
        { key: "url_1", weight: 70, url: "/old" },
        { key: "url_2", weight: 30, url: "/new" },
      ],
      targeting_rules: { user_segments: ["testers"] },
      mutual_exclusion_group_id: GROUP,
    },
    {
      id: "0190a1b2-0000-7000-8000-000000000007",
      key: "gamma",
      status: "ACTIVE",
      experiment_type: "FEATURE_FLAG",
      variants: arms(["x", 60], ["y", 40]),
      feature_flag_key: "bound",
    },
    {
      id: "0190a1b2-0000-7000-8000-000000000008",
      key: "delta",
      status: "PAUSED",
      experiment_type: "AB_TEST",
      variants: arms(["a", 0.5], ["b", 0.5]),
      mutual_exclusion_group_id: GROUP,
    },
  ],
};

interface User {
  user_id: string;
  attributes: { plan?: string; country?: string; age?: number };
}

const hash = (user: string, key: string) =>
  createHash("md5").update(`${user}:${key}`, "utf8").digest().readUInt32LE(0) / 2 ** 32;

/** Returns the answers for one user, by the rules in words: holdout, then group, then targeting, then the draw. */
function answersFor({ user_id, attributes }: User) {
  const { plan, country = "", age } = attributes;
  const isTester = LISTED.includes(user_id) || plan === "pro" || ["DE", "FR"].includes(country);
  const isInsider = isTester && age !== undefined && age > 30;
  const isHeld = hash(user_id, `holdout:${HOLDOUT}`) < 0.15;
  const place = hash(user_id, `group:${GROUP}`);

  const draw = hash(user_id, "alpha");
  const inAlpha = place < 0.4;
  const alpha = isHeld
    ? ["a", "HOLDOUT"]
    : inAlpha
      ? [draw < 0.5 ? "a" : draw < 0.8 ? "b" : "c", "ASSIGNED"]
      : ["a", "EXCLUDED"];

  const inBeta = place >= 0.4 && place < 0.75;
  const beta = isHeld
    ? ["url_1", "HOLDOUT"]
    : !inBeta
      ? ["url_1", "EXCLUDED"]
      : isTester
        ? [hash(user_id, "beta") < 0.7 ? "url_1" : "url_2", "ASSIGNED"]
        : ["url_1", "TARGETING"];

  const at = hash(user_id, "bound");
  const drawn = at < 0.6 ? (at < 0.6 * 0.8 ? "x" : null) : at < 0.6 + 0.4 * 0.8 ? "y" : null;
  const bound = isHeld
    ? ["none", null, "HOLDOUT"]
    : isInsider
      ? ["Y", "y", "TARGETING_MATCH"]
      : [drawn === null ? "none" : drawn.toUpperCase(), drawn, "SPLIT"];
  const gamma = isHeld
    ? ["x", "HOLDOUT"]
    : isInsider
      ? ["y", "OVERRIDE"]
      : drawn === null
        ? ["x", "TARGETING"]
        : [drawn, "ASSIGNED"];

  const isOn = hash(user_id, "free") < 0.5;
  const free = isTester ? [isOn, isOn ? "on" : "off", "SPLIT"] : [false, null, "DEFAULT"];
  // Whom the rule does not match gets nothing drawn, because the rollout is 0 %.
  const isRuled = !isInsider && hash(user_id, "ruled") < 0.3;
  const ruled = [isRuled, isRuled ? "on" : "off", isInsider ? "DEFAULT" : "SPLIT"];
  return { experiments: { alpha, beta, gamma, delta: ["a", "NOT_RUNNING"] }, flags: { bound, free, ruled } };
}

const users = Array.from({ length: 240 }, (_, index): User => {
  const user_id = index % 5 === 0 ? `ユーザー ${index}` : `user-${index}`;
  const [plan, country, age] = [
    ["pro", "free"][index % 3],
    ["DE", "US", "FR", "GB"][index % 7],
    [25, 31, 64][index % 4],
  ];
  const attributes: User["attributes"] = {};
  if (plan !== undefined) attributes.plan = plan;
  if (country !== undefined) attributes.country = country;
  if (age !== undefined) attributes.age = age;
  return { user_id, attributes };
});

const lines = users.map((user) => `    ${JSON.stringify({ ...user, ...answersFor(user) })}`);
const text = `{\n  "definitions": ${JSON.stringify(definitions)},\n  "cases": [\n${lines.join(",\n")}\n  ]\n}\n`;
writeFileSync(new URL("./participation.json", import.meta.url), text);

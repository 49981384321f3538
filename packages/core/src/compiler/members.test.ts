import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { fingerprint } from "../bucketing/bucket.ts";
import { createEngine } from "../engine/engine.ts";
import type { FlagDefinition, TargetingRules } from "../format/definition.ts";
import { lowerFlag } from "./flag.ts";

const users = [
  "",
  "ada",
  "grace hopper",
  "Ω≈ç√",
  "\ud800",
  "x".repeat(300),
  ...Array.from({ length: 500 }, (_, i) => `u${i}`),
];
const listed = users.filter((user, index) => user !== "" && index % 3 === 0);
const hashed = { salt: "pepper", hashes: listed.map((user) => fingerprint(user, "pepper")) };

function engineOf(flag: Partial<FlagDefinition>, segment: object = {}) {
  return createEngine({
    schema_version: 1,
    flags: [{ key: "f", enabled: true, rollout_percentage: 30, variants: [], rules: [], ...flag }],
    segments: [{ id: "s", name: "s", ...segment }],
    groups: [],
    holdout: null,
    experiments: [],
  });
}

it("represent users by eight bytes of MD5, written as two little-endian words", () => {
  // Node's hash replaces a lone surrogate with U+FFFD as well.
  for (const user of users) {
    const digest = createHash("md5").update(`${user}:pepper`).digest();
    const words = [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    expect(fingerprint(user, "pepper")).toBe(words.map((word) => word.toString(16).padStart(8, "0")).join(""));
  }
});

it.each([
  ["excluded users", { targeting_rules: { excluded_users: listed } }, { excluded_users_hashed: hashed }],
  ["included users", { targeting_rules: { included_users: listed } }, { included_users_hashed: hashed }],
])("lists of %s match the same users hashed and plain", (_, plain, rules) => {
  const [one, other] = [engineOf(plain), engineOf({ targeting_rules: rules })];
  for (const targetingKey of users) {
    expect(other.evaluate("f", { targetingKey }, false)).toEqual(one.evaluate("f", { targetingKey }, false));
  }
});

it("lists of a segment's members match the same users hashed and plain", () => {
  const flag: Partial<FlagDefinition> = { targeting_rules: { user_segments: ["s"] } };
  const [one, other] = [engineOf(flag, { user_ids: listed }), engineOf(flag, { user_ids_hashed: hashed })];
  for (const targetingKey of users) {
    expect(other.evaluate("f", { targetingKey }, false)).toEqual(one.evaluate("f", { targetingKey }, false));
  }
});

it("may combine hashed and plain users, and match no user id that is not a string", () => {
  const targeting_rules = {
    excluded_users: ["ada"],
    excluded_users_hashed: { salt: "s", hashes: [fingerprint("bob", "s")] },
  };
  const engine = engineOf({ rollout_percentage: 100, targeting_rules });
  const valueFor = (targetingKey: unknown) => engine.evaluate("f", { targetingKey } as never, false).value;
  expect(["ada", "bob", "eve", 7, undefined].map(valueFor)).toEqual([false, false, true, true, true]);
});

it.each([
  [{ excluded_users_hashed: { hashes: ["0"] } }],
  [{ excluded_users_hashed: { salt: "s", hashes: [1] } }],
  [{ included_users_hashed: [] }],
])("make the flag serve its default if they are invalid: %j", (targeting_rules) => {
  const definition = { key: "f", enabled: true, rollout_percentage: 100, variants: [], rules: [] };
  expect(lowerFlag({ ...definition, targeting_rules: targeting_rules as TargetingRules }).error).not.toBeNull();
});

import fc from "fast-check";
import type { Context } from "unleash-client";
import { constraint, everyone, rollout } from "./sdk.fixture.ts";

const oneOf = (...values: string[]) => fc.constantFrom(...values);
const COUNTRIES = ["US", "us", "DE", "Deutschland", "true", ""];
const VERSIONS = ["1.2.3", "1.2.4", "1.10.0", "2.0.0-rc.1", "2.0.0", "v2.0.0", "2.0", "none"];
const ADDRESSES = ["10.1.2.3", "10.9.0.1", "192.168.0.1", "2001:db8::1", "::ffff:10.1.2.3", "nowhere"];
/** Contexts of users, some without some fields. */
export const users: fc.Arbitrary<Context> = fc.record(
  {
    userId: oneOf("1", "2", "ada", "bob"),
    sessionId: oneOf("s1", "s2"),
    remoteAddress: oneOf(...ADDRESSES),
    properties: fc.record(
      {
        country: oneOf(...COUNTRIES),
        plan: oneOf("pro", "PRO", "free"),
        age: fc.oneof(fc.integer({ min: -1, max: 60 }), oneOf("18", "18.5", "old")),
        version: oneOf(...VERSIONS),
        address: oneOf(...ADDRESSES),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);
const isInverted = fc.record({ inverted: fc.boolean() });
const listed = (values: string[]) => fc.array(oneOf(...values), { maxLength: 3 });
export const constraints = fc.oneof(
  fc
    .tuple(
      oneOf("country", "plan", "userId", "sessionId"),
      oneOf("IN", "NOT_IN"),
      listed([...COUNTRIES, "pro", "ada", "s1"]),
      isInverted,
    )
    .map(([name, operator, values, more]) => constraint(name, operator, values, more)),
  fc
    .tuple(
      oneOf("country", "plan"),
      oneOf("STR_CONTAINS", "STR_STARTS_WITH", "STR_ENDS_WITH"),
      listed(["U", "s", "pro", "RO", "e"]),
      fc.record({ inverted: fc.boolean(), caseInsensitive: fc.boolean() }),
    )
    .map(([name, operator, values, more]) => constraint(name, operator, values, more)),
  fc
    .tuple(oneOf("NUM_EQ", "NUM_GT", "NUM_GTE", "NUM_LT", "NUM_LTE"), oneOf("18", "18.5", "0", "x"), isInverted)
    .map(([operator, value, more]) => constraint("age", operator, value, more)),
  fc
    .tuple(
      oneOf("SEMVER_EQ", "SEMVER_GT", "SEMVER_LT", "SEMVER_GTE", "SEMVER_LTE"),
      oneOf("1.2.3", "2.0.0", "2.0.0-rc.1"),
      isInverted,
    )
    .map(([operator, value, more]) => constraint("version", operator, value, more)),
  fc
    .tuple(listed(["10.0.0.0/8", "10.1.2.3", "2001:db8::/32", "::/0"]), isInverted)
    .map(([values, more]) => constraint("address", "IN_CIDR", values, more)),
  fc
    .tuple(oneOf("^U", "s$", "^[a-z]+$", "D.*d"), isInverted)
    .map(([value, more]) => constraint("country", "REGEX", value, more)),
);
/** Strategies that draw nothing, so that both engines answer the same. */
export const strategies = fc.oneof(
  fc.array(constraints, { maxLength: 3 }).map((list) => everyone(...list)),
  fc
    .tuple(constraints, oneOf("userId", "sessionId", "country", "random"))
    .map(([one, stickiness]) => rollout(100, { stickiness, constraints: [one] })),
  fc.constant(rollout(0)),
  fc.array(constraints, { maxLength: 1 }).map((list) => ({ name: "default", constraints: list })),
  oneOf("ada", "ada, bob", "1,2", "").map((userIds) => ({ name: "userWithId", parameters: { userIds } })),
  oneOf("10.1.2.3", "10.0.0.0/8, nowhere", "2001:db8::1").map((IPs) => ({
    name: "remoteAddress",
    parameters: { IPs },
  })),
  fc.array(fc.constantFrom(1, 2), { minLength: 1, maxLength: 2 }).map((segments) => ({ ...everyone(), segments })),
);

/**
 * Prints the size of programs beside that of their definitions: `pnpm --filter @assay/core bench:size`. The sets are
 * artificial: their words and numbers repeat about as often as those that people write. They are the same in every run.
 */
import { gzipSync } from "node:zlib";
import { type Condition, type Definitions, type FlagDefinition, fingerprint, toProgram } from "../src/index.ts";

const WORDS = `
  account banner basket beta billing button cart checkout colour contact coupon delivery discount
  editor export feed form gift guest header help home image import invoice label layout list login map
  menu message mobile name new offer order page panel payment photo plan popup price profile promo
  rating receipt review sale search share shop signup sort stock store summary tab theme tour trial
  upload user video view wallet welcome widget wish zoom
`
  .trim()
  .split(/\s+/);

let state = 1;
const random = () => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const often = (share: number) => random() < share;
const some = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + Math.floor(random() * most) }, make);
const name = () => some(3, () => pick(WORDS)).join("-");

const condition = (): Condition =>
  pick<() => Condition>([
    () => ({ attribute: "country", operator: "IN", value: some(5, () => pick(["DE", "FR", "IT", "ES", "US", "GB"])) }),
    () => ({ attribute: "plan", operator: pick(["EQUALS", "NOT_EQUALS"]), value: pick(["free", "pro", "team"]) }),
    () => ({ attribute: "age", operator: "GREATER_THAN_OR_EQUAL", value: Math.floor(random() * 60) }),
    () => ({ attribute: "email", operator: "ENDS_WITH", value: `@${pick(WORDS)}.example` }),
    () => ({ attribute: "path", operator: "MATCHES", value: `^/${pick(WORDS)}/(${pick(WORDS)}|${pick(WORDS)})` }),
    () => ({
      attribute: "app_version",
      operator: "SEMVER_GREATER_THAN_OR_EQUAL",
      value: `${Math.ceil(random() * 9)}.0.0`,
    }),
    () => ({ operator: "IN_SEGMENT", value: pick(["staff", "testers"]) }),
  ])();

function flag(index: number): FlagDefinition {
  const isBoolean = often(0.7);
  const variants = isBoolean ? [] : some(3, name).map((key) => ({ key, weight: 1, value: often(0.5) ? key : name() }));
  const serve = () => ({ rollout_percentage: pick([5, 10, 25, 50, 100]) });
  return {
    key: `${name()}-${index}`,
    enabled: often(0.9),
    rollout_percentage: often(0.5) ? pick([0, 100]) : Math.floor(random() * 100),
    variants,
    rules: often(0.4) ? some(2, () => ({ id: name(), when: { all: some(3, condition) }, serve: serve() })) : [],
    rules_enabled: true,
    value_type: isBoolean ? "BOOLEAN" : "STRING",
    default_value: isBoolean ? false : null,
    targeting_rules: often(0.2) ? { countries: ["DE", "FR"], ...(often(0.5) ? { rollout_percentage: 50 } : {}) } : null,
    prerequisites: [],
    bucket_by: null,
    version: 1 + Math.floor(random() * 20),
  };
}

function definitionsOf(flags: number): Definitions {
  const segment = (id: string, users: number) => ({
    id,
    name: id,
    user_ids_hashed: {
      salt: id,
      hashes: Array.from({ length: users }, (_, user) => fingerprint(`${user}`, id)).sort(),
    },
  });
  return {
    schema_version: 1,
    flags: Array.from({ length: flags }, (_, index) => flag(index)),
    segments: [segment("staff", 20), { id: "testers", name: "testers", when: condition() }],
    groups: [],
    holdout: null,
    experiments: [],
  };
}

const sizesOf = (value: object) => {
  const text = JSON.stringify(value);
  return [text.length, gzipSync(text).length] as const;
};
const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`.padStart(9);

console.log("flags  definitions     gzip    program      gzip   times, gzip");
for (const flags of [10, 100, 1_000]) {
  const definitions = definitionsOf(flags);
  const [whole, wholeZipped] = sizesOf(definitions);
  const [small, smallZipped] = sizesOf(toProgram(definitions));
  const ratio = (smallZipped / wholeZipped).toFixed(2);
  console.log(
    `${String(flags).padStart(5)}   ${[whole, wholeZipped, small, smallZipped].map(kB).join(" ")}          ${ratio}`,
  );
}

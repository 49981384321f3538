import { getClient, PollingMode, User } from "@configcat/sdk";
import type { Contestant } from "../../src/evaluation/contestant.ts";
import { COUNTRIES, EXCLUDED_PLAN, type Flag, MIN_AGE, NONE, VARIANTS } from "../../src/evaluation/scenario.ts";

/** The comparators of the format "config JSON v6". */
const [IS_ONE_OF, GREATER, NOT_EQUALS] = [0, 14, 29];

function toSetting({ kind }: Flag): object {
  if (kind === "half") {
    const options = [true, false].map((b) => ({ p: 50, v: { b }, i: String(b) }));
    return { t: 0, p: options, v: { b: false }, i: "default" };
  }
  const conditions = [
    { u: { a: "Country", c: IS_ONE_OF, l: COUNTRIES } },
    { u: { a: "age", c: GREATER, d: MIN_AGE } },
    { u: { a: "plan", c: NOT_EQUALS, s: EXCLUDED_PLAN } },
  ];
  const options = VARIANTS.map((s) => ({ p: 25, v: { s }, i: s }));
  return { t: 1, r: [{ c: conditions, p: options }], v: { s: NONE }, i: NONE };
}

export const configCat: Contestant = {
  name: "ConfigCat",
  packageName: "@configcat/sdk",
  async load(flags) {
    const settings = Object.fromEntries(flags.map((flag) => [flag.key, toSetting(flag)]));
    const config = JSON.stringify({ p: { u: "https://cdn-global.configcat.com", r: 0, s: "salt" }, f: settings });
    const cached = `${Date.now()}\n"etag"\n${config}`;
    // A client is shared by its key, so each has its own key.
    const key = `benchmarks/${String(++clients).padStart(22, "0")}/${"0".repeat(22)}`.slice(11);
    const client = getClient(key, PollingMode.ManualPoll, {
      offline: true,
      cache: { get: () => cached, set() {} },
      logger: null,
    });
    await client.forceRefreshAsync();
    const snapshot = client.snapshot();
    const values = flags.map(({ key, kind }) => [key, kind === "half" ? false : NONE] as const);
    return {
      toContext: ({ id, country, age, plan }) => new User(id, undefined, country, { age, plan }),
      one: ({ key, kind }) => {
        const otherwise = kind === "half" ? false : NONE;
        return (user: User) => snapshot.getValue(key, otherwise, user);
      },
      // A snapshot has no call for all flags of a user; its asynchronous one goes to the cache first.
      all(user: User) {
        const results: Record<string, unknown> = {};
        for (const [key, otherwise] of values) results[key] = snapshot.getValue(key, otherwise, user);
        return results;
      },
      readAll: (results: Record<string, boolean | string>, { key }) => results[key]!,
      close: () => client.dispose(),
    };
  },
};

let clients = 0;

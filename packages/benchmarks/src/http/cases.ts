import { uuidv7 } from "uuidv7";

/** A request that is sent again and again. */
export interface Ask {
  method: "GET" | "POST";
  /** A path, or one for each request. */
  path: string | (() => string);
  /** A body for each request; absent where there is none. */
  body?: () => object;
}

/** A question that servers are compared by. */
export interface Case extends Ask {
  name: string;
  path: string;
  /** The route of the contract whose schema floors check the body with. */
  route?: string;
  /** Requests of one measurement, so that slow ones take no longer than fast ones. */
  requests: number;
  /** The number of flags of the Unleash server that is asked the same question. */
  unleashFlags?: number;
}

/** A case whose share of the speed of `node:http` was measured before Assay's request path was rewritten. */
export interface RewrittenCase extends Case {
  /** Assay's share on 2026-11-22. The three routes of one flag had 0.10 to 0.13 together; each of them is held to 0.13. */
  firstShare: number;
}

/** The administrator of the measured servers. */
export const ADMIN = { username: "admin", password: "a-password-of-benchmarks" };
export const FLAGS = 100;
export const EXPERIMENT = "checkout-button";
export const FLAG = "flag-1";
export const COUNTRIES = ["DE", "FR", "US"];

const ATTRIBUTES = {
  country: "DE",
  plan: "business",
  age: 34,
  language: "de-DE",
  browser: { name: "firefox", version: "128.0" },
  cart: { items: 3, value: 149.9 },
  beta: true,
  groups: ["staff", "early-access"],
};

let user = 0;
/** Returns the next of 50,000 users. */
export function userId(): string {
  user = (user + 1) % 50_000;
  return `user-${user}`;
}

const event = (experiment_id = EXPERIMENT) => ({
  event_id: uuidv7(),
  event_type: user % 3 ? "visit" : "purchase",
  user_id: userId(),
  experiment_id,
  variant_id: user % 2 ? "treatment" : "control",
  value: user,
  timestamp: new Date().toISOString(),
});

export const EVALUATE: RewrittenCase = {
  name: "evaluate one flag",
  method: "POST",
  path: `/api/v1/feature-flags/${FLAG}/evaluate`,
  body: () => ({ user_id: userId(), attributes: ATTRIBUTES }),
  route: "POST /feature-flags/{key}/evaluate",
  requests: 800,
  unleashFlags: 2,
  firstShare: 0.13,
};
export const OPENFEATURE: RewrittenCase = {
  name: "openfeature/evaluate, one flag",
  method: "POST",
  path: "/api/v1/openfeature/evaluate",
  body: () => ({ flagKey: FLAG, userId: userId(), attributes: ATTRIBUTES }),
  route: "POST /openfeature/evaluate",
  requests: 800,
  firstShare: 0.13,
};
export const OFREP: RewrittenCase = {
  name: "OFREP, one flag",
  method: "POST",
  path: `/ofrep/v1/evaluate/flags/${FLAG}`,
  body: () => ({ context: { targetingKey: userId(), ...ATTRIBUTES } }),
  requests: 800,
  firstShare: 0.13,
};
export const BULK: Case = {
  name: "OFREP, 100 flags",
  method: "POST",
  path: "/ofrep/v1/evaluate/flags",
  body: () => ({ context: { targetingKey: userId(), ...ATTRIBUTES } }),
  requests: 400,
  unleashFlags: FLAGS,
};
export const DEFINITIONS: RewrittenCase = {
  name: "definitions of 100 flags",
  method: "GET",
  path: "/api/v1/openfeature/flags",
  requests: 800,
  firstShare: 0.12,
};
export const RESULTS: RewrittenCase = {
  name: "memoised results",
  method: "GET",
  path: `/api/v1/results/${EXPERIMENT}`,
  requests: 800,
  firstShare: 0.12,
};
export const BATCH: RewrittenCase = {
  name: "100 events",
  method: "POST",
  path: "/api/v1/tracking/events",
  body: () => ({ events: Array.from({ length: 100 }, () => event()) }),
  route: "POST /tracking/events",
  requests: 100,
  firstShare: 0.11,
};
export const EVENT: RewrittenCase = {
  name: "one event",
  method: "POST",
  path: "/api/v1/tracking/track",
  body: () => event(),
  route: "POST /tracking/track",
  requests: 600,
  firstShare: 0.08,
};

/** Returns the key of an experiment of many. */
export function experimentKey(number: number): string {
  return number === 1 ? EXPERIMENT : `${EXPERIMENT}-${number}`;
}

/** Sends 100 events of experiments in turn. */
export function batchOf(experiments: number): Ask {
  let next = 0;
  const body = () => ({
    events: Array.from({ length: 100 }, () => event(experimentKey(1 + (next++ % experiments)))),
  });
  return { method: "POST", path: BATCH.path, body };
}

/** Every case that floors answer. */
export const CASES = [EVALUATE, OPENFEATURE, OFREP, BULK, DEFINITIONS, RESULTS, BATCH, EVENT];

/** Asks Unleash's front-end API for all flags of a user in a country, which is what its SDK for pages does. */
export const UNLEASH: Ask = {
  method: "GET",
  path: () => `/api/frontend?userId=${userId()}&properties%5Bcountry%5D=DE`,
};

import { uuidv7 } from "uuidv7";

/** One question that is asked again and again. */
export interface Case {
  name: string;
  method: "GET" | "POST";
  path: string;
  /** A body for each request; absent where there is none. */
  body?: () => object;
  /** The route of the contract whose schema the floor checks the body with. */
  route?: string;
  /** Requests of one measurement, so that dear ones take no longer than cheap ones. */
  requests: number;
}

export const FLAGS = 100;
export const EXPERIMENT = "checkout-button";
export const FLAG = "flag-1";

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
function userId(): string {
  user = (user + 1) % 50_000;
  return `user-${user}`;
}

const event = () => ({
  event_id: uuidv7(),
  event_type: user % 3 ? "visit" : "purchase",
  user_id: userId(),
  experiment_id: EXPERIMENT,
  variant_id: user % 2 ? "treatment" : "control",
  value: user,
  timestamp: new Date().toISOString(),
});

export const cases: Case[] = [
  {
    name: "evaluate one flag",
    method: "POST",
    path: `/api/v1/feature-flags/${FLAG}/evaluate`,
    body: () => ({ user_id: userId(), attributes: ATTRIBUTES }),
    route: "POST /feature-flags/{key}/evaluate",
    requests: 800,
  },
  {
    name: "OFREP, one flag",
    method: "POST",
    path: `/ofrep/v1/evaluate/flags/${FLAG}`,
    body: () => ({ context: { targetingKey: userId(), ...ATTRIBUTES } }),
    requests: 800,
  },
  {
    name: "OFREP, 100 flags",
    method: "POST",
    path: "/ofrep/v1/evaluate/flags",
    body: () => ({ context: { targetingKey: userId(), ...ATTRIBUTES } }),
    requests: 400,
  },
  { name: "definitions of 100 flags", method: "GET", path: "/api/v1/openfeature/flags", requests: 800 },
  { name: "memoised results", method: "GET", path: `/api/v1/results/${EXPERIMENT}`, requests: 800 },
  {
    name: "100 events",
    method: "POST",
    path: "/api/v1/tracking/events",
    body: () => ({ events: Array.from({ length: 100 }, event) }),
    route: "POST /tracking/events",
    requests: 100,
  },
  {
    name: "one event",
    method: "POST",
    path: "/api/v1/tracking/track",
    body: event,
    route: "POST /tracking/track",
    requests: 600,
  },
];

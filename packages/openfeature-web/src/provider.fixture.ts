import {
  type Client,
  type EvaluationContext,
  type EventDetails,
  OpenFeature,
  type ProviderEvents,
} from "@openfeature/web-sdk";
import type { AssayServer } from "./assay-server.fixture.ts";
import { AssayWebProvider, type AssayWebProviderOptions } from "./index.ts";

// The SDK logs every failure that the tests cause.
OpenFeature.setLogger({ error() {}, warn() {}, info() {}, debug() {} });

export const FLAGS = "/openfeature/flags";
export const BULK = "/ofrep/v1/evaluate/flags";
export const EVENTS = "/tracking/events";

export const ada = { targetingKey: "ada" };
export const bob = { targetingKey: "bob" };

/** A flag that is on for Ada and off for everyone else. */
export const adaOnly = {
  rules: [{ id: "ada", when: { attribute: "user_id", operator: "EQUALS", value: "ada" }, serve: { variant: "on" } }],
  rollout_percentage: 0,
};

export function toProvider(server: AssayServer, options: Partial<AssayWebProviderOptions> = {}): AssayWebProvider {
  return new AssayWebProvider({ apiKey: server.apiKey, baseUrl: server.url, ...options });
}

let domains = 0;

/** Handlers outlive providers, so each test uses a separate domain. */
export function newDomain(): string {
  return `test-${domains++}`;
}

/** A client of the stock SDK on this provider. */
export async function connect(
  provider: AssayWebProvider,
  context: EvaluationContext = ada,
  domain = newDomain(),
): Promise<Client & { domain: string }> {
  await OpenFeature.setProviderAndWait(domain, provider, context);
  return Object.assign(OpenFeature.getClient(domain), { domain });
}

/** Returns the next event of this type. */
export function next(client: Client, event: ProviderEvents): Promise<EventDetails | undefined> {
  return new Promise((resolve) => client.addHandler(event, resolve));
}

/** Returns the methods of a `localStorage` that a provider uses. */
export function memory() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
}

/** A promise that waits until it is released. */
export function hold() {
  let release = () => {};
  const held = new Promise<undefined>((resolve) => {
    release = () => resolve(undefined);
  });
  return { held, release };
}

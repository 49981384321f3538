import type { JsonValue } from "@assay/core";
import { AssayServerProvider, type ReasonMode } from "@assay/openfeature-server";
import { AssayWebProvider } from "@assay/openfeature-web";
import type { BaseHook, EvaluationContext, EvaluationDetails, FlagValue } from "@openfeature/core";
import { OpenFeature as OnServers, ProviderEvents } from "@openfeature/server-sdk";
import { OpenFeature as InBrowsers } from "@openfeature/web-sdk";

export type FlagType = "Boolean" | "String" | "Number" | "Object";
/** A hook that either SDK accepts. */
export type Hook = BaseHook<FlagValue, Record<string, unknown>, void, void>;
export type Details = EvaluationDetails<JsonValue>;

/** The address of a provider's server, and the provider's options. */
export interface Connection {
  apiKey: string;
  baseUrl: string;
  reasons: ReasonMode;
  cacheTtlMs: number;
  timeout?: number;
  streaming?: boolean;
  fetch: (request: Request) => Promise<Response>;
}

/** A provider with the stock SDK that it is for. */
export interface Subject {
  /** The provider's name in its metadata. */
  readonly name: string;
  /** Settles once the SDK has set the provider, also if initialisation failed. */
  readonly started: Promise<unknown>;
  status(): string;
  /** The flags of each PROVIDER_CONFIGURATION_CHANGED so far. */
  readonly changes: string[][];
  /** The names of all events so far, without duplicates. */
  readonly heard: string[];
  track(name: string, userId: string): void;
  evaluate(
    type: FlagType,
    key: string,
    fallback: JsonValue,
    context: EvaluationContext,
    hooks?: Hook[],
  ): Promise<Details>;
  /** Shuts the provider down; the SDK does not know. */
  stop(): Promise<void>;
  /** Initialises the provider again after `stop`; the SDK does not know. */
  startAgain(): Promise<void>;
}

let domains = 0;
const silent = { error() {}, warn() {}, info() {}, debug() {} };
OnServers.setLogger(silent);
InBrowsers.setLogger(silent);

/** All providers; add new ones here. */
export const SUBJECTS: Record<string, (connection: Connection) => Subject> = {
  AssayServerProvider: (connection) => startOnServer(new AssayServerProvider(connection)),
  "AssayWebProvider, local": (connection) => startInBrowser(new AssayWebProvider(toPage(connection))),
  "AssayWebProvider, remote": (connection) =>
    startInBrowser(new AssayWebProvider({ ...toPage(connection), evaluation: "remote" })),
};

/** Returns the options of a provider in a page. The tests run without a page, so persistence is off. */
function toPage(connection: Connection) {
  return { ...connection, storage: { getItem: () => null, setItem() {} } };
}

type Listener = (details?: { flagsChanged?: string[] }) => void;

function listen(client: { addHandler(event: never, listener: Listener): void }): Pick<Subject, "changes" | "heard"> {
  const changes: string[][] = [];
  const heard: string[] = [];
  for (const [name, event] of Object.entries(ProviderEvents)) {
    client.addHandler(event as never, (details) => {
      if (heard.at(-1) !== name) heard.push(name);
      if (details?.flagsChanged) changes.push(details.flagsChanged);
    });
  }
  return { changes, heard };
}

function startOnServer(provider: AssayServerProvider): Subject {
  const domain = `conformance-${domains++}`;
  const started = OnServers.setProviderAndWait(domain, provider);
  started.catch(() => {});
  const client = OnServers.getClient(domain);
  return {
    name: provider.metadata.name,
    started,
    ...listen(client),
    track: (name, targetingKey) => provider.track(name, { targetingKey }),
    status: () => client.providerStatus,
    async evaluate(type, key, fallback, context, hooks = []) {
      const options = { hooks };
      if (type === "Boolean") return client.getBooleanDetails(key, fallback as boolean, context, options);
      if (type === "String") return client.getStringDetails(key, fallback as string, context, options);
      if (type === "Number") return client.getNumberDetails(key, fallback as number, context, options);
      return client.getObjectDetails(key, fallback, context, options);
    },
    stop: () => provider.onClose(),
    startAgain: () => provider.initialize(),
  };
}

function startInBrowser(provider: AssayWebProvider): Subject {
  const domain = `conformance-${domains++}`;
  const started = InBrowsers.setProviderAndWait(domain, provider, {});
  started.catch(() => {});
  const client = InBrowsers.getClient(domain);
  return {
    name: provider.metadata.name,
    started,
    ...listen(client),
    track: (name, targetingKey) => provider.track(name, { targetingKey }),
    status: () => client.providerStatus,
    async evaluate(type, key, fallback, context, hooks = []) {
      if (Object.keys(context).length > 0) await InBrowsers.setContext(domain, { ...context });
      const options = { hooks };
      if (type === "Boolean") return client.getBooleanDetails(key, fallback as boolean, options);
      if (type === "String") return client.getStringDetails(key, fallback as string, options);
      if (type === "Number") return client.getNumberDetails(key, fallback as number, options);
      return client.getObjectDetails(key, fallback, options);
    },
    stop: () => provider.onClose(),
    startAgain: () => provider.initialize({}, domain),
  };
}

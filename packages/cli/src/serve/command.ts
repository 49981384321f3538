import { consoleAssets } from "@assay/console";
import {
  type AccessLogEntry,
  type Assay,
  type AssayOptions,
  createAssay,
  type RateLimitStore,
  SERVER_ROLES,
  type ServerRole,
} from "@assay/server";
import { namespaced } from "@assay/store";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { failure, reasonOf, usageFailure } from "../failure.ts";
import { type Flags, readFlags } from "../flags.ts";
import { type DataSettings, readDataSettings } from "./data-settings.ts";
import { type EventsChoice, openEvents, readEvents } from "./events.ts";
import { firstAdministrator } from "./first-administrator.ts";
import { httpsWarning } from "./https-warning.ts";
import { type IdentitySettings, readIdentitySettings } from "./identity-settings.ts";
import { readLanguageModel } from "./language-model.ts";
import { DEFAULT_BOUNDS, type Listener, listen } from "./listener.ts";
import { limitGarbage } from "./memory.ts";
import { metricsHandler } from "./metrics.ts";
import { type OperationSettings, readOperationSettings } from "./operation-settings.ts";
import { openRateLimitStore, type RateLimitStoreChoice, readRateLimitStore } from "./rate-limit-store.ts";
import { readServeSettings, type ServeSettings } from "./settings.ts";
import { stopSignal } from "./stop-signal.ts";
import { describeStorage, openStore } from "./storage.ts";

const args: ArgsDef = {
  port: { type: "string", description: "Port, 0 for a free one (ASSAY_PORT, default 4400)" },
  host: { type: "string", description: "Address to listen on (ASSAY_HOST, default 127.0.0.1)" },
  data: { type: "string", valueHint: "dir", description: "Directory of the data (ASSAY_DATA, default ./data)" },
  storage: {
    type: "string",
    description:
      "memory, lmdb:DIR, fs:DIR, postgres://… or redis://… (ASSAY_STORAGE, default lmdb in the data directory)",
  },
  events: {
    type: "string",
    description: "clickhouse://…: answers results from ClickHouse (ASSAY_EVENTS, default this process)",
  },
  "rate-limit-store": {
    type: "string",
    description:
      "redis://… or postgres://…: servers count requests together (ASSAY_RATE_LIMIT_STORE, default each alone)",
  },
  namespace: { type: "string", description: "Separates several servers on one storage (ASSAY_NAMESPACE)" },
  environments: {
    type: "string",
    valueHint: "name,…",
    description: "Environments with the same users, the default one first (ASSAY_ENVIRONMENTS, default one)",
  },
  protected: {
    type: "string",
    valueHint: "name,…",
    description: "Environments whose changes another user approves (ASSAY_PROTECTED, default none)",
  },
  roles: {
    type: "string",
    valueHint: "role,…",
    description: "What this server does: api, analysis, jobs (ASSAY_ROLES, default all)",
  },
  "public-url": {
    type: "string",
    valueHint: "url",
    description: "Address of the server as people reach it, for links in messages (ASSAY_PUBLIC_URL, default none)",
  },
  metrics: {
    type: "string",
    valueHint: "[host:]port",
    description: "Serve metrics on their own port (ASSAY_METRICS, default off; host default 127.0.0.1)",
  },
  "access-log": { type: "boolean", description: "Write each request to standard output (ASSAY_ACCESS_LOG=on)" },
};

const METRICS_NAMES = { port: "--metrics", host: "The host of --metrics" };

/** `assay serve`: serves the whole API on one port until it is stopped. */
export const serve: CommandDef = defineCommand({
  meta: { name: "serve", description: "Serve the API" },
  args,
  async run({ rawArgs }) {
    const flags = readFlags(rawArgs, args);
    const settings = readSettings(flags, process.env);
    const { serving, operation } = settings;
    const { metrics } = operation;
    limitGarbage();
    const stopped = stopSignal();
    const listener = await listen(serving.port, serving.host, serving);
    const metricsListener = metrics && (await listen(metrics.port, metrics.host, DEFAULT_BOUNDS, METRICS_NAMES));
    const limits = settings.rateLimitStore && (await openRateLimitStore(settings.rateLimitStore));
    const warning = httpsWarning(serving, process.env);
    if (warning) console.warn(warning);
    const assay = await open(settings, listener, limits?.store);
    if (metricsListener) {
      metricsListener.answerWith(metricsHandler(assay, metrics?.token));
      console.log(`Metrics are at ${metricsListener.url}/metrics`);
    }
    await stopped;
    console.log("Assay is stopping");
    assay.endStreams();
    const cut = await listener.drain(serving.drainSeconds * 1000);
    if (cut > 0) console.warn(`Closed ${cut} ${cut === 1 ? "connection" : "connections"} that did not finish in time`);
    await metricsListener?.drain(0);
    await assay.close();
    await limits?.close();
  },
});

/** All settings of a server. */
interface Settings {
  serving: ServeSettings;
  operation: OperationSettings;
  rateLimitStore: RateLimitStoreChoice | undefined;
  events: EventsChoice | undefined;
  people: IdentitySettings;
  data: DataSettings;
  languageModel: AssayOptions["languageModel"];
}

/** Reads all settings, before the server takes a port or opens anything. @throws {CommandFailure} naming a wrong one */
function readSettings(flags: Flags, environment: NodeJS.ProcessEnv): Settings {
  const serving = readServeSettings(flags, environment);
  const operation = readOperationSettings(flags, environment);
  requireSharedStore(serving, operation.roles);
  return {
    serving,
    operation,
    rateLimitStore: serving.rateLimit ? readRateLimitStore(flags, environment) : undefined,
    events: readEvents(flags, environment),
    people: readIdentitySettings(environment),
    data: readDataSettings(environment, serving.data),
    languageModel: readLanguageModel(environment),
  };
}

/** Opens the storage and the server, and reports them. */
async function open(
  { serving: settings, operation, events, people, data, languageModel }: Settings,
  listener: Listener,
  rateLimitStore: RateLimitStore | undefined,
): Promise<Assay> {
  const { namespace, environments, protected: guarded, roles } = operation;
  const storage = await openStore(settings.storage);
  const { admin, announce } = await firstAdministrator(namespaced(storage, namespace ?? ""), settings);
  const { accessTokenMinutes, requireHttps, trustProxy, corsOrigins, auditKey, overrideSecret, jobs } = settings;
  const cors = corsOrigins.length > 0 ? { origins: corsOrigins } : undefined;
  const audit = auditKey === undefined ? undefined : { key: auditKey };
  const { secretKeys, allowPrivateNetworks } = settings;
  const outbound = { allowPrivateNetworks };
  const overrides = overrideSecret === undefined ? undefined : { secret: overrideSecret };
  const rateLimit = settings.rateLimit ? undefined : false;
  const eventEngine = events && (await openEvents(events));
  const assay = attempt(() =>
    createAssay({
      storage,
      bodyDeadlineMs: settings.requestSeconds * 1000,
      admin,
      accessTokenMinutes,
      rateLimit,
      rateLimitStore,
      requireHttps,
      trustProxy,
      cors,
      audit,
      overrides,
      jobs,
      secretKeys,
      outbound,
      languageModel,
      namespace,
      environments,
      events: eventEngine,
      protected: guarded,
      roles,
      publicUrl: operation.publicUrl,
      console: consoleAssets.size > 0 ? consoleAssets : undefined,
      metrics: operation.metrics !== undefined,
      accessLog: operation.accessLog ? writeEntry : undefined,
      ...people,
      ...data,
    }),
  );
  try {
    await assay.ready;
    await announce(assay);
  } catch (error) {
    throw failure(`Cannot start: ${reasonOf(error)}`, error);
  }
  listener.answerWith(assay.node);
  console.log(
    `Assay is ready at ${listener.url} (data: ${describeStorage(settings.storage)}, API reference: ${listener.url}/docs)`,
  );
  if (environments) console.log(`Environments: ${environments.join(", ")}; the default is ${environments[0]}`);
  if (roles) console.log(`Roles: ${roles.join(", ")}`);
  if (guarded) console.log(`Changes need approval in: ${guarded.join(", ")}`);
  // A checkout that is not built has no console.
  if (consoleAssets.size > 0) console.log(`The console is at ${listener.url}/console/`);
  return assay;
}

/** Other servers, on the same store, do the work of the roles that this one lacks. @throws {CommandFailure} */
function requireSharedStore({ storage }: ServeSettings, roles: readonly ServerRole[] | undefined): void {
  if (!roles || SERVER_ROLES.every((role) => roles.includes(role))) return;
  if (storage.kind !== "memory" && storage.kind !== "fs") return;
  throw usageFailure(
    `--roles needs a store that several servers can share: lmdb, postgres or redis, not ${storage.kind}`,
  );
}

/** Writes one line per request. */
function writeEntry(entry: AccessLogEntry): void {
  process.stdout.write(`${JSON.stringify(entry)}\n`);
}

const NAMES_ITSELF = /^(identity:|The administrator's|The environment )/;

/** Calls a function that validates server options, such as networks and origins; its error names the setting. */
function attempt<T>(create: () => T): T {
  try {
    return create();
  } catch (error) {
    const reason = reasonOf(error);
    if (NAMES_ITSELF.test(reason)) throw usageFailure(reason);
    throw usageFailure(`${variableOf(reason)}: ${reason}`);
  }
}

/** Returns the name of the setting of a rejected option. */
function variableOf(reason: string): string {
  if (reason.startsWith("publicUrl")) return "ASSAY_PUBLIC_URL";
  if (reason.startsWith("cors")) return "ASSAY_CORS_ORIGINS";
  if (reason.startsWith("rateLimitStore")) return "ASSAY_RATE_LIMIT_STORE";
  return reason.startsWith("allowPrivateNetworks") ? "ASSAY_ALLOW_PRIVATE_NETWORKS" : "ASSAY_TRUST_PROXY";
}

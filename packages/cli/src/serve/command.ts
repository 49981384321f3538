import { type Assay, createAssay } from "@assay/server";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { failure, reasonOf, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { readDataSettings } from "./data-settings.ts";
import { firstAdministrator } from "./first-administrator.ts";
import { httpsWarning } from "./https-warning.ts";
import { readIdentitySettings } from "./identity-settings.ts";
import { readLanguageModel } from "./language-model.ts";
import { type Listener, listen } from "./listener.ts";
import { readServeSettings, type ServeSettings } from "./settings.ts";
import { stopSignal } from "./stop-signal.ts";
import { describeStorage, openStore } from "./storage.ts";

const args: ArgsDef = {
  port: { type: "string", description: "Port, 0 for a free one (ASSAY_PORT, default 4400)" },
  host: { type: "string", description: "Address to listen on (ASSAY_HOST, default 127.0.0.1)" },
  data: { type: "string", valueHint: "dir", description: "Directory of the data (ASSAY_DATA, default ./data)" },
  storage: {
    type: "string",
    description: "memory, lmdb:DIR, fs:DIR or postgres://… (ASSAY_STORAGE, default lmdb in the data directory)",
  },
};

/** `assay serve`: serves the whole API on one port until it is stopped. */
export const serve: CommandDef = defineCommand({
  meta: { name: "serve", description: "Serve the API" },
  args,
  async run({ rawArgs }) {
    const settings = readServeSettings(readFlags(rawArgs, args), process.env);
    const stopped = stopSignal();
    const listener = await listen(settings.port, settings.host);
    const warning = httpsWarning(settings, process.env);
    if (warning) console.warn(warning);
    const assay = await open(settings, listener);
    await stopped;
    console.log("Assay is stopping");
    assay.endStreams();
    const cut = await listener.drain(settings.drainSeconds * 1000);
    if (cut > 0) console.warn(`Closed ${cut} ${cut === 1 ? "connection" : "connections"} that did not finish in time`);
    await assay.close();
  },
});

/** Opens the storage and the server, and reports them. */
async function open(settings: ServeSettings, listener: Listener): Promise<Assay> {
  const storage = await openStore(settings.storage);
  const { admin, announce } = await firstAdministrator(storage, settings);
  const { accessTokenMinutes, requireHttps, trustProxy, corsOrigins, auditKey, overrideSecret, jobs } = settings;
  const cors = corsOrigins.length > 0 ? { origins: corsOrigins } : undefined;
  const audit = auditKey === undefined ? undefined : { key: auditKey };
  const { secretKeys, allowPrivateNetworks } = settings;
  const outbound = { allowPrivateNetworks };
  const overrides = overrideSecret === undefined ? undefined : { secret: overrideSecret };
  const rateLimit = settings.rateLimit ? undefined : false;
  const people = readIdentitySettings(process.env);
  const data = readDataSettings(process.env, settings.data);
  const languageModel = readLanguageModel(process.env);
  const assay = attempt(() =>
    createAssay({
      storage,
      admin,
      accessTokenMinutes,
      rateLimit,
      requireHttps,
      trustProxy,
      cors,
      audit,
      overrides,
      jobs,
      secretKeys,
      outbound,
      languageModel,
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
  return assay;
}

const NAMES_ITSELF = /^(identity:|The administrator's)/;

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
  if (reason.startsWith("cors")) return "ASSAY_CORS_ORIGINS";
  return reason.startsWith("allowPrivateNetworks") ? "ASSAY_ALLOW_PRIVATE_NETWORKS" : "ASSAY_TRUST_PROXY";
}

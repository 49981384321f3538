import { createEngine, toProgram } from "@assay/core";
import { AssayServerProvider } from "@assay/openfeature-server";
import { AssayWebProvider } from "@assay/openfeature-web";
import { OpenFeature as ServerApi, type Provider as ServerProvider } from "@openfeature/server-sdk";
import { OpenFeature as WebApi, type Provider as WebProvider } from "@openfeature/web-sdk";
import { defaultOf, toContext, toDefinitions } from "./ours.ts";
import { type Flag, matchingUsers } from "./scenario.ts";

/** Evaluates one flag of a user through an SDK. */
export interface SdkClient {
  name: string;
  evaluate(flag: Flag): (context: ReturnType<typeof toContext>) => unknown;
}

/** The name of the floor. */
export const DEFAULTS = "provider of defaults (floor)";

/**
 * Answers defaults, and nothing else. It is not the SDK's own NOOP_PROVIDER, which is never ready: each evaluation would go
 * through the path of errors, which takes longer.
 */
const answer = <T>(_key: string, value: T) => ({ value, reason: "STATIC" });
const answerLater = <T>(key: string, value: T) => Promise.resolve(answer(key, value));
const metadata = { name: DEFAULTS };
const serverDefaults: ServerProvider = {
  metadata,
  resolveBooleanEvaluation: answerLater,
  resolveStringEvaluation: answerLater,
  resolveNumberEvaluation: answerLater,
  resolveObjectEvaluation: answerLater,
};
const webDefaults: WebProvider = {
  metadata,
  resolveBooleanEvaluation: answer,
  resolveStringEvaluation: answer,
  resolveNumberEvaluation: answer,
  resolveObjectEvaluation: answer,
};

/** Returns clients of OpenFeature's server SDK: with a provider of defaults, and with ours. */
export async function serverClients(flags: readonly Flag[]): Promise<SdkClient[]> {
  const engine = createEngine(toDefinitions(flags));
  const providers = { [DEFAULTS]: serverDefaults, Assay: new AssayServerProvider({ engine }) };
  const clients: SdkClient[] = [];
  for (const [name, provider] of Object.entries(providers)) {
    await ServerApi.setProviderAndWait(name, provider);
    const client = ServerApi.getClient(name);
    requireAnswer(name, await client.getStringDetails(flags[0]!.key, "", toContext(matchingUsers(1)[0]!)));
    clients.push({ name, evaluate: readWith(client) });
  }
  return clients;
}

/** Returns clients of OpenFeature's web SDK, for one user: with a provider of defaults, and with ours. */
export async function webClients(flags: readonly Flag[]): Promise<SdkClient[]> {
  const program = toProgram(toDefinitions(flags));
  const ours = new AssayWebProvider({
    apiKey: "a-key-of-benchmarks",
    bootstrap: program,
    tracking: false,
    fetch: async () => new Response(JSON.stringify(program), { headers: { "content-type": "application/json" } }),
  });
  await WebApi.setContext(toContext(matchingUsers(1)[0]!));
  const clients: SdkClient[] = [];
  for (const [name, provider] of Object.entries({ [DEFAULTS]: webDefaults, Assay: ours })) {
    await WebApi.setProviderAndWait(name, provider);
    const client = WebApi.getClient(name);
    requireAnswer(name, client.getStringDetails(flags[0]!.key, ""));
    clients.push({
      name,
      evaluate: ({ key, kind }) =>
        kind === "half" ? () => client.getBooleanValue(key, false) : () => client.getStringValue(key, "none"),
    });
  }
  return clients;
}

/** @throws Error if a provider is not ready, or does not know the flag */
function requireAnswer(name: string, { errorCode }: { errorCode?: string }): void {
  // Flags are of different types, and here each is asked for a text.
  if (errorCode !== undefined && errorCode !== "TYPE_MISMATCH") throw new Error(`${name} answers ${errorCode}`);
}

/** Ends the providers, which would keep the process alive. */
export async function closeClients(): Promise<void> {
  await Promise.all([ServerApi.close(), WebApi.close()]);
}

function readWith(client: ReturnType<typeof ServerApi.getClient>): SdkClient["evaluate"] {
  return (flag) => {
    const { key } = flag;
    const otherwise = defaultOf(flag);
    if (typeof otherwise === "boolean") return (context) => client.getBooleanValue(key, otherwise, context);
    return (context) => client.getStringValue(key, otherwise, context);
  };
}

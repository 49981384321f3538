import { type AssayError, type Client, createClient, isAssayError } from "@assay/client";
import type { ArgsDef } from "citty";
import { CommandFailure, failure, reasonOf, usageFailure } from "./failure.ts";
import type { Flags } from "./flags.ts";
import { readServer, SERVER_ARGS, type ServerAddress } from "./server-address.ts";
import { askSecret, findTerminal } from "./terminal.ts";

/** The options of commands that call the API. */
export const CONNECTION_ARGS: ArgsDef = {
  ...SERVER_ARGS,
  "api-key": { type: "string", valueHint: "key", description: "API key (ASSAY_API_KEY)" },
  environment: {
    type: "string",
    description: "Environment (ASSAY_ENVIRONMENT, default the one of the key, or the first)",
  },
  username: { type: "string", description: "User (ASSAY_USERNAME), with the password in ASSAY_PASSWORD" },
  json: { type: "boolean", description: "Write JSON" },
};

/** The options of commands that only users may perform. */
export const USER_ARGS: ArgsDef = Object.fromEntries(
  Object.entries(CONNECTION_ARGS).filter(([name]) => name !== "api-key"),
);

/**
 * Calls the API as the caller that the options, the environment or the profile give: by an API key, as a user, or as
 * the one of both that a route takes.
 * @throws {CommandFailure} with the reason
 */
export async function withClient<T>(flags: Flags, work: (client: Client) => Promise<T>): Promise<T> {
  const server = await readServer(flags, process.env);
  const { url, apiKey, username, environment } = server;
  const password = apiKey ? server.password : await passwordOf(server);
  const user = username && password ? { username, password } : {};
  if (!apiKey && !("username" in user)) {
    throw usageFailure(
      "Specify who calls: --api-key (or ASSAY_API_KEY), or --username with the password in ASSAY_PASSWORD (assay init keeps a key in a profile)",
    );
  }
  return attempt(createClient({ baseUrl: url, environment, ...(apiKey ? { apiKey } : {}), ...user }), work);
}

/** Calls the API as a user, for what no API key may. @throws {CommandFailure} with the reason */
export async function withUser<T>(flags: Flags, work: (client: Client) => Promise<T>): Promise<T> {
  const server = await readServer(flags, process.env);
  const { url, username, environment } = server;
  const password = await passwordOf(server);
  if (!username || !password)
    throw usageFailure("Specify the user: --username (or ASSAY_USERNAME), with the password in ASSAY_PASSWORD");
  return attempt(createClient({ baseUrl: url, username, password, environment }), work);
}

/** Returns the password of the user, and asks for it on a terminal; undefined if nobody can answer. */
async function passwordOf({ url, username, password }: ServerAddress): Promise<string | undefined> {
  const terminal = username && !password ? findTerminal() : null;
  return terminal ? askSecret(terminal, `Password of ${username} at ${url}: `) : password;
}

async function attempt<T>(client: Client, work: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await work(client);
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw failure(isAssayError(error) ? describe(error) : reasonOf(error), error);
  }
}

/** Describes an error of the API: a line for each invalid field, or else one line. */
function describe({ detail, issues }: AssayError): string {
  if (issues.length === 0) return detail;
  return issues.map(({ loc, msg }) => `${loc.slice(1).join(".") || loc[0]}: ${msg}`).join("\n");
}

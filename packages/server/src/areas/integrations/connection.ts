import type { Runtime } from "../../ground/runtime.ts";
import { type Answer, type Outbound, OutboundError } from "../../outbound/outbound.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { contextOf, type IntegrationRecord } from "./record.ts";

/** A request to the system of an integration. */
export interface ThirdPartyRequest {
  method: string;
  /** Relative to the address of the integration. */
  path: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** Sends requests with the credentials of integrations, and only to their own systems. */
export interface Connections {
  /**
   * Resolves with any status. Requests an access token from a CRM if there is none, and once more if the CRM rejects
   * the token.
   * @throws OutboundError, SecretUnreadable, CredentialsRefused
   */
  send(integration: IntegrationRecord, request: ThirdPartyRequest): Promise<Answer>;
  /** Sends with a new CRM access token, to test the stored credentials. */
  sendAfresh(integration: IntegrationRecord, request: ThirdPartyRequest): Promise<Answer>;
}

/** The CRM refused to issue an access token. */
export class CredentialsRefused extends Error {
  override readonly name = "CredentialsRefused";
  /** HTTP status of the response. */
  readonly status: number;

  constructor(status: number) {
    super(`The token endpoint answered ${status} without an access token`);
    this.status = status;
  }
}

interface Token {
  /** Version of the integration. Changed credentials need a new token. */
  version: number;
  value: Promise<string>;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const GITHUB = "https://api.github.com";
const DEFAULT_LIFETIME_S = 3600;
const EARLY_MS = 60_000;

/** @param deps.signal aborts every request */
export function createConnections(deps: {
  runtime: Runtime;
  outbound: Outbound;
  secrets: Secrets;
  signal: AbortSignal;
}): Connections {
  const { runtime, outbound, secrets, signal } = deps;
  // Access tokens stay in memory. After a restart, a new one costs one request.
  const tokens = new Map<string, Token>();

  function open(integration: IntegrationRecord, field: keyof IntegrationRecord["secrets"]): string {
    return secrets.open(integration.secrets[field] ?? "", contextOf(integration.id, field));
  }

  async function askForToken(integration: IntegrationRecord, token: Token): Promise<string> {
    const { client_id, token_url, instance_url } = integration.config;
    const url = token_url ?? `${instance_url}/services/oauth2/token`;
    const form = {
      grant_type: "client_credentials",
      client_id: String(client_id),
      client_secret: open(integration, "client_secret"),
    };
    const { status, text } = await outbound.send(String(url), {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      body: new URLSearchParams(form).toString(),
      retries: 2,
      signal,
    });
    const answer = parsed(text) as { access_token?: unknown; expires_in?: unknown } | null;
    const value = answer?.access_token;
    if (status >= 300 || typeof value !== "string" || !/^[\x21-\x7e]{1,4096}$/.test(value)) {
      throw new CredentialsRefused(status);
    }
    const seconds = Number(answer?.expires_in);
    token.expiresAt = runtime.now() + (seconds > 0 ? seconds : DEFAULT_LIFETIME_S) * 1000 - EARLY_MS;
    return value;
  }

  /** Requests one token at a time; concurrent callers share it. @param refused a rejected token */
  function tokenOf(integration: IntegrationRecord, refused?: Promise<string>): Promise<string> {
    const { id, version } = integration;
    const cached = tokens.get(id);
    if (cached && cached.version === version && cached.value !== refused && runtime.now() < cached.expiresAt) {
      return cached.value;
    }
    const token: Token = { version, value: Promise.resolve(""), expiresAt: Number.POSITIVE_INFINITY };
    const isSupplied = !cached && refused === undefined && integration.secrets.access_token;
    token.value = isSupplied ? (async () => open(integration, "access_token"))() : askForToken(integration, token);
    tokens.set(id, token);
    token.value.catch(() => {
      if (tokens.get(id) === token) tokens.delete(id);
    });
    return token.value;
  }

  function transmit(base: unknown, authorization: string, { method, path, body }: ThirdPartyRequest): Promise<Answer> {
    return outbound.send(`${base}${path}`, {
      method,
      signal,
      headers: {
        authorization,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function sendToCrm(integration: IntegrationRecord, request: ThirdPartyRequest, token: Promise<string>) {
    return transmit(integration.config.instance_url, `Bearer ${await token}`, request);
  }

  const connections: Connections = {
    async send(integration, request) {
      const { config } = integration;
      switch (integration.integration_type) {
        case "TRACKER": {
          const pair = `${config.username}:${open(integration, "api_token")}`;
          return transmit(config.base_url, `Basic ${Buffer.from(pair).toString("base64")}`, request);
        }
        case "CODEHOST":
          return transmit(config.base_url ?? GITHUB, `Bearer ${open(integration, "token")}`, request);
        case "CRM": {
          const token = tokenOf(integration);
          const answer = await sendToCrm(integration, request, token);
          return answer.status === 401 ? sendToCrm(integration, request, tokenOf(integration, token)) : answer;
        }
      }
    },
    sendAfresh(integration, request) {
      if (integration.integration_type !== "CRM") return connections.send(integration, request);
      return sendToCrm(integration, request, tokenOf(integration, tokens.get(integration.id)?.value ?? NONE));
    },
  };
  return connections;
}

/** The token of integrations without one. */
const NONE = Promise.resolve("");

/** Why a third party was unreachable, without secrets. */
export function reasonOf(error: unknown): string {
  if (error instanceof OutboundError) return `${error.reason}: ${error.message}`;
  if (error instanceof CredentialsRefused) return error.message;
  if (error instanceof Error && error.name === "SecretUnreadable") {
    return "The stored credentials cannot be decrypted with the keys of this server; send them again";
  }
  return "Unexpected error";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

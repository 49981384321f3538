import { errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import type {
  AuthorizationCodeGrantChecks,
  Configuration,
  ResponseBodyError,
  TokenEndpointResponse,
  TokenEndpointResponseHelpers,
} from "openid-client";
import { ApiError, unauthorized } from "../../../ground/errors.ts";
import type { Runtime } from "../../../ground/runtime.ts";
import { createKeySet } from "./key-set.ts";
import { isLoopback, type OidcOptions } from "./options.ts";

/** The fields of a token response that Assay uses. */
export type TokenAnswer = TokenEndpointResponse & TokenEndpointResponseHelpers;

/** The library, which is loaded with the first request of a server that has a provider, and the provider as discovered. */
interface Discovered {
  client: typeof import("openid-client");
  config: Configuration;
}

/** Claims of a verified token, with its subject. */
export type Claims = JWTPayload & { sub: string };

/** Client of the provider. Every call rejects with 503 while the provider is unreachable. */
export interface Provider {
  readonly issuer: string;
  /** Whether the token endpoint supports this grant. If undeclared, assumes `refresh_token` only. */
  offers(grant: "password" | "refresh_token"): Promise<boolean>;
  exchangePassword(username: string, password: string): Promise<TokenAnswer>;
  exchangeRefreshToken(refreshToken: string): Promise<TokenAnswer>;
  exchangeCode(callback: URL, checks: AuthorizationCodeGrantChecks): Promise<TokenAnswer>;
  authorizationUrl(parameters: Record<string, string>): Promise<URL>;
  /** The token of a response that the API accepts: the access token for our audience, or the ID token. */
  bearerOf(answer: TokenAnswer): string | undefined;
  /** @throws ApiError 401 for a token of another issuer or audience, expired or incomplete */
  verify(token: string): Promise<Claims>;
}

const ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"];
const SCOPE = "openid profile email offline_access";
const TIMEOUT_SECONDS = 5;
const CLOCK_TOLERANCE_SECONDS = 5;
/** Rejects other types: a logout token is signed with the same keys but does not prove a session. */
const TYPES = new Set([undefined, "jwt", "at+jwt", "application/at+jwt"]);

export function createProvider(options: OidcOptions, runtime: Runtime): Provider {
  const { issuer, clientId, clientSecret, audience, algorithms = ALGORITHMS, scope = SCOPE } = options;
  const resource: Record<string, string> = audience === undefined ? {} : { resource: audience };
  let discovered: Promise<Discovered> | undefined;

  /** Runs on the first request, so that the server starts while the provider is down. Retried after a failure. */
  function discover(): Promise<Discovered> {
    discovered ??= find().catch((error: unknown) => {
      discovered = undefined;
      throw error;
    });
    return discovered;
  }

  async function find(): Promise<Discovered> {
    const client = await import("openid-client");
    const authentication = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret);
    const settings = { execute: isLoopback(issuer) ? [client.allowInsecureRequests] : [], timeout: TIMEOUT_SECONDS };
    try {
      const config = await client.discovery(new URL(issuer), clientId, undefined, authentication, settings);
      return { client, config };
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  async function fetchKeys(): Promise<JSONWebKeySet> {
    const { jwks_uri } = (await discover()).config.serverMetadata();
    try {
      if (!jwks_uri) throw new Error("The provider publishes no keys");
      if (new URL(jwks_uri).protocol !== "https:" && !isLoopback(issuer))
        throw new Error("The keys must be served over https");
      const response = await fetch(jwks_uri, {
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_SECONDS * 1000),
        headers: { accept: "application/json" },
      });
      if (!response.ok) throw new Error(`The provider responded with status ${response.status} for its keys`);
      return (await response.json()) as JSONWebKeySet;
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  /** Passes refusals of the provider on. Any other error means that it is unreachable. */
  function toUnavailable(error: unknown): unknown {
    if (isResponse(error) || error instanceof ApiError) return error;
    runtime.logger.error("The identity provider cannot be reached", { issuer, error: String(error) });
    return new ApiError(503, "The identity provider cannot be reached; try again shortly", { "Retry-After": "5" });
  }

  async function ask<T>(question: (discovered: Discovered) => Promise<T>): Promise<T> {
    const provider = await discover();
    try {
      return await question(provider);
    } catch (error) {
      throw toUnavailable(error);
    }
  }

  const keySet = createKeySet(fetchKeys, runtime);

  return {
    issuer,
    async offers(grant) {
      const { grant_types_supported } = (await discover()).config.serverMetadata();
      return grant_types_supported === undefined ? grant !== "password" : grant_types_supported.includes(grant);
    },
    exchangePassword: (username, password) =>
      ask(({ client, config }) =>
        client.genericGrantRequest(config, "password", { username, password, scope, ...resource }),
      ),
    exchangeRefreshToken: (refreshToken) =>
      ask(({ client, config }) => client.refreshTokenGrant(config, refreshToken, { ...resource })),
    async exchangeCode(callback, checks) {
      const { client, config } = await discover();
      return client.authorizationCodeGrant(config, callback, checks, resource);
    },
    async authorizationUrl(parameters) {
      const { client, config } = await discover();
      return client.buildAuthorizationUrl(config, {
        scope,
        ...resource,
        // Providers issue refresh tokens only with the consent of the user.
        ...(scope.includes("offline_access") ? { prompt: "consent" } : {}),
        ...parameters,
      });
    },
    bearerOf: (answer) => (audience === undefined ? answer.id_token : answer.access_token),
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keySet, {
          algorithms,
          issuer,
          audience: audience ?? clientId,
          requiredClaims: ["exp", "sub"],
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          currentDate: new Date(runtime.now()),
        });
        const isOurs = audience !== undefined || payload.azp === undefined || payload.azp === clientId;
        if (!TYPES.has(protectedHeader.typ?.toLowerCase()) || !isOurs || !payload.sub) throw new errors.JWTInvalid();
        return { ...payload, sub: payload.sub };
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
        throw unauthorized(error instanceof errors.JWTExpired ? "Token has expired" : "Could not validate credentials");
      }
    },
  };
}

/** Whether an error is a response of the provider, as opposed to a failure to get one. */
function isResponse(error: unknown): error is ResponseBodyError {
  return error instanceof Error && "code" in error && error.code === "OAUTH_RESPONSE_BODY_ERROR";
}

/** Whether the provider refused the credentials, as opposed to our request. */
export function isRefusal(error: unknown): boolean {
  return isResponse(error) && error.error === "invalid_grant";
}

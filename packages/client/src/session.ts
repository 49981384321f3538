import type { AssayError } from "./error.ts";
import type { Tokens } from "./openapi.generated.ts";

/** Issued tokens, for `onTokens` to store. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
}

export interface SessionOptions {
  /** Name or e-mail; the client signs in on first use, and again when its tokens have expired. */
  username?: string;
  password?: string;
  /** The initial bearer token. */
  accessToken?: string;
  /** Renews the access token once it is rejected. */
  refreshToken?: string;
  /** Called with every new pair of tokens before the request that needed them continues. */
  onTokens?: (tokens: IssuedTokens) => void | Promise<void>;
}

/**
 * Returns a client's bearer token: the current one, or a new one if there is none or only the rejected one; undefined
 * if none is available.
 */
export type Session = (rejected?: string) => Promise<string | undefined>;

/** Creates a session; `issue` asks the server for tokens. */
export function createSession(
  { username, password, accessToken, refreshToken, onTokens }: SessionOptions,
  issue: (route: "POST /auth/login" | "POST /auth/refresh", body: object) => Promise<Tokens>,
): Session {
  let inFlight: Promise<string | undefined> | undefined;

  async function ask(): Promise<string | undefined> {
    let tokens: Tokens | undefined;
    if (refreshToken) {
      try {
        tokens = await issue("POST /auth/refresh", { refresh_token: refreshToken });
      } catch (error) {
        if (![400, 401, 422].includes((error as AssayError).status)) throw error;
        refreshToken = undefined;
      }
    }
    if (!tokens && username && password) tokens = await issue("POST /auth/login", { username, password });
    if (!tokens) return undefined;
    accessToken = tokens.access_token;
    refreshToken = tokens.refresh_token;
    await onTokens?.({ accessToken, refreshToken, expiresIn: tokens.expires_in });
    return accessToken;
  }

  return async (rejected) => {
    if (accessToken !== rejected) return accessToken;
    // One exchange at a time: a refresh token is used up by its first use, so a second one would end the session.
    inFlight ??= ask().finally(() => {
      inFlight = undefined;
    });
    return inFlight;
  };
}

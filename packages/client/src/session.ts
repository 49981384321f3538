import type { AssayError } from "./error.ts";
import type { Tokens } from "./openapi.generated.ts";

/** The tokens that `onTokens` receives. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  /** Lifetime of the access token in seconds. */
  expiresIn: number;
}

export interface SessionOptions {
  /** Username or e-mail. The client signs in before the first request, and again when its tokens expire. */
  username?: string;
  password?: string;
  /** The bearer token to begin with. */
  accessToken?: string;
  /** Refresh token, which the client exchanges for new tokens when the server rejects the access token. */
  refreshToken?: string;
  /** Receives each new pair of tokens before the request that needed them continues. */
  onTokens?: (tokens: IssuedTokens) => void | Promise<void>;
}

/**
 * Returns the bearer token: the current one, or a new one if there is none or only the rejected one. Undefined if there
 * is none.
 */
export type Session = (rejected?: string) => Promise<string | undefined>;

/** Creates a session. `issue` requests tokens from the server. */
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
    refreshToken = tokens.refresh_token!;
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

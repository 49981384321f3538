import { AssayError, type Client, createClient, type IssuedTokens } from "@assay/client";
import { useSyncExternalStore } from "react";
import { SERVER_URL } from "./base.ts";
import { ENVIRONMENT } from "./environment.ts";
import { withProposals } from "./protection.ts";

/** `unknown` until the first attempt to continue a session ends; `expired` if a page was open when it ended. */
export type SessionState = "unknown" | "signed-out" | "signed-in" | "expired";

type Fetch = (request: Request) => Promise<Response>;

/** Asks the server to keep the refresh token in a cookie that scripts cannot read. */
const SESSION_HEADER = { "x-assay-session": "cookie" };
/** Whether a reload should try to continue a session. Holds no secret. */
const REMEMBERED = "assay.signed-in";

let state: SessionState = localStorage.getItem(REMEMBERED) ? "unknown" : "signed-out";
/** Tokens live in memory only. `refreshToken` is empty if a cookie holds it. */
let accessToken = "";
let refreshToken = "";
let renewal: Promise<boolean> | undefined;
const listeners = new Set<() => void>();
/** Requests that wait until the user has signed in again. */
const waiting: (() => void)[] = [];

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Exchanges credentials for tokens. */
const tokens = createClient({ baseUrl: SERVER_URL.href, headers: SESSION_HEADER, retries: 0 });

function accept({ accessToken: access, refreshToken: refresh }: Pick<IssuedTokens, "accessToken" | "refreshToken">) {
  accessToken = access;
  refreshToken = refresh;
  localStorage.setItem(REMEMBERED, "1");
  become("signed-in");
  for (const proceed of waiting.splice(0)) proceed();
}

/** @throws AssayError 401 for wrong credentials, 429 */
export async function signIn(username: string, password: string): Promise<void> {
  const issued = await tokens.request("POST /auth/login", { body: { username, password } });
  accept({ accessToken: issued.access_token, refreshToken: issued.refresh_token ?? "" });
}

export async function signOut(): Promise<void> {
  // A page that loads from now on must not continue the session, and this one may be left before the answer arrives.
  localStorage.removeItem(REMEMBERED);
  // The session ends here also if the server cannot be reached.
  await api.request("POST /auth/logout", { headers: SESSION_HEADER }).catch(() => {});
  accessToken = refreshToken = "";
  become("signed-out");
}

/** Gets a new access token, once for all requests that need one. Resolves with whether there is one. */
function renew(): Promise<boolean> {
  renewal ??= inTurn(exchange).finally(() => {
    renewal = undefined;
  });
  return renewal;
}

/**
 * Waits for the exchanges of other tabs. They share the cookie, and the server ends a session whose token is sent twice.
 * Browsers have locks on HTTPS and on localhost only.
 */
function inTurn(exchanges: () => Promise<boolean>): Promise<boolean> {
  return navigator.locks ? navigator.locks.request("assay.session", exchanges) : exchanges();
}

async function exchange(): Promise<boolean> {
  const body = refreshToken ? { refresh_token: refreshToken } : undefined;
  try {
    const issued = await tokens.request("POST /auth/refresh", { body });
    accept({ accessToken: issued.access_token, refreshToken: issued.refresh_token ?? "" });
    return true;
  } catch (error) {
    // Only a refusal of the token ends a session; otherwise, the request that needed the token reports the error.
    if (error instanceof AssayError && isRefusal(error.status)) return false;
    throw error;
  }
}

/** Whether a status says that the token is not accepted, and not that the server is busy or cannot be reached. */
const isRefusal = (status: number) => status >= 400 && status < 500 && status !== 429;

/** Continues the session of an earlier visit, if there is one. */
export async function resume(): Promise<void> {
  if (state !== "unknown") return;
  try {
    if (await renew()) return;
    localStorage.removeItem(REMEMBERED);
  } catch {
    // The next visit tries again.
  }
  become("signed-out");
}

/** Sends a request with the access token. If the session has ended, waits for the user to sign in and sends it again. */
const authorized: Fetch = async (request) => {
  const send = () => {
    const copy = request.clone();
    copy.headers.set("authorization", `Bearer ${accessToken}`);
    return fetch(copy);
  };
  const used = accessToken;
  const response = await send();
  if (response.status !== 401 || state === "signed-out") return response;
  if (accessToken === used && !(await renew())) {
    const signedIn = new Promise<void>((resolve) => waiting.push(resolve));
    become("expired");
    await signedIn;
  }
  return send();
};

const options = { baseUrl: SERVER_URL.href, fetch: authorized, retries: 0, timeout: 0 };

/** Calls the API in the environment of this page. Changes of a protected one become proposals. */
export const api: Client = withProposals(createClient({ ...options, environment: ENVIRONMENT }));

/** Calls the API in the default environment, which exists even if the address of the page names a missing one. */
export const server: Client = createClient(options);

/**
 * Calls the API in any environment. Unlike `api`, it changes protected environments as little as anyone else, and waits out the
 * limits of the server, because it reads many documents one by one.
 */
export const apiOf = (environment: string): Client =>
  createClient({ baseUrl: SERVER_URL.href, fetch: authorized, environment });

/** Opens a stream of the API, such as the audit stream, in the environment of this page. */
export const openStream: Fetch = (request) => {
  if (ENVIRONMENT !== undefined) request.headers.set("x-assay-environment", ENVIRONMENT);
  return authorized(request);
};

import type { Tokens } from "@assay/contract";
import { parse, serialize } from "cookie-es";
import { badRequest, forbidden, invalid, isApiError, unauthorized } from "../../ground/errors.ts";
import type { ValidatedCall } from "../../http/handler.ts";
import { REFRESH_LIFETIME_MS } from "./refresh-token.ts";

type Session = Pick<ValidatedCall<unknown, unknown, unknown>, "request" | "headers" | "isSecure">;

/** Pages of other origins cannot send this header without a CORS preflight, which these routes do not answer. */
const HEADER = "x-assay-session";

/**
 * Whether a request asks to keep its refresh token in a cookie.
 * @throws ApiError 400 for an unknown value, 403 if the request does not come from a page of the same origin
 */
function wantsCookie(request: Request): boolean {
  const asked = request.headers.get(HEADER);
  if (asked === null) return false;
  if (asked !== "cookie") throw badRequest("X-Assay-Session must be cookie");
  if (!isSameOrigin(request)) throw forbidden("a page of the same origin", "X-Assay-Session");
  return true;
}

/** Browsers send `Sec-Fetch-Site` over TLS and to localhost, otherwise only `Origin`. Pages can set neither. */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const origin = request.headers.get("origin");
  // A proxy may have ended TLS, so the schemes may differ.
  return origin !== null && URL.canParse(origin) && new URL(origin).host === new URL(request.url).host;
}

/** Answers the tokens of a sign-in. With `X-Assay-Session: cookie`, the refresh token is in a cookie instead. */
export async function signIn(call: Session, login: () => Promise<Tokens>): Promise<Tokens> {
  return wantsCookie(call.request) ? keep(call, await login()) : login();
}

/**
 * Exchanges the refresh token of the body, or that of the cookie.
 * @throws ApiError 400 for both, 401 without a valid cookie, which is then removed, 403, 422 without either
 */
export async function renew(
  call: Session,
  given: string | undefined,
  refresh: (refreshToken: string) => Promise<Tokens>,
): Promise<Tokens> {
  if (!wantsCookie(call.request)) {
    if (given === undefined) throw invalid(["body", "refresh_token"], "Field required", "missing");
    return refresh(given);
  }
  if (given !== undefined) throw badRequest("Send either refresh_token or X-Assay-Session");
  const token = parse(call.request.headers.get("cookie") ?? "")[nameFor(call)];
  if (!token) throw unauthorized("Not authenticated");
  try {
    return keep(call, await refresh(token));
  } catch (error) {
    if (isApiError(error) && error.status === 401) forget(call);
    throw error;
  }
}

/** Removes the cookie. */
export function forget(call: Session): void {
  call.headers["Set-Cookie"] = serialize(nameFor(call), "", { ...attributesFor(call), maxAge: 0 });
}

function keep(call: Session, { refresh_token, ...tokens }: Tokens): Tokens {
  const options = { ...attributesFor(call), maxAge: REFRESH_LIFETIME_MS / 1000 };
  call.headers["Set-Cookie"] = serialize(nameFor(call), refresh_token ?? "", options);
  return tokens;
}

function nameFor({ isSecure }: Session): string {
  return isSecure() ? "__Secure-assay-session" : "assay-session";
}

function attributesFor({ request, isSecure }: Session) {
  // Only the routes of sign-in get the cookie: `/api/v1/auth`, below the base path.
  const path = new URL(request.url).pathname.replace(/\/[^/]*$/, "");
  return { path, httpOnly: true, sameSite: "strict" as const, secure: isSecure() };
}

import { type CookieSerializeOptions, parse, serialize } from "cookie-es";
import type { H3 } from "h3-v2";
import { badRequest, isApiError, unauthorized } from "../../../ground/errors.ts";
import type { Runtime } from "../../../ground/runtime.ts";
import { standardHeaders, toErrorResponse } from "../../../http/boundary.ts";
import { requestIdOf } from "../../../http/enter.ts";
import type { Actor } from "../../../storage/change.ts";
import type { ExternalAuthService } from "./auth.ts";
import type { Provider } from "./provider.ts";

interface SignInDeps {
  provider: Provider;
  auth: ExternalAuthService;
  runtime: Runtime;
  /** The public URL of `/oidc/callback`. */
  redirectUri: string;
  actorOf: (request: Request) => Actor;
}

/** State in the cookie between redirect and callback. */
interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
  return_to: string | null;
}

const LIFETIME_SECONDS = 600;
/** A path on this server. Rejects `//elsewhere` and anything browsers treat the same way. */
const OWN_PATH = /^\/(?![/\\])[^\\\s]*$/;

/**
 * `GET /oidc/login` redirects to the provider, with PKCE. `GET /oidc/callback` responds with the same JSON as
 * `/auth/login`. If `/oidc/login?return_to=/path` requested it, it redirects to that path with the tokens in the
 * fragment, which browsers do not send to servers.
 */
export function mountSignIn(app: H3, base: string, deps: SignInDeps): void {
  const { provider, auth, runtime, redirectUri, actorOf } = deps;
  const isSecure = new URL(redirectUri).protocol === "https:";
  const cookie = isSecure ? "__Host-assay-oidc" : "assay-oidc";
  const attributes: CookieSerializeOptions = { path: "/", httpOnly: true, sameSite: "lax", secure: isSecure };
  const forget = serialize(cookie, "", { ...attributes, maxAge: 0 });

  async function leave(request: Request): Promise<Response> {
    const return_to = new URL(request.url).searchParams.get("return_to");
    if (return_to !== null && !OWN_PATH.test(return_to)) throw badRequest("return_to must be a path of this server");
    const { calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } = await import(
      "openid-client"
    );
    const attempt: Attempt = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
      return_to,
    };
    const url = await provider.authorizationUrl({
      redirect_uri: redirectUri,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: "S256",
    });
    const value = Buffer.from(JSON.stringify(attempt)).toString("base64url");
    return redirect(url.href, serialize(cookie, value, { ...attributes, maxAge: LIFETIME_SECONDS }));
  }

  async function comeBack(request: Request): Promise<Response> {
    const attempt = readAttempt(request, cookie);
    const callback = new URL(redirectUri);
    callback.search = new URL(request.url).search;
    const answer = await provider
      .exchangeCode(callback, {
        pkceCodeVerifier: attempt.verifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        if (isApiError(error)) throw error;
        runtime.logger.warn("A sign-in at the identity provider failed", { error: String(error) });
        throw unauthorized("Could not validate credentials");
      });
    const tokens = await auth.accept(answer, actorOf(request));
    if (attempt.return_to !== null) {
      const fragment = new URLSearchParams(Object.entries(tokens).map(([name, value]) => [name, String(value)]));
      return redirect(`${attempt.return_to}#${fragment}`, forget);
    }
    return new Response(JSON.stringify(tokens), {
      headers: { ...PRIVATE, "Content-Type": "application/json; charset=utf-8", "Set-Cookie": forget },
    });
  }

  const answering =
    (handle: (request: Request) => Promise<Response>) =>
    async ({ req }: { req: Request }) => {
      const id = requestIdOf(req, runtime);
      try {
        const response = await handle(req);
        response.headers.set("X-Request-Id", id);
        return response;
      } catch (error) {
        return toErrorResponse(error, standardHeaders(id), runtime.logger);
      }
    };
  app.get(`${base}/oidc/login`, answering(leave));
  app.get(`${base}/oidc/callback`, answering(comeBack));
}

const PRIVATE = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff" };

function redirect(location: string, cookie: string): Response {
  return new Response(null, { status: 302, headers: { ...PRIVATE, Location: location, "Set-Cookie": cookie } });
}

/** @throws ApiError 400 if this browser has not started to sign in, or too long ago */
function readAttempt(request: Request, cookie: string): Attempt {
  const value = parse(request.headers.get("cookie") ?? "")[cookie] ?? "";
  try {
    const attempt = JSON.parse(Buffer.from(value, "base64url").toString()) as Attempt;
    if (typeof attempt.state === "string" && typeof attempt.verifier === "string") {
      const { return_to } = attempt;
      return { ...attempt, return_to: typeof return_to === "string" && OWN_PATH.test(return_to) ? return_to : null };
    }
  } catch {}
  throw badRequest("The sign-in has expired; start again at /oidc/login");
}

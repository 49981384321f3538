import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import Provider, { type ClientMetadata, type Configuration, errors } from "oidc-provider";

export const AUDIENCE = "https://assay.test/api";
export const CLIENT_ID = "assay";
export const CLIENT_SECRET = "a-secret-between-the-two-of-us";
export const REDIRECT_URI = "http://127.0.0.1:4400/oidc/callback";
export const PEOPLE_PASSWORD = "their-password-there";

export interface Person {
  email?: string;
  name?: string;
  given_name?: string;
  family_name?: string;
  preferred_username?: string;
  groups?: string[];
}

export interface ProviderOptions {
  people: Record<string, Person>;
  /** Accepts passwords at the token endpoint, as some providers do. */
  passwordGrant?: boolean;
  /** Lifetime of access tokens in seconds. */
  lifetime?: number;
}

/** Creates a signing key, of the provider or of an attacker. */
export async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid, use: "sig", alg: "RS256" };
  return { kid, jwk, privateKey, publicKey };
}

/** Starts a real OpenID Connect provider on a free loopback port. */
export async function startProvider(options: ProviderOptions) {
  let key = await makeKey("first");
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function forge(payload: JWTPayload, header: Record<string, unknown> = {}, signWith = key): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: AUDIENCE, sub: "ada", iat: now, exp: now + 300, ...payload };
    return new SignJWT(JSON.parse(JSON.stringify(claims)))
      .setProtectedHeader({ alg: "RS256", kid: signWith.kid, ...header })
      .sign(signWith.privateKey);
  }

  function serve(keys: JWK[]): void {
    const provider = new Provider(issuer, configuration(options, keys));
    if (options.passwordGrant) offerPasswords(provider, options, forge);
    server.removeAllListeners("request");
    server.on("request", provider.callback());
  }
  serve([key.jwk]);

  return {
    issuer,
    key: () => key,
    /** Signs with a new key from now on and publishes only that one. Also ends all sessions at the provider. */
    async rotate(kid: string) {
      key = await makeKey(kid);
      serve([key.jwk]);
    },
    /** Signs a token like those of the provider, with the given changes. */
    forge,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

function configuration({ people, passwordGrant, lifetime = 600 }: ProviderOptions, keys: JWK[]): Configuration {
  const client: ClientMetadata = {
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
    redirect_uris: [REDIRECT_URI],
    grant_types: ["authorization_code", "refresh_token", ...(passwordGrant ? ["password"] : [])],
    response_types: ["code"],
  };
  return {
    clients: [client],
    jwks: { keys: keys as never },
    cookies: { keys: ["only for tests"] },
    pkce: { required: () => true },
    scopes: ["openid", "profile", "email", "offline_access"],
    claims: {
      openid: ["sub", "groups"],
      email: ["email"],
      profile: ["name", "given_name", "family_name", "preferred_username"],
    },
    conformIdTokenClaims: false,
    ttl: { AccessToken: lifetime, IdToken: lifetime, Session: 600, Grant: 600, Interaction: 600, RefreshToken: 3600 },
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    async findAccount(_context, id) {
      const person = Object.hasOwn(people, id) ? people[id] : undefined;
      return person && { accountId: id, claims: async () => ({ sub: id, ...person }) };
    },
    extraTokenClaims: async (_context, token) =>
      "accountId" in token ? { groups: people[token.accountId!]?.groups } : {},
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "openid profile email offline_access",
          audience: AUDIENCE,
          accessTokenFormat: "jwt",
          accessTokenTTL: lifetime,
        }),
      },
    },
  };
}

/** oidc-provider does not implement the password grant. Other providers respond like this. */
function offerPasswords(
  provider: Provider,
  { people }: ProviderOptions,
  makeToken: (payload: JWTPayload) => Promise<string>,
): void {
  provider.registerGrantType(
    "password",
    async (context) => {
      const { username = "", password } = context.oidc.params as Record<string, string>;
      if (!Object.hasOwn(people, username) || password !== PEOPLE_PASSWORD) throw new errors.InvalidGrant("wrong");
      const { groups = [], ...profile } = people[username]!;
      context.body = {
        access_token: await makeToken({ sub: username, groups }),
        id_token: await makeToken({ sub: username, aud: CLIENT_ID, ...profile }),
        token_type: "Bearer",
        expires_in: 300,
      };
    },
    ["username", "password", "resource", "scope"],
    [],
  );
}

/** Creates a minimal browser for sign-in. It keeps cookies and follows redirects until they leave the provider. */
export function createBrowser() {
  const jar = new Map<string, Map<string, string>>();
  const cookiesOf = (url: URL) => jar.get(url.origin) ?? new Map<string, string>();

  async function send(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookiesOf(url)].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, redirect: "manual", headers: { ...init.headers, cookie } });
    const cookies = cookiesOf(url);
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    jar.set(url.origin, cookies);
    return response;
  }

  return {
    /**
     * Signs in and consents on the pages of the provider. Returns the URL to which the provider redirects the browser.
     */
    async signIn(start: string, login: string): Promise<URL> {
      let url = new URL(start);
      let response = await send(url);
      for (let steps = 0; steps < 20; steps++) {
        const location = response.headers.get("location");
        if (location !== null) {
          url = new URL(location, url);
          if (url.href.startsWith(REDIRECT_URI)) return url;
          response = await send(url);
          continue;
        }
        const page = await response.text();
        const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
        if (!action || !prompt) throw new Error(`No form on ${url}: ${response.status} ${page.slice(0, 500)}`);
        url = new URL(action, url);
        const body = new URLSearchParams({ prompt, ...(prompt === "login" ? { login, password: "any" } : {}) });
        response = await send(url, { method: "POST", body });
      }
      throw new Error("The provider keeps sending the browser around");
    },
  };
}

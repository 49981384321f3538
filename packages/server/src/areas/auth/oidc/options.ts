import type { Role } from "@assay/contract";

/** An OpenID Connect provider that manages users and sign-in instead of Assay. */
export interface OidcOptions {
  /** As in the discovery document, for example `https://id.example.org/realms/main`. */
  issuer: string;
  clientId: string;
  /** Without it, Assay is a public client. PKCE is always used. */
  clientSecret?: string;
  /**
   * Required audience of access tokens, also sent as `resource`. Without it, the API accepts ID tokens for `clientId`
   * as bearer tokens. @default none
   */
  audience?: string;
  /** The public URL of `/oidc/callback`, as registered with the provider. Without it, browser sign-in is off. */
  redirectUri?: string;
  /** @default "openid profile email offline_access" */
  scope?: string;
  /** Accepted signature algorithms, asymmetric only. @default RS256, PS256, ES256, EdDSA */
  algorithms?: string[];
  /**
   * Dotted path of the claim that lists roles: `roles`, `realm_access.roles`. Without it, administrators assign roles
   * in Assay.
   */
  roleClaim?: string;
  /** Maps claim values to roles; the highest counts. @default the built-in names, ignoring case */
  roles?: Record<string, Role | "SUPERUSER">;
}

const ASYMMETRIC = /^(RS|PS|ES)(256|384|512)$|^EdDSA$|^Ed25519$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** @throws {TypeError} for an unsafe setting */
export function requireSafe({ issuer, algorithms, redirectUri }: OidcOptions): void {
  for (const url of [issuer, redirectUri ?? issuer]) {
    if (new URL(url).protocol !== "https:" && !isLoopback(url)) {
      throw new TypeError(`identity: ${url} must begin with https:// (http only on loopback)`);
    }
  }
  for (const algorithm of algorithms ?? []) {
    if (!ASYMMETRIC.test(algorithm))
      throw new TypeError(`identity: ${algorithm} is not an asymmetric signature algorithm`);
  }
}

/** Whether a URL is on loopback, where plain HTTP is safe. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.has(new URL(url).hostname);
}

import type { Role } from "@assay/contract";

/** An OpenID Connect provider that keeps the people and signs them in, in place of our own user store. */
export interface OidcOptions {
  /** As the provider's discovery document has it, `https://id.example.org/realms/main`. */
  issuer: string;
  clientId: string;
  /** Without one we are a public client; PKCE is used either way. */
  clientSecret?: string;
  /**
   * Who access tokens must be for; it is also asked for as the `resource`. Without it, ID tokens for `clientId` are what
   * the API takes as bearer tokens. @default none
   */
  audience?: string;
  /** Our public address of `/oidc/callback`, as registered with the provider. Without it nobody signs in here. */
  redirectUri?: string;
  /** @default "openid profile email offline_access" */
  scope?: string;
  /** Signature algorithms that are taken; only asymmetric ones can be. @default RS256, PS256, ES256, EdDSA */
  algorithms?: string[];
  /** Where a token names roles, dotted: `roles`, `realm_access.roles`. Without it roles are given here. */
  roleClaim?: string;
  /** What the values of that claim mean; the strongest counts. @default the built-in names, in any letter case */
  roles?: Record<string, Role | "SUPERUSER">;
}

const ASYMMETRIC = /^(RS|PS|ES)(256|384|512)$|^EdDSA$|^Ed25519$/;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** @throws {TypeError} where a setting could not be safe */
export function requireSafe({ issuer, algorithms, redirectUri }: OidcOptions): void {
  for (const url of [issuer, redirectUri ?? issuer]) {
    if (new URL(url).protocol !== "https:" && !isLoopback(url)) {
      throw new TypeError(`identity: ${url} must begin with https:// (http only on loopback)`);
    }
  }
  for (const algorithm of algorithms ?? []) {
    if (!ASYMMETRIC.test(algorithm)) throw new TypeError(`identity: ${algorithm} is no asymmetric signature algorithm`);
  }
}

/** Whether an address is this machine's own, where plain HTTP does no harm. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.has(new URL(url).hostname);
}

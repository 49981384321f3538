import type { OverrideOptions } from "@assay/core/overrides";
import type { Store } from "@assay/store";
import type { Storage } from "unstorage";
import type { LanguageModel } from "./areas/ai/language-model.ts";
import type { SignupMode } from "./areas/auth/invitation.ts";
import type { OidcOptions } from "./areas/auth/oidc/options.ts";
import type { ExportOptions } from "./areas/etl/tasks/events-export.ts";
import type { RetentionOptions } from "./areas/etl/tasks/retention-purge.ts";
import type { WarehouseOptions } from "./areas/warehouse/engines.ts";
import type { AuditOptions } from "./audit/audit.ts";
import type { CorsOptions } from "./http/cors.ts";
import type { RateLimits } from "./http/limits.ts";
import type { TrustProxy } from "./http/peer.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { OutboundOptions } from "./outbound/outbound.ts";
import type { Logger } from "./runtime.ts";

/** What {@link createAssay} takes; everything has a default that suits trying it out. */
export interface AssayOptions {
  /** A store, or an unstorage `Storage` over any driver. @default in memory */
  storage?: Store | Storage;
  /** Keeps several environments apart in one store. @default none */
  namespace?: string;
  /** Where the host mounts it, where that is part of the paths it passes on. @default "" */
  basePath?: string;
  /** The first administrator, made at start while there is none; a weak password is refused in production. */
  admin?: { username: string; password: string; email?: string };
  /** Requests per minute of each class, or `false` for no limits. */
  rateLimit?: Partial<RateLimits> | false;
  /** Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` count: number of hops, or their networks. @default none */
  trustProxy?: TrustProxy;
  /** Refuses requests that did not come over TLS, health checks excepted. @default false */
  requireHttps?: boolean;
  /**
   * Honours tokens of `signOverrides` in `X-Assay-Override` and the cookie `assay_override`, for tests: they force
   * variants, values and arms for the request that carries them. @default nobody's
   */
  overrides?: OverrideOptions;
  /** Which web pages of other origins may evaluate, track and listen. @default none */
  cors?: CorsOptions;
  /** How the audit trail is sealed; see `docs/audit.md`. */
  audit?: AuditOptions;
  /** Starts jobs by the clock; where false this node only runs what is triggered on it. @default true */
  jobs?: boolean;
  /** Where `events-export` writes its files. @default it is off */
  exports?: ExportOptions;
  /** How long data is kept. @default for good */
  retention?: RetentionOptions;
  /**
   * Keeps every event as it was received beside the compact form, about ten times its space, so that results can be
   * computed again from it. @default false
   */
  keepRawEvents?: boolean;
  /** Which files and private hosts warehouse connections may name; see `docs/warehouse.md`. @default none */
  warehouse?: WarehouseOptions;
  /** Streams of changed definitions that may be open at a time. @default 10000 */
  maxStreams?: number;
  /** Lifetime of access tokens. @default 30 */
  accessTokenMinutes?: number;
  /** An OpenID Connect provider that keeps the people, in place of our own user store. @default our own */
  identity?: OidcOptions;
  /** Who may open an account: everyone, those in `invited`, or nobody. @default "OPEN" */
  signup?: SignupMode;
  /** For `signup: "INVITE"`: e-mails, and domains such as `@example.org`. */
  invited?: string[];
  /** How e-mail leaves. @default every mail is written to the log, codes and all */
  mailer?: Mailer;
  /** Improves the designs of `POST /ai/design`. @default only the built-in designer */
  languageModel?: LanguageModel;
  /** Days after which the next signing key takes over. @default 30 */
  signingKeyDays?: number;
  /** scrypt's N for passwords, a power of two; stored hashes keep theirs. @default 32768 */
  passwordCost?: number;
  /**
   * Secrets of at least 32 characters under which credentials of third parties are encrypted, the newest first.
   * @default one that is made and kept in the store, where it protects nothing from whoever has the store
   */
  secretKeys?: string[];
  /** How requests leave to addresses that users gave: integrations, webhooks. */
  outbound?: OutboundOptions;
  /** @default one JSON object a line on standard error */
  logger?: Logger;
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
  /** Makes ids. @default UUIDv7 */
  id?: () => string;
}

/** Options without those that are undefined, so that defaults hold for them. */
export function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

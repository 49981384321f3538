import type { EventEngine } from "@assay/analysis";
import type { OverrideOptions } from "@assay/core/overrides";
import type { KeyValueStorage, Store } from "@assay/store";
import type { LanguageModel } from "./areas/ai/language-model.ts";
import type { SignupMode } from "./areas/auth/invitation.ts";
import type { OidcOptions } from "./areas/auth/oidc/options.ts";
import type { ExportOptions } from "./areas/etl/tasks/events-export.ts";
import type { RetentionOptions } from "./areas/etl/tasks/retention-purge.ts";
import type { WarehouseOptions } from "./areas/warehouse/engines.ts";
import type { AuditOptions } from "./audit/audit.ts";
import type { ClientStreams } from "./definitions/stream-places.ts";
import type { Logger } from "./ground/runtime.ts";
import type { ServerRole } from "./ground/server-role.ts";
import type { AccessLog } from "./http/access-log.ts";
import type { ConsoleAssets } from "./http/console.ts";
import type { CorsOptions } from "./http/cors.ts";
import type { RateLimits } from "./http/limits.ts";
import type { TrustProxy } from "./http/peer.ts";
import type { RateLimitStore } from "./http/shared-counter.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { OutboundOptions } from "./outbound/outbound.ts";

/** Options of {@link createAssay}. Every option has a default suitable for evaluation. */
export interface AssayOptions {
  /** A store, or an unstorage `Storage` over any driver. @default in memory */
  storage?: Store | KeyValueStorage;
  /** How long a call to the store may take, in milliseconds, before requests answer 503. @default 10,000 */
  storeDeadlineMs?: number;
  /** How long a request body may take to arrive, in milliseconds, before the server answers 408. @default 30,000 */
  bodyDeadlineMs?: number;
  /** Separates several servers in one store, each with its own users. @default none */
  namespace?: string;
  /**
   * The names of environments with their own keys, flags, experiments, events and audit trail, and the same users; see
   * `docs/environments.md`. The first is the default, and has the data that the server had without this option.
   * @default one environment
   */
  environments?: readonly string[];
  /**
   * The environments in which a change of a flag, experiment, segment, schedule, group or holdout needs the approval of
   * another user, or `true` for all; see `docs/approvals.md`. @default none
   */
  protected?: readonly string[] | boolean;
  /** The path prefix of the mount, if the host passes it on. @default "" */
  basePath?: string;
  /**
   * The address of this server as people reach it, with its path, such as `https://flags.example.com`. Notifications link to
   * pages of the console under it. @default notifications have no links
   */
  publicUrl?: string;
  /** The first administrator, created at start if there is none. Weak passwords are rejected in production. */
  admin?: { username: string; password: string; email?: string };
  /** Requests per minute of each class, or `false` for no limits. */
  rateLimit?: Partial<RateLimits> | false;
  /** A Redis or PostgreSQL in which several servers count requests together. @default each server counts alone */
  rateLimitStore?: RateLimitStore;
  /** Proxies trusted for `X-Forwarded-For` and `X-Forwarded-Proto`: number of hops, or their networks. @default none */
  trustProxy?: TrustProxy;
  /** Rejects requests without TLS, except health checks. @default false */
  requireHttps?: boolean;
  /**
   * Accepts tokens of `signOverrides` in `X-Assay-Override` and the cookie `assay_override`, for tests. They force
   * variants, values and arms for one request. @default none
   */
  overrides?: OverrideOptions;
  /** Serves the console at `/console`: pass `consoleAssets` of `@assay/console`. @default no console */
  console?: ConsoleAssets;
  /** Origins whose pages may evaluate, track and open streams. @default none */
  cors?: CorsOptions;
  /** Audit trail sealing; see `docs/audit.md`. */
  audit?: AuditOptions;
  /**
   * What this server does: `api` serves requests, `analysis` computes results, also for servers without it on the same store,
   * `jobs` runs scheduled jobs; see `docs/scaling.md`. @default all
   */
  roles?: readonly ServerRole[];
  /** Runs scheduled jobs. If false, this node runs only jobs triggered on it, whatever its roles. @default true */
  jobs?: boolean;
  /** Where `events-export` writes its files. @default off */
  exports?: ExportOptions;
  /** How long data is kept. @default forever */
  retention?: RetentionOptions;
  /**
   * Keeps every event as received besides the compact form, so that results can be recomputed from it. Takes about ten
   * times the space. @default false
   */
  keepRawEvents?: boolean;
  /**
   * Number of threads that compute results of more than 500,000 events, from 1 to 64; see `docs/operations.md`. Their number
   * changes no result. @default one less than the processors, at least 1 and at most 8
   */
  analysisThreads?: number;
  /**
   * A database that answers results in place of this server's memory, such as `clickhouseEvents` of `@assay/clickhouse`; see
   * `docs/clickhouse.md`. The server copies every event to it, and closes it. @default the server's memory
   */
  events?: EventEngine;
  /** Files and private hosts that warehouse connections may use; see `docs/warehouse.md`. @default none */
  warehouse?: WarehouseOptions;
  /** Maximum number of concurrent streams of definitions. @default 10000 */
  maxStreams?: number;
  /** How many of these streams CLIENT keys may have open; see `docs/limits.md`. */
  clientStreams?: Partial<ClientStreams>;
  /** Lifetime of access tokens in minutes. @default 30 */
  accessTokenMinutes?: number;
  /** An OpenID Connect provider that manages users instead of Assay. @default Assay manages users */
  identity?: OidcOptions;
  /** Who may sign up: everyone, those in `invited`, or no one. @default "OPEN" */
  signup?: SignupMode;
  /** For `signup: "INVITE"`: e-mails, and domains such as `@example.org`. */
  invited?: string[];
  /** Sends e-mail. @default logs every mail, including codes */
  mailer?: Mailer;
  /** Improves the designs of `POST /ai/design`. @default only the built-in designer */
  languageModel?: LanguageModel;
  /** Days after which the next signing key takes over. @default 30 */
  signingKeyDays?: number;
  /** scrypt's N for passwords, a power of two. Stored hashes keep theirs. @default 32768 */
  passwordCost?: number;
  /**
   * Secrets of at least 32 characters that encrypt third-party credentials, newest first.
   * @default generated and kept in the store, which does not protect against owners of the store
   */
  secretKeys?: string[];
  /** Outgoing requests to user-provided addresses: integrations, webhooks. */
  outbound?: OutboundOptions;
  /** @default one JSON object per line on standard error */
  logger?: Logger;
  /** Collects metrics for `metrics()` of the server. @default false */
  metrics?: boolean;
  /** Called with each request when its response is ready. @default off */
  accessLog?: AccessLog;
  /** Milliseconds since 1970. @default Date.now */
  now?: () => number;
  /** Generates ids. @default UUIDv7 */
  id?: () => string;
}

/** Removes undefined options, so that defaults apply. */
export function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

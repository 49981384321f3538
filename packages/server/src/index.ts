export type { EventEngine } from "@assay/analysis";
export {
  OverrideError,
  type OverrideOptions,
  type Overrides,
  type SignOptions,
  signOverrides,
} from "@assay/core/overrides";
export { genericStore, memoryStore } from "@assay/store";
export { type LanguageModel, type OpenAiModelOptions, openAiModel } from "./areas/ai/language-model.ts";
export type { OidcOptions } from "./areas/auth/oidc/options.ts";
export type { AuditOptions } from "./audit/audit.ts";
export type { AuditHead } from "./audit/chain.ts";
export { type Redaction, redactAudit } from "./audit/redact.ts";
export { type VerifyOptions, verifyAudit } from "./audit/verify.ts";
export { type Assay, createAssay, type EnvironmentParts } from "./create.ts";
export type { ClientStreams } from "./definitions/stream-places.ts";
export { consoleLogger, type Logger, silentLogger } from "./ground/runtime.ts";
export { SERVER_ROLES, type ServerRole } from "./ground/server-role.ts";
export type { AccessLog, AccessLogEntry } from "./http/access-log.ts";
export type { ConsoleAssets } from "./http/console.ts";
export type { CorsOptions } from "./http/cors.ts";
export { DEFAULT_LIMITS, type RateLimits } from "./http/limits.ts";
export type { TrustProxy } from "./http/peer.ts";
export type { PostgresPool, RateLimitStore, RedisClient } from "./http/shared-counter.ts";
export type { Mail, Mailer } from "./mail/mailer.ts";
export { type SmtpOptions, smtpMailer } from "./mail/smtp-mailer.ts";
export type { NodeHandler } from "./node.ts";
export type { AssayOptions } from "./options.ts";
export type { OutboundOptions } from "./outbound/outbound.ts";
export { rotateSecrets } from "./rotate-secrets.ts";
export type { Rotation } from "./secrets/rotation.ts";
export { requireFormat } from "./storage/format.ts";

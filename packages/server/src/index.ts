export { type Assay, createAssay } from "./create.ts";
export { DEFAULT_LIMITS, type RateLimits } from "./http/limits.ts";
export type { OidcOptions } from "./identity/oidc/options.ts";
export type { Mail, Mailer } from "./mail/mailer.ts";
export { type SmtpOptions, smtpMailer } from "./mail/smtp-mailer.ts";
export type { NodeHandler } from "./node.ts";
export type { AssayOptions } from "./options.ts";
export { consoleLogger, type Logger, silentLogger } from "./runtime.ts";
export { genericStore, memoryStore } from "./storage/index.ts";

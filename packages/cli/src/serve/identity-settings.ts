import { type AssayOptions, type OidcOptions, smtpMailer } from "@assay/server";
import { reasonOf, usageFailure } from "../failure.ts";

/** Identity settings of `assay serve`: sign-up, mail delivery and sign-in. */
export type IdentitySettings = Pick<AssayOptions, "signup" | "invited" | "mailer" | "identity">;

type Environment = Record<string, string | undefined>;
type RoleMap = NonNullable<OidcOptions["roles"]>;

const MODES = ["OPEN", "INVITE", "OFF"] as const;
const RANKS = ["VIEWER", "ANALYST", "DEVELOPER", "ADMIN", "SUPERUSER"] as const;

/**
 * Reads the identity settings from the environment.
 * @throws {CommandFailure} naming the variable with an invalid value
 */
export function readIdentitySettings(environment: Environment): IdentitySettings {
  const get = (name: string) => environment[name]?.trim() || undefined;
  return {
    signup: oneOf(MODES, get("ASSAY_SIGNUP"), "ASSAY_SIGNUP"),
    invited: get("ASSAY_INVITED")
      ?.split(",")
      .map((entry) => entry.trim()),
    mailer: mailer(get("ASSAY_SMTP_URL"), get("ASSAY_MAIL_FROM")),
    identity: provider(get),
  };
}

function mailer(url: string | undefined, from: string | undefined): IdentitySettings["mailer"] {
  if (url === undefined) return undefined;
  if (from === undefined) throw usageFailure("Set ASSAY_MAIL_FROM to the sender's address if ASSAY_SMTP_URL is set");
  try {
    return smtpMailer({ url, from });
  } catch (error) {
    // The address may contain a password, so the message omits it.
    throw usageFailure(`ASSAY_SMTP_URL: ${error instanceof TypeError ? "not an SMTP address" : reasonOf(error)}`);
  }
}

function provider(get: (name: string) => string | undefined): OidcOptions | undefined {
  const issuer = get("ASSAY_OIDC_ISSUER");
  if (issuer === undefined) return undefined;
  const clientId = get("ASSAY_OIDC_CLIENT_ID");
  if (clientId === undefined) throw usageFailure("Set ASSAY_OIDC_CLIENT_ID if ASSAY_OIDC_ISSUER is set");
  return {
    issuer,
    clientId,
    clientSecret: get("ASSAY_OIDC_CLIENT_SECRET"),
    audience: get("ASSAY_OIDC_AUDIENCE"),
    redirectUri: get("ASSAY_OIDC_REDIRECT_URI"),
    roleClaim: get("ASSAY_OIDC_ROLE_CLAIM"),
    roles: roleMap(get("ASSAY_OIDC_ROLES")),
  };
}

/** Parses a map of roles such as `flags-admins=SUPERUSER,developers=DEVELOPER`. */
function roleMap(value: string | undefined): RoleMap | undefined {
  if (value === undefined) return undefined;
  return Object.fromEntries(
    value.split(",").map((pair) => {
      const at = pair.lastIndexOf("=");
      const rank = oneOf(RANKS, pair.slice(at + 1).trim(), "ASSAY_OIDC_ROLES");
      if (at < 1 || rank === undefined) throw usageFailure(`ASSAY_OIDC_ROLES must be value=ROLE, not "${pair}"`);
      return [pair.slice(0, at).trim(), rank];
    }),
  );
}

function oneOf<T extends string>(values: readonly T[], value: string | undefined, name: string): T | undefined {
  if (value === undefined) return undefined;
  const found = values.find((one) => one === value.toUpperCase());
  if (found === undefined) throw usageFailure(`${name} must be ${values.join(", ")}, not "${value}"`);
  return found;
}

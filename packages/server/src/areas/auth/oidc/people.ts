import { createHash } from "node:crypto";
import { Email, ROLES, type Role, Username } from "@assay/contract";
import { isApiError, unauthorized } from "../../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../../ground/runtime.ts";
import type { UserRecord } from "../../../model/user.ts";
import { SYSTEM } from "../../../storage/change.ts";
import type { Collection } from "../../../storage/collection.ts";
import type { OidcOptions } from "./options.ts";
import type { Claims } from "./provider.ts";

/** Maps subjects of the provider to users. */
export interface People {
  /**
   * The user of a subject, created on first sight. Names and, from bearer tokens, the role follow the claims.
   * @throws ApiError 401 for users deleted or deactivated in Assay
   */
  see(claims: Claims, options?: { withRole: boolean }): Promise<UserRecord>;
}

type Rank = Pick<UserRecord, "role" | "is_superuser">;

export function createPeople(deps: { options: OidcOptions; runtime: Runtime; users: Collection<UserRecord> }): People {
  const { options, runtime, users } = deps;

  /** Does not take over a name or e-mail of another user, who may be a different person. */
  function freeNames(claims: Claims, externalId: string): Pick<UserRecord, "username" | "email"> {
    const mark = createHash("sha256").update(externalId).digest("hex").slice(0, 12);
    const email = Email.safeParse(claims.email).data;
    const isTaken = email !== undefined && users.findBy("email", email.toLowerCase()) !== undefined;
    if (isTaken) runtime.logger.warn("A new person's e-mail belongs to another user", { subject: claims.sub });
    const own = email === undefined || isTaken ? `${mark}@users.invalid` : email;
    const wanted = [claims.preferred_username, own === email ? own : undefined, claims.sub].flatMap(
      (name) => Username.safeParse(name).data ?? [],
    );
    const free = wanted.find(
      (name) =>
        !users.findBy("username", name.toLowerCase()) &&
        (!name.includes("@") || name.toLowerCase() === own.toLowerCase()),
    );
    return { username: free ?? `user-${mark}`, email: own };
  }

  async function make(claims: Claims, external_id: string): Promise<UserRecord> {
    try {
      return await users.insert(
        {
          ...freeNames(claims, external_id),
          ...namesIn(claims),
          ...(rankIn(claims, options) ?? { role: "VIEWER", is_superuser: false }),
          custom_roles: [],
          is_active: true,
          password_hash: null,
          confirmed_at: timestampOf(runtime.now()),
          external_id,
          deleted_at: null,
        },
        { actor: SYSTEM, action: "user.first_sight" },
      );
    } catch (error) {
      // A concurrent first request has created the user.
      const existing = users.findBy("external_id", external_id);
      if (existing && isApiError(error)) return existing;
      throw error;
    }
  }

  return {
    async see(claims, { withRole } = { withRole: true }) {
      const externalId = `${options.issuer} ${claims.sub}`;
      const user = users.findBy("external_id", externalId) ?? (await make(claims, externalId));
      if (!user.is_active || user.deleted_at) throw unauthorized("Could not validate credentials");
      const rank = withRole ? rankIn(claims, options) : undefined;
      const hasNames = claims.name !== undefined || claims.given_name !== undefined;
      const now = { ...user, ...(hasNames ? namesIn(claims) : {}), ...rank };
      const isSame = (Object.keys(now) as (keyof UserRecord)[]).every((field) => now[field] === user[field]);
      if (isSame) return user;
      return users.update(user.id, (current) => ({ ...current, ...(hasNames ? namesIn(claims) : {}), ...rank }), {
        actor: SYSTEM,
        action: "user.follow_claims",
      });
    },
  };
}

function namesIn(claims: Claims): Pick<UserRecord, "full_name" | "given_name" | "family_name"> {
  const text = (name: string) => (typeof claims[name] === "string" ? String(claims[name]).slice(0, 255) : "");
  const [given_name, family_name] = [text("given_name"), text("family_name")];
  return { full_name: text("name") || `${given_name} ${family_name}`.trim(), given_name, family_name };
}

/**
 * Returns the highest role in a token: VIEWER if the claim is missing or names none, undefined without a role claim.
 */
function rankIn(claims: Claims, { roleClaim, roles }: Pick<OidcOptions, "roleClaim" | "roles">): Rank | undefined {
  if (roleClaim === undefined) return undefined;
  const found = valuesAt(claims, roleClaim).flatMap((value) => meaningOf(value, roles) ?? []);
  if (found.includes("SUPERUSER")) return { role: "ADMIN", is_superuser: true };
  const strongest = [...ROLES].reverse().find((role) => found.includes(role));
  return { role: strongest ?? "VIEWER", is_superuser: false };
}

function meaningOf(value: string, roles: OidcOptions["roles"]): Role | "SUPERUSER" | undefined {
  if (roles) return Object.hasOwn(roles, value) ? roles[value] : undefined;
  return ROLES.find((role) => role === value.toUpperCase());
}

/** Returns the strings at a dotted path. Also finds a claim whose name contains dots. */
function valuesAt(claims: Claims, path: string): string[] {
  const own = Object.hasOwn(claims, path) ? claims[path] : undefined;
  const found =
    own ??
    path.split(".").reduce<unknown>((value, key) => {
      return value && typeof value === "object" && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined;
    }, claims);
  const list = Array.isArray(found) ? found : typeof found === "string" ? found.split(/\s+/) : [];
  return list.filter((value): value is string => typeof value === "string");
}

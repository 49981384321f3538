/** What a server does: it serves the API, computes results, or runs scheduled jobs. */
export const SERVER_ROLES = ["api", "analysis", "jobs"] as const;

/** A part of the work that a server may take. */
export type ServerRole = (typeof SERVER_ROLES)[number];

/**
 * Returns the roles of a server; all without the option.
 * @throws TypeError for an unknown role, or none
 */
export function rolesOf(roles: readonly string[] = SERVER_ROLES): ReadonlySet<ServerRole> {
  const known = `the roles are ${SERVER_ROLES.slice(0, -1).join(", ")} and ${SERVER_ROLES.at(-1)}`;
  if (roles.length === 0) throw new TypeError(`roles is empty; ${known}`);
  const wrong = roles.find((role) => !(SERVER_ROLES as readonly string[]).includes(role));
  if (wrong !== undefined) throw new TypeError(`roles: there is no role "${wrong}"; ${known}`);
  return new Set(roles as readonly ServerRole[]);
}

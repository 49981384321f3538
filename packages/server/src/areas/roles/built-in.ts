import {
  ACTIONS,
  type Action,
  contract,
  permissionOf,
  ROLES,
  type Role,
  type Route,
  type RouteKey,
} from "@assay/contract";

/** The permissions of a built-in role on one resource, computed from the contract. */
export interface BuiltInPermission {
  resource: string;
  /** Actions with at least one route open to the role. */
  actions: Action[];
  /** The subset of actions limited, at least in part, to resources the user created. */
  own_actions: Action[];
}

export const BUILT_IN_TEXTS: Record<Role, string> = {
  VIEWER: "Reads experiments that are not drafts, flags and results",
  ANALYST: "Reads everything, the audit trail too",
  DEVELOPER: "Creates flags, experiments and API keys, and changes those they created",
  ADMIN: "Changes everything, and manages people and roles",
};

const routes = (Object.entries(contract) as [RouteKey, Route][]).map(([key, route]) => ({
  ...permissionOf(key, route),
  auth: route.auth,
}));

/** Every resource a permission may name. */
export const RESOURCES: ReadonlySet<string> = new Set(
  routes.filter(({ auth }) => typeof auth !== "string" && auth.user).map(({ resource }) => resource),
);

/** Resources whose READ shows more to holders of the permission, although every user may call the routes. */
const SHOWING_MORE: ReadonlySet<string> = new Set([
  "api-keys",
  "bandit",
  "counters",
  "experiments",
  "mutual-exclusion-groups",
  "results",
  "segments",
]);

/** Whether a permission adds something to a VIEWER: a route that needs a role, or documents such as drafts. */
export function hasEffect(resource: string, action: Action): boolean {
  if (resource === "*" || (action === "READ" && SHOWING_MORE.has(resource))) return true;
  return routes.some(
    (route) =>
      route.resource === resource &&
      route.action === action &&
      typeof route.auth !== "string" &&
      (route.auth.user === undefined ? route.auth.key !== "read" : route.auth.user !== true),
  );
}

const permissions = new Map(ROLES.map((role) => [role, derive(role)]));

/** Returns the permissions of a built-in role, by resource. */
export function builtInPermissions(role: Role): readonly BuiltInPermission[] {
  return permissions.get(role)!;
}

function derive(role: Role): BuiltInPermission[] {
  const open = routes.filter(({ auth }) => typeof auth !== "string" && isOpen(auth.user, role));
  return [...RESOURCES].sort().flatMap((resource) => {
    const here = open.filter((route) => route.resource === resource);
    const actions = ACTIONS.filter((action) => here.some((route) => route.action === action));
    // ADMIN is not limited to own resources.
    const isOwn = (action: Action) =>
      role !== "ADMIN" &&
      here.some((route) => route.action === action && typeof route.auth !== "string" && route.auth.own === true);
    return actions.length > 0 ? [{ resource, actions, own_actions: actions.filter(isOwn) }] : [];
  });
}

function isOpen(needed: true | Role | undefined, role: Role): boolean {
  return needed === true || (needed !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed));
}

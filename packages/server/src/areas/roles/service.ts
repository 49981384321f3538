import {
  ACTIONS,
  type Grant,
  type GrantCreate,
  type NamedRole,
  type Permission,
  ROLES,
  type RoleCreate,
  type RoleUpdate,
  type RoutePermission,
  type UserPermissions,
} from "@assay/contract";
import { conflict, invalid, notFound } from "../../ground/errors.ts";
import type { Runtime } from "../../ground/runtime.ts";
import { type Caller, hasRole, personOf } from "../../model/caller.ts";
import type { GrantRecord, RoleRecord } from "../../model/role.ts";
import type { UserRecord } from "../../model/user.ts";
import { type Change, SYSTEM } from "../../storage/change.ts";
import type { Collection } from "../../storage/collection.ts";
import { BUILT_IN_TEXTS, builtInPermissions, hasEffect, RESOURCES } from "./built-in.ts";

export interface RoleService {
  /** Built-in roles by rank, then custom roles by name. */
  list(): NamedRole[];
  /** @throws ApiError 409 for a taken name, 422 for an unknown resource or a permission without effect */
  create(body: RoleCreate, by: Change): Promise<NamedRole>;
  /** @throws ApiError 404, 409 for a built-in role, 412, 422 */
  update(name: string, body: RoleUpdate, by: Change, ifVersion?: number): Promise<NamedRole>;
  /** @throws ApiError 404, 409 for a built-in role or one in use, 412 */
  remove(name: string, by: Change, ifVersion?: number): Promise<void>;
  /** @throws ApiError 404 for other users, unless the caller is ADMIN */
  permissionsOf(userId: string, caller: Caller): UserPermissions;
  /** Active grants, oldest first. @throws ApiError 404 */
  grantsOf(userId: string): Grant[];
  /** @throws ApiError 404, 422 for an unknown resource, no effect, or an expiry in the past or too far ahead */
  grant(userId: string, body: GrantCreate, caller: Caller, by: Change): Promise<Grant>;
  /** @throws ApiError 404 */
  revoke(userId: string, grantId: string, by: Change): Promise<void>;
  /** Whether a custom role or grant of this user opens a route, for any built-in role. */
  allows(userId: string, permission: RoutePermission): boolean;
}

const MAX_GRANT_MS = 366 * 24 * 3600 * 1000;

export function createRoleService(deps: {
  runtime: Runtime;
  roles: Collection<RoleRecord>;
  grants: Collection<GrantRecord>;
  users: Collection<UserRecord>;
}): RoleService {
  const { runtime, roles, grants, users } = deps;
  // Read on every request, so indexed by user.
  const grantsByUser = new Map<string, Map<string, GrantRecord>>();
  const note = (grant: GrantRecord) =>
    grantsByUser.set(grant.user_id, (grantsByUser.get(grant.user_id) ?? new Map()).set(grant.id, grant));
  for (const grant of grants.all()) note(grant);
  grants.onChange(({ id, before, after }) => {
    if (after) note(after);
    else if (before) grantsByUser.get(before.user_id)?.delete(id);
  });

  const isInForce = (grant: GrantRecord) => Date.parse(grant.expires_at) > runtime.now();
  const grantsInForce = (userId: string) => [...(grantsByUser.get(userId)?.values() ?? [])].filter(isInForce);

  function requireUser(id: string): UserRecord {
    const user = users.require(id);
    if (user.deleted_at) throw notFound();
    return user;
  }

  function requireCustom(name: string): RoleRecord {
    const role = roles.findBy("name", name.toLowerCase());
    if (role) return role;
    if (isBuiltIn(name)) throw conflict(`Role "${name.toUpperCase()}" is built in and cannot be changed`);
    throw notFound();
  }

  async function sweep(userId: string): Promise<void> {
    const over = [...(grantsByUser.get(userId)?.values() ?? [])].filter((grant) => !isInForce(grant));
    for (const grant of over) await grants.remove(grant.id, { actor: SYSTEM, action: "grant.expire" });
  }

  /** Returns the permissions of custom roles and grants together. */
  function widening(user: UserRecord): Permission[] {
    const held = (user.custom_roles ?? []).flatMap((name) => roles.findBy("name", name)?.permissions ?? []);
    return [...held, ...grantsInForce(user.id)];
  }

  return {
    list: () => [
      ...ROLES.map((name) => ({
        name,
        description: BUILT_IN_TEXTS[name],
        is_built_in: true,
        permissions: builtInPermissions(name).map(({ resource, actions }) => ({ resource, actions })),
        created_at: null,
        updated_at: null,
      })),
      ...roles
        .all()
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(toNamedRole),
    ],
    async create(body, by) {
      requireKnown(body.permissions);
      if (isBuiltIn(body.name)) throw conflict(`Role "${body.name}" already exists`);
      return toNamedRole(await roles.insert({ ...body, permissions: body.permissions.map(tidy) }, by));
    },
    async update(name, { description, permissions }, by, ifVersion) {
      const role = requireCustom(name);
      if (permissions) requireKnown(permissions);
      const change = (current: RoleRecord): RoleRecord => ({
        ...current,
        ...(description === undefined ? {} : { description: description ?? "" }),
        ...(permissions ? { permissions: permissions.map(tidy) } : {}),
      });
      return toNamedRole(await roles.update(role.id, change, by, { ifVersion }));
    },
    async remove(name, by, ifVersion) {
      const role = requireCustom(name);
      const holders = users.all().filter((user) => !user.deleted_at && user.custom_roles?.includes(role.name));
      if (holders.length > 0)
        throw conflict(`Role "${role.name}" is assigned to ${holders.length} user(s); remove it from them first`);
      await roles.remove(role.id, by, { ifVersion });
    },
    permissionsOf(userId, caller) {
      const isOwn = personOf(caller) === userId;
      if (!isOwn && !(caller.type === "USER" && (hasRole(caller, "ADMIN") || caller.granted))) throw notFound();
      const user = requireUser(userId);
      return {
        user_id: user.id,
        role: user.role,
        is_superuser: user.is_superuser,
        custom_roles: user.custom_roles ?? [],
        grants: grantsInForce(user.id),
        permissions: effective(user, widening(user)),
      };
    },
    grantsOf: (userId) => grantsInForce(requireUser(userId).id),
    async grant(userId, body, caller, by) {
      const user = requireUser(userId);
      requireKnown([body], []);
      requireRoom(user);
      const left = Date.parse(body.expires_at) - runtime.now();
      if (left <= 0) throw invalid(["body", "expires_at"], "Must be in the future");
      if (left > MAX_GRANT_MS) throw invalid(["body", "expires_at"], "Must be within a year; use a role instead");
      await sweep(user.id);
      const { resource, actions } = tidy(body);
      const { expires_at, reason } = body;
      const created_by = personOf(caller) ?? "";
      return grants.insert({ user_id: user.id, resource, actions, expires_at, reason, created_by }, by);
    },
    async revoke(userId, grantId, by) {
      const grant = grants.require(grantId);
      if (grant.user_id !== userId) throw notFound();
      await grants.remove(grantId, by);
    },
    allows(userId, { resource, action }) {
      const user = users.get(userId);
      if (!user || (!user.custom_roles?.length && !grantsByUser.get(userId)?.size)) return false;
      if (isReserved(resource, action)) return false;
      return widening(user).some((one) => matches(one, resource) && one.actions.includes(action));
    },
  };
}

/** Only ADMIN may assign rights. Otherwise users who may assign some could assign themselves all. */
function isReserved(resource: string, action: string): boolean {
  return resource === "roles" && action !== "READ";
}

/**
 * Requires that the built-in role of a user leaves something that a grant could add. A grant without effect would look
 * like a right in the audit trail. @throws ApiError 422
 */
function requireRoom({ role, is_superuser }: UserRecord): void {
  if (role !== "ADMIN" && !is_superuser) return;
  throw invalid(["path", "user_id"], `The user already has every permission as ${is_superuser ? "superuser" : role}`);
}

function matches(permission: Permission, resource: string): boolean {
  return permission.resource === "*" || permission.resource === resource;
}

/** @throws ApiError 422 */
function requireKnown(permissions: Permission[], place: string[] = ["permissions"]): void {
  permissions.forEach(({ resource, actions }, index) => {
    const loc = ["body", ...place, ...(place.length > 0 ? [index] : [])];
    if (resource !== "*" && !RESOURCES.has(resource)) {
      throw invalid([...loc, "resource"], `Must be * or one of ${[...RESOURCES].sort().join(", ")}`);
    }
    if (actions.some((action) => isReserved(resource, action))) {
      throw invalid([...loc, "actions"], "Permission to change roles cannot be granted; only READ can");
    }
    const idle = actions.find((action) => !hasEffect(resource, action));
    if (idle)
      throw invalid(
        [...loc, "actions"],
        `${idle} on ${resource} has no effect; remove it: every user may do this, or no route does it`,
      );
  });
}

function tidy({ resource, actions }: Permission): Permission {
  return { resource, actions: ACTIONS.filter((action) => actions.includes(action)) };
}

function isBuiltIn(name: string): boolean {
  return ROLES.some((role) => role === name.toUpperCase());
}

function toNamedRole({ name, description, permissions, created_at, updated_at }: RoleRecord): NamedRole {
  return { name, description, is_built_in: false, permissions, created_at, updated_at };
}

/** Returns the permissions of the built-in role, custom roles and grants, by resource. */
function effective(user: UserRecord, added: Permission[]): UserPermissions["permissions"] {
  const builtIn = builtInPermissions(user.is_superuser ? "ADMIN" : user.role);
  return [...RESOURCES].sort().flatMap((resource) => {
    const own = builtIn.find((one) => one.resource === resource);
    const extra = ACTIONS.filter(
      (action) =>
        !isReserved(resource, action) && added.some((one) => matches(one, resource) && one.actions.includes(action)),
    );
    const actions = ACTIONS.filter((action) => own?.actions.includes(action) || extra.includes(action));
    const own_actions = (own?.own_actions ?? []).filter((action) => !extra.includes(action));
    return actions.length > 0 ? [{ resource, actions, own_actions }] : [];
  });
}
